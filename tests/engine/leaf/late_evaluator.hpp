#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "engine/leaf/evaluator_source.hpp"
#include "environment/awake_clock.hpp"
#include "games/game.hpp"

/// Evaluators for tests: one whose values come late, and one that gives priors.
namespace pitboss::tests {

/// Calls functions after a delay that is the same for all, from a thread of its own.
class Delay {
 public:
  using TimePoint = environment::AwakeClock::time_point;

  explicit Delay(std::chrono::microseconds delay) : delay_(delay) {}
  void then(std::function<void()> call) {
    {
      const std::scoped_lock lock(mutex_);
      calls_.emplace_back(environment::AwakeClock::now() + delay_, std::move(call));
    }
    came_.notify_one();
  }

 private:
  void run(const std::stop_token& end) {
    std::unique_lock lock(mutex_);
    while (came_.wait(lock, end, [this] { return !calls_.empty(); })) {
      const TimePoint due = calls_.front().first;
      came_.wait_until(lock, end, due, [] { return false; });
      if (end.stop_requested()) return;
      const auto call = std::move(calls_.front().second);
      calls_.pop_front();
      lock.unlock();
      call();
      lock.lock();
    }
  }

  std::chrono::microseconds delay_;
  std::mutex mutex_;
  std::condition_variable_any came_;
  std::deque<std::pair<TimePoint, std::function<void()>>> calls_;
  std::jthread thread_{[this](const std::stop_token& end) { run(end); }};
};

/// Priors that tell moves apart by their code alone, in the order of the legal moves.
template <games::Game G>
std::vector<float> some_priors(const G& position) {
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  std::vector<float> priors;
  float sum = 0;
  for (const games::Move move : moves) {
    priors.push_back(static_cast<float>(1 + games::mix(games::code(move)) % 7));
    sum += priors.back();
  }
  for (float& prior : priors) prior /= sum;
  return priors;
}

/// The game's static value, told late.
template <games::Game G>
class LateEvaluator final : public engine::BatchEvaluator<G> {
 public:
  LateEvaluator(std::shared_ptr<Delay> delay, bool has_priors, engine::Waker waker)
      : delay_(std::move(delay)), has_priors_(has_priors), waker_(std::move(waker)) {}

  void submit(engine::Ticket ticket, const engine::Trajectory<G>& trajectory) override {
    Arrival arrival{ticket, games::static_values(trajectory.leaf), {}};
    if (has_priors_) arrival.priors = some_priors(trajectory.leaf);
    std::uint64_t round = 0;
    {
      const std::scoped_lock lock(mail_->mutex);
      round = mail_->round;
    }
    delay_->then([mail = mail_, wake = waker_, round, arrival = std::move(arrival)]() mutable {
      {
        const std::scoped_lock lock(mail->mutex);
        if (mail->round != round) return;
        mail->arrivals.push_back(std::move(arrival));
      }
      if (wake) wake();
    });
  }
  bool collect(engine::Ticket& ticket, engine::Evaluation<G>& evaluation) override {
    const std::scoped_lock lock(mail_->mutex);
    if (mail_->arrivals.empty()) return false;
    last_ = std::move(mail_->arrivals.front());
    mail_->arrivals.pop_front();
    ticket = last_.ticket;
    evaluation = {last_.values, last_.priors};
    return true;
  }
  void drop() override {
    const std::scoped_lock lock(mail_->mutex);
    ++mail_->round;
    mail_->arrivals.clear();
  }
  [[nodiscard]] bool has_priors() const override { return has_priors_; }

 private:
  struct Arrival {
    engine::Ticket ticket = 0;
    games::Values<G> values{};
    std::vector<float> priors;
  };
  struct Mail {
    std::mutex mutex;
    std::deque<Arrival> arrivals;
    std::uint64_t round = 0;
  };

  std::shared_ptr<Delay> delay_;
  bool has_priors_;
  engine::Waker waker_;
  std::shared_ptr<Mail> mail_ = std::make_shared<Mail>();
  Arrival last_;
};

/// Searches whose leaves are evaluated late; all share one delay.
template <games::Game G>
class LateSource final : public engine::EvaluatorSource<G> {
 public:
  LateSource(std::chrono::microseconds delay, int in_flight, bool has_priors = false)
      : delay_(std::make_shared<Delay>(delay)), in_flight_(in_flight), has_priors_(has_priors) {}
  [[nodiscard]] std::unique_ptr<engine::BatchEvaluator<G>> batch_evaluator(
      const engine::Options& /*options*/, const engine::Waker& waker) const override {
    return std::make_unique<LateEvaluator<G>>(delay_, has_priors_, waker);
  }
  [[nodiscard]] int in_flight(const engine::Options& /*options*/) const override {
    return in_flight_;
  }

 private:
  std::shared_ptr<Delay> delay_;
  int in_flight_;
  bool has_priors_;
};

/// The game's static value, told a round later: when the search has asked once in vain since it
/// submitted the leaf. Without a clock, so that a seed gives the same search.
template <games::Game G>
class RoundEvaluator final : public engine::BatchEvaluator<G> {
 public:
  void submit(engine::Ticket ticket, const engine::Trajectory<G>& trajectory) override {
    submitted_.emplace_back(ticket, games::static_values(trajectory.leaf));
  }
  bool collect(engine::Ticket& ticket, engine::Evaluation<G>& evaluation) override {
    if (arrived_.empty()) {
      arrived_.swap(submitted_);
      return false;
    }
    ticket = arrived_.front().first;
    evaluation = {arrived_.front().second, {}};
    arrived_.pop_front();
    return true;
  }
  void drop() override {
    submitted_.clear();
    arrived_.clear();
  }

 private:
  std::deque<std::pair<engine::Ticket, games::Values<G>>> submitted_;
  std::deque<std::pair<engine::Ticket, games::Values<G>>> arrived_;
};

template <games::Game G>
class RoundSource final : public engine::EvaluatorSource<G> {
 public:
  explicit RoundSource(int in_flight) : in_flight_(in_flight) {}
  [[nodiscard]] std::unique_ptr<engine::BatchEvaluator<G>> batch_evaluator(
      const engine::Options& /*options*/, const engine::Waker& /*waker*/) const override {
    return std::make_unique<RoundEvaluator<G>>();
  }
  [[nodiscard]] int in_flight(const engine::Options& /*options*/) const override {
    return in_flight_;
  }

 private:
  int in_flight_;
};

/// The game's static value with priors, at once.
template <games::Game G>
class PriorEvaluator final : public engine::Evaluator<G> {
 public:
  void evaluate(const engine::Trajectory<G>& trajectory, games::Random& /*random*/,
                engine::Evaluation<G>& evaluation) override {
    const games::Result result = trajectory.leaf.result();
    if (result.finished()) {
      evaluation = {engine::values_of<G>(result), {}};
    } else {
      priors_ = some_priors(trajectory.leaf);
      evaluation = {games::static_values(trajectory.leaf), priors_};
    }
  }
  [[nodiscard]] bool has_priors() const override { return true; }

 private:
  std::vector<float> priors_;
};

template <games::Game G>
class PriorSource final : public engine::EvaluatorSource<G> {
 public:
  [[nodiscard]] std::unique_ptr<engine::Evaluator<G>> evaluator(
      const engine::Options& /*options*/) const override {
    return std::make_unique<PriorEvaluator<G>>();
  }
};

}  // namespace pitboss::tests
