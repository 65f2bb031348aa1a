#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <utility>

#include "engine/progress.hpp"

namespace pitboss::tests {

/// Who runs a search and waits where it waits.
class Wakeup {
 public:
  [[nodiscard]] engine::Waker waker() const {
    return [state = state_] {
      const std::scoped_lock lock(state->mutex);
      state->is_called = true;
      state->called.notify_one();
    };
  }
  /// Blocks until the waker is called, or has been since the last wait, or the time has come at
  /// which a task with this progress is to be run again.
  void await(engine::Progress progress) {
    std::unique_lock lock(state_->mutex);
    const auto is_called = [this] { return std::exchange(state_->is_called, false); };
    if (progress.wake_at == engine::Progress::TimePoint::max()) {
      state_->called.wait(lock, is_called);
    } else {
      state_->called.wait_until(lock, progress.wake_at, is_called);
    }
  }

 private:
  struct State {
    std::mutex mutex;
    std::condition_variable called;
    bool is_called = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace pitboss::tests
