#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/search.hpp"

namespace pitboss::server {

/// A few threads that share many long tasks. Each task in turn gets a slice, then goes to the back
/// of one queue, so that all of them progress alike however many there are. Idle tasks have a queue
/// of their own, which is served while the other is empty. A task that waits for something is
/// parked: it is in neither queue and costs no worker until it is resumed.
class WorkerPool {
 public:
  using SteadyClock = std::chrono::steady_clock;

  enum class Priority : std::uint8_t { normal, idle };

  class Task;
  /// Tasks by when they joined the queue, or by when they wake. Only `submit` allocates an entry;
  /// it moves from queue to queue.
  using Queue = std::multimap<SteadyClock::time_point, std::shared_ptr<Task>>;

  class Task {
   public:
    virtual ~Task() = default;
    /// Works for a slice. `runnable`: the task goes to the back of its queue; `waiting`: it is
    /// parked until `resume` is called or `wake_at` has come; `done`: the pool drops it. One worker
    /// at a time calls it.
    virtual engine::Progress work() noexcept = 0;
    /// When the pool resumes the parked task though nobody has called `resume`. The worker asks
    /// once, after `work` has returned `waiting`.
    [[nodiscard]] virtual SteadyClock::time_point wake_at() const noexcept {
      return SteadyClock::time_point::max();
    }

   private:
    friend class WorkerPool;
    enum class State : std::uint8_t { outside, queued, working, parked };

    // The pool's mutex guards them.
    Priority priority_ = Priority::normal;
    State state_ = State::outside;
    bool resumed_ = false;   ///< while it works
    Queue::iterator entry_;  ///< while it is queued or parked
  };

  /// Starts `threads` threads.
  explicit WorkerPool(int threads);
  /// As `stop`.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] int threads() const { return size_; }

  /// How many tasks wait, by the queue that they are in.
  struct Lengths {
    std::size_t normal;
    std::size_t idle;
    std::size_t parked;
  };
  /// Any thread; does not block.
  [[nodiscard]] Lengths lengths();

  /// Any thread; does not block. The pool keeps the task, which it must not have already, until its
  /// `work` returns `done`. Throws std::bad_alloc. After `stop` nothing happens.
  void submit(std::shared_ptr<Task> task, Priority priority = Priority::normal);
  /// A parked task goes to the back of its queue; one that works is not parked after this slice;
  /// any other task stays as it is. Any thread; does not block.
  void resume(Task& task) noexcept;
  /// An idle task becomes a normal one and, if it is queued, has the next turn. Any thread; does
  /// not block.
  void hasten(Task& task) noexcept;

  /// Blocks until the slices that run are over, and drops all tasks. Not from a worker.
  void stop();

 private:
  void run();
  void run_slice(Queue::node_type entry, std::unique_lock<std::mutex>& lock);
  void resume_due();
  [[nodiscard]] Queue& queue_of(const Task& task) {
    return task.priority_ == Priority::normal ? normal_ : idle_;
  }
  void queue(Queue::node_type entry, SteadyClock::time_point at);

  std::mutex mutex_;
  std::condition_variable wake_;
  Queue normal_;
  Queue idle_;
  Queue parked_;
  bool stopping_ = false;
  int size_;
  std::vector<std::jthread> threads_;
};

}  // namespace pitboss::server
