#include "tests/peers/late_search.hpp"

#include <algorithm>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::peers {

using engine::Progress;

LateEvaluator::LateEvaluator(std::chrono::milliseconds delay)
    : delay_(delay), thread_([this] { run(); }) {}

LateEvaluator::~LateEvaluator() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
}

void LateEvaluator::set_delay(std::chrono::milliseconds delay) {
  const std::scoped_lock lock(mutex_);
  delay_ = delay;
}

void LateEvaluator::call_later(std::function<void()> call) {
  {
    const std::scoped_lock lock(mutex_);
    calls_.emplace(SteadyClock::now() + delay_, std::move(call));
  }
  wake_.notify_one();
}

void LateEvaluator::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (calls_.empty()) {
      wake_.wait(lock);
    } else if (const auto first = calls_.begin()->first; SteadyClock::now() < first) {
      wake_.wait_until(lock, first);
    } else {
      const auto due = calls_.extract(calls_.begin());
      lock.unlock();
      due.mapped()();
      lock.lock();
    }
  }
}

std::atomic<std::int64_t> LateSearch::slices_ = 0;

void LateSearch::begin(const games::AnyGame& position, int /*ply*/, const engine::Options& options,
                       const engine::Limits& limits, engine::Waker waker) {
  engine::check_options(position, options);
  game_ = position.clone();
  {
    const std::scoped_lock lock(mailbox_->mutex);
    mailbox_->waker = std::move(waker);
  }
  begun_ = environment::AwakeClock::now();
  threads_ = static_cast<int>(options.threads);
  simulations_ = 0;
  is_waiting_ = false;
  stopped_ = false;
  over_ = false;
  const std::scoped_lock lock(limits_mutex_);
  options_ = options;
  limits_ = limits;
}

Progress LateSearch::run(std::chrono::microseconds /*slice*/) {
  ++slices_;
  {
    const std::scoped_lock lock(mailbox_->mutex);
    if (is_waiting_ && std::exchange(mailbox_->arrived, false)) {
      is_waiting_ = false;
      ++simulations_;
    }
  }
  if (is_over()) {
    over_ = true;
    return Progress::done;
  }
  if (!is_waiting_) send_leaf();
  return Progress::waiting(deadline());
}

void LateSearch::send_leaf() {
  is_waiting_ = true;
  const std::scoped_lock lock(mailbox_->mutex);
  mailbox_->arrived = false;
  evaluator_.call_later([mailbox = mailbox_, leaf = ++mailbox_->sent] {
    const std::scoped_lock arrival(mailbox->mutex);
    if (leaf != mailbox->sent) return;  // of a search that has ended
    mailbox->arrived = true;
    if (mailbox->waker) mailbox->waker();
  });
}

Progress LateSearch::help(std::chrono::microseconds /*slice*/) {
  ++slices_;
  return over_ ? Progress::done : Progress::waiting();
}

bool LateSearch::is_over() const {
  if (stopped_ || environment::AwakeClock::now() >= deadline()) return true;
  const std::scoped_lock lock(limits_mutex_);
  return limits_.simulations && simulations_ >= *limits_.simulations;
}

environment::AwakeClock::time_point LateSearch::deadline() const {
  const std::scoped_lock lock(limits_mutex_);
  auto end = environment::AwakeClock::time_point::max();
  if (limits_.time) end = std::min(end, begun_ + *limits_.time);
  if (limits_.clock) end = std::min(end, begun_ + *limits_.clock);
  return end;
}

void LateSearch::stop() noexcept {
  stopped_ = true;
  mailbox_->wake();
}

void LateSearch::update(const engine::Options& options) {
  {
    const std::scoped_lock lock(limits_mutex_);
    options_ = options;
    if (!limits_.endless) {
      const auto bounds = engine::limits_of(options);
      limits_.simulations = bounds.simulations;
      limits_.time = bounds.time;
    }
  }
  mailbox_->wake();
}

games::Move LateSearch::best_move() const { return game_->find(game_->legal_moves().front()); }

engine::Report LateSearch::report(int /*continuations*/) const {
  engine::Report report;
  report.game = game_->name();
  report.simulations = simulations_;
  report.move = game_->text(best_move());
  report.pv = {report.move};
  for (const std::string& move : game_->legal_moves()) {
    report.moves.push_back({move, move == report.move ? simulations_ : 0, 0.5, 0});
  }
  const std::scoped_lock lock(limits_mutex_);
  report.options = options_;
  return report;
}

}  // namespace pitboss::peers
