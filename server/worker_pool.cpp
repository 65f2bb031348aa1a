#include "server/worker_pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <utility>

namespace pitboss::server {

WorkerPool::WorkerPool(int threads) : size_(threads) {
  threads_.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::submit(std::shared_ptr<Task> task, Priority priority) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    task->priority_ = priority;
    queue(std::move(task));
  }
  wake_.notify_one();
}

void WorkerPool::queue(std::shared_ptr<Task> task) {
  auto& tasks = task->priority_ == Priority::normal ? waiting_ : idle_;
  tasks.push_back(std::move(task));
}

void WorkerPool::hasten(Task& task) {
  const std::lock_guard lock(mutex_);
  task.priority_ = Priority::normal;
  const auto found = std::ranges::find(idle_, &task, &std::shared_ptr<Task>::get);
  if (found == idle_.end()) return;
  waiting_.push_front(std::move(*found));
  idle_.erase(found);
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  threads_.clear();
  waiting_.clear();
  idle_.clear();
}

void WorkerPool::run() {
  pthread_setname_np(pthread_self(), "pitboss-worker");
  std::shared_ptr<Task> task;
  std::unique_lock lock(mutex_);
  while (true) {
    if (task) queue(std::exchange(task, nullptr));
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty() || !idle_.empty(); });
    if (stopping_) return;
    auto& tasks = waiting_.empty() ? idle_ : waiting_;
    task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    if (!task->work()) task.reset();
    lock.lock();
  }
}

}  // namespace pitboss::server
