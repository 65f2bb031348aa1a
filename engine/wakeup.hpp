#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>

#include "engine/progress.hpp"

namespace pitboss::engine {

/// A thread that sleeps while the search that it runs, or an evaluation, is waited for.
class Wakeup {
 public:
  /// Wakes the thread. The waker may outlive this object.
  [[nodiscard]] Waker waker() const {
    return [state = state_] {
      const std::scoped_lock lock(state->mutex);
      state->is_called = true;
      state->called.notify_one();
    };
  }
  /// Blocks until the waker is called, or has been since the last `await`, or the time has come at
  /// which a task with this progress is to be run again. False if `stop` was requested first.
  bool await(Progress progress = Progress::waiting(), const std::stop_token& stop = {}) {
    std::unique_lock lock(state_->mutex);
    const auto is_called = [this] { return std::exchange(state_->is_called, false); };
    const bool has_time = progress.wake_at != Progress::TimePoint::max();
    const bool woken = has_time ? state_->called.wait_until(lock, stop, progress.wake_at, is_called)
                                : state_->called.wait(lock, stop, is_called);
    return woken || !stop.stop_requested();
  }
  /// Runs a search, which has this object's waker, to its end on this thread.
  template <class Search>
  void finish(Search& search) {
    const auto run = [&] { return search.run(std::chrono::milliseconds(10)); };
    for (Progress progress = run(); progress != Progress::done; progress = run()) {
      if (progress.is_waiting()) await(progress);
    }
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable_any called;
    bool is_called = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace pitboss::engine
