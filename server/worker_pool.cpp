#include "server/worker_pool.hpp"

#include <pthread.h>

#include <utility>

namespace pitboss::server {

WorkerPool::WorkerPool(int threads) : size_(threads) {
  threads_.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() { stop(); }

WorkerPool::Lengths WorkerPool::lengths() {
  const std::lock_guard lock(mutex_);
  return {normal_.size(), idle_.size(), parked_.size()};
}

void WorkerPool::submit(std::shared_ptr<Task> task, Priority priority) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    Task& submitted = *task;
    submitted.priority_ = priority;
    submitted.entry_ = queue_of(submitted).emplace(SteadyClock::now(), std::move(task));
    submitted.state_ = Task::State::queued;
  }
  wake_.notify_one();
}

void WorkerPool::resume(Task& task) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    if (task.state_ == Task::State::working) task.resumed_ = true;
    if (task.state_ != Task::State::parked) return;
    queue(parked_.extract(task.entry_), SteadyClock::now());
  }
  wake_.notify_one();
}

void WorkerPool::hasten(Task& task) noexcept {
  const std::lock_guard lock(mutex_);
  if (stopping_) return;
  const bool is_in_idle_queue =
      task.state_ == Task::State::queued && task.priority_ == Priority::idle;
  task.priority_ = Priority::normal;
  if (is_in_idle_queue) queue(idle_.extract(task.entry_), SteadyClock::time_point::min());
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  threads_.clear();
  // Nobody else touches the queues any more, and what ends with a task may call `resume`.
  normal_.clear();
  idle_.clear();
  parked_.clear();
}

/// Puts an entry into its task's queue; entries of the same time stay in the order of their coming.
void WorkerPool::queue(Queue::node_type entry, SteadyClock::time_point at) {
  Task& task = *entry.mapped();
  entry.key() = at;
  task.entry_ = queue_of(task).insert(std::move(entry));
  task.state_ = Task::State::queued;
}

void WorkerPool::resume_due() {
  if (parked_.empty()) return;
  const auto now = SteadyClock::now();
  while (!parked_.empty() && parked_.begin()->first <= now) {
    queue(parked_.extract(parked_.begin()), now);
  }
}

void WorkerPool::run() {
  pthread_setname_np(pthread_self(), "pitboss-worker");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    resume_due();
    Queue& next = normal_.empty() ? idle_ : normal_;
    if (!next.empty()) {
      run_slice(next.extract(next.begin()), lock);
    } else if (parked_.empty()) {
      wake_.wait(lock);
    } else {
      // A worker that parks a task takes another one or waits here itself, and who queues a task
      // wakes a worker: so one that sleeps knows the first time at which a task wakes.
      const auto first = parked_.begin()->first;
      wake_.wait_until(lock, first);
    }
  }
}

void WorkerPool::run_slice(Queue::node_type entry, std::unique_lock<std::mutex>& lock) {
  Task& task = *entry.mapped();
  task.state_ = Task::State::working;
  task.resumed_ = false;
  lock.unlock();
  const auto progress = task.work();
  const bool waits = progress == engine::Progress::waiting;
  if (waits) entry.key() = task.wake_at();
  if (progress == engine::Progress::done) entry = {};  // others may have the task by now
  lock.lock();
  if (!entry) return;
  if (!waits || task.resumed_) return queue(std::move(entry), SteadyClock::now());
  task.entry_ = parked_.insert(std::move(entry));
  task.state_ = Task::State::parked;
}

}  // namespace pitboss::server
