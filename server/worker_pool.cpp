#include "server/worker_pool.hpp"

#include <pthread.h>

#include <utility>

namespace pitboss::server {

WorkerPool::WorkerPool(int threads) : size_(threads) {
  threads_.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::submit(std::shared_ptr<Task> task) {
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    waiting_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  threads_.clear();
  waiting_.clear();
}

void WorkerPool::run() {
  pthread_setname_np(pthread_self(), "pitboss-worker");
  std::shared_ptr<Task> task;
  std::unique_lock lock(mutex_);
  while (true) {
    if (task) waiting_.push_back(std::move(task));
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    if (stopping_) return;
    task = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    if (!task->work()) task.reset();
    lock.lock();
  }
}

}  // namespace pitboss::server
