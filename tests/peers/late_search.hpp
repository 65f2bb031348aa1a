#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>

#include "engine/search/search.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::peers {

/// An evaluator that takes its time: calls each function that it is given after a delay, on a
/// thread of its own. Any thread may use it.
class LateEvaluator {
 public:
  explicit LateEvaluator(std::chrono::milliseconds delay);
  ~LateEvaluator();
  LateEvaluator(const LateEvaluator&) = delete;
  LateEvaluator& operator=(const LateEvaluator&) = delete;

  /// Of the calls that are asked for from now on.
  void set_delay(std::chrono::milliseconds delay);
  void call_later(std::function<void()> call);

 private:
  using SteadyClock = environment::AwakeClock;
  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::chrono::milliseconds delay_;
  std::multimap<SteadyClock::time_point, std::function<void()>> calls_;
  bool stopping_ = false;
  std::jthread thread_;
};

/// A search whose every simulation waits for one value of a late evaluator, and so answers
/// `waiting`; it plays the first legal move. It obeys the limits and the options `simulations` and
/// `movetime` as any search. With the option `threads` at 2 or more its helpers wait as it does,
/// and do nothing.
class LateSearch final : public engine::Search {
 public:
  explicit LateSearch(LateEvaluator& evaluator) : evaluator_(evaluator) {}

  void begin(const games::AnyGame& position, int ply, const engine::Options& options,
             const engine::Limits& limits, engine::Waker waker = {}) override;
  engine::Progress run(std::chrono::microseconds slice) override;
  engine::Progress help(std::chrono::microseconds slice) override;
  [[nodiscard]] bool has_steps() const override { return false; }
  engine::Progress step(engine::LeafBatch& /*batch*/,
                        engine::Progress::TimePoint /*now*/) override {
    return run({});
  }
  void run_next_with(engine::Company& /*company*/) override {}
  [[nodiscard]] int threads() const override { return threads_; }
  void stop() noexcept override;
  void update(const engine::Options& options) override;
  /// Knows nothing of a position: all colours are alike.
  [[nodiscard]] std::vector<engine::Assessment> evaluate_all(
      std::span<const games::AnyGame* const> positions, const engine::Options& /*options*/,
      const std::stop_token& /*stop*/) const override {
    const auto colours = positions[0]->colours().size();
    const std::vector<double> even(colours, 1.0 / static_cast<double>(colours));
    return std::vector<engine::Assessment>(positions.size(), {even, {}, {}});
  }
  void forget() override {}
  [[nodiscard]] games::Move best_move() const override;
  [[nodiscard]] std::optional<double> best_value() const override { return 0.5; }
  [[nodiscard]] engine::Report report(int continuations) const override;
  /// Has no tree.
  [[nodiscard]] std::optional<engine::Report> report_below(
      std::span<const games::Move> path) const override {
    return path.empty() ? std::optional(report(0)) : std::nullopt;
  }
  [[nodiscard]] engine::Effort effort() const override { return {simulations_, 1, {}, {}}; }

  /// Slices that searches and helpers in this process have had.
  [[nodiscard]] static std::int64_t slices() { return slices_; }

 private:
  /// What the evaluator's thread reaches, even when the search is gone.
  struct Mailbox {
    std::mutex mutex;
    engine::Waker waker;
    int sent = 0;  ///< leaves
    bool arrived = false;

    void wake() {
      const std::scoped_lock lock(mutex);
      if (waker) waker();
    }
  };

  [[nodiscard]] bool is_over() const;
  [[nodiscard]] environment::AwakeClock::time_point deadline() const;
  void send_leaf();

  static std::atomic<std::int64_t> slices_;

  LateEvaluator& evaluator_;
  std::shared_ptr<Mailbox> mailbox_ = std::make_shared<Mailbox>();
  std::unique_ptr<games::AnyGame> game_;
  engine::Options options_;
  engine::Limits limits_;
  environment::AwakeClock::time_point begun_;
  int threads_ = 1;
  std::int64_t simulations_ = 0;
  bool is_waiting_ = false;
  std::atomic<bool> stopped_ = false;
  std::atomic<bool> over_ = true;
  mutable std::mutex limits_mutex_;  ///< guards the limits, which `update` changes
};

}  // namespace pitboss::peers
