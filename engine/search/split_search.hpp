#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "engine/search.hpp"

namespace pitboss::engine {

/// The search of a game whose moves have two halves: by whole moves or by half moves, as the option
/// `split_moves` has it when a search begins. A search that avoids moves is by whole ones.
class SplitSearch final : public Search {
 public:
  /// Makes a search by half moves, or by whole ones.
  using Make = std::function<std::unique_ptr<Search>(bool by_halves)>;

  explicit SplitSearch(Make make);

  void begin(const games::AnyGame& position, int ply, const Options& options,
             const Limits& limits, Waker waker = {}) override;
  Progress run(std::chrono::microseconds slice) override { return now()->run(slice); }
  Progress help(std::chrono::microseconds slice) override { return now()->help(slice); }
  [[nodiscard]] int threads() const override { return now()->threads(); }
  void stop() noexcept override { now()->stop(); }
  void update(const Options& options) override { now()->update(options); }
  [[nodiscard]] Assessment evaluate(const games::AnyGame& position, const Options& options,
                                    const std::stop_token& stop) const override {
    return assessor_->evaluate(position, options, stop);
  }
  void forget() override { now()->forget(); }
  [[nodiscard]] std::string best_move() const override { return now()->best_move(); }
  [[nodiscard]] std::optional<double> best_value() const override { return now()->best_value(); }
  [[nodiscard]] Report report(int continuations = 0) const override {
    return now()->report(continuations);
  }
  [[nodiscard]] std::int64_t simulations() const override { return now()->simulations(); }

 private:
  /// Any thread may ask for it; who has it keeps it alive.
  [[nodiscard]] std::shared_ptr<Search> now() const {
    const std::scoped_lock lock(mutex_);
    return search_;
  }

  Make make_;
  std::unique_ptr<Search> assessor_;  ///< by whole moves, as networks have them
  bool by_halves_ = false;
  mutable std::mutex mutex_;
  std::shared_ptr<Search> search_;
};

}  // namespace pitboss::engine
