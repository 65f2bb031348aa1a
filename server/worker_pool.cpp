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
    queue(priority).push_back({std::move(task), priority});
  }
  wake_.notify_one();
}

void WorkerPool::hasten(const Task& task) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(idle_, &task, [](const Entry& e) { return e.task.get(); });
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
  Entry entry;
  std::unique_lock lock(mutex_);
  while (true) {
    if (entry.task) queue(entry.priority).push_back(std::move(entry));
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty() || !idle_.empty(); });
    if (stopping_) return;
    auto& next = queue(waiting_.empty() ? Priority::idle : Priority::normal);
    entry = std::move(next.front());
    next.pop_front();
    lock.unlock();
    if (!entry.task->work()) entry.task.reset();
    lock.lock();
  }
}

}  // namespace pitboss::server
