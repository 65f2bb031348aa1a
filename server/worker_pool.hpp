#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace pitboss::server {

/// A few threads that share many long tasks: each task in turn gets a slice, then goes to the back
/// of one queue, so that all of them progress alike however many there are. Idle tasks have a
/// queue of their own, which is served while the other is empty.
class WorkerPool {
 public:
  class Task {
   public:
    virtual ~Task() = default;
    /// Works for a slice; true while there is more to do. Called by one thread at a time.
    virtual bool work() noexcept = 0;
  };

  enum class Priority : std::uint8_t { normal, idle };

  /// Starts `threads` threads.
  explicit WorkerPool(int threads);
  /// As `stop`.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] int threads() const { return size_; }

  /// Any thread; does not block. The task is kept until its `work` returns false. After `stop`
  /// nothing happens.
  void submit(std::shared_ptr<Task> task, Priority priority = Priority::normal);
  /// An idle task that waits goes to the front of all. Any thread; does not block.
  void hasten(const Task& task);

  /// Blocks until the slices that run are over, and drops all tasks. Not from a worker.
  void stop();

 private:
  struct Entry {
    std::shared_ptr<Task> task;
    Priority priority = Priority::normal;
  };

  void run();
  [[nodiscard]] std::deque<Entry>& queue(Priority priority) {
    return priority == Priority::normal ? waiting_ : idle_;
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Entry> waiting_;
  std::deque<Entry> idle_;
  bool stopping_ = false;
  int size_;
  std::vector<std::jthread> threads_;
};

}  // namespace pitboss::server
