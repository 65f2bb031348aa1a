#include "server/work/worker_pool.hpp"

#include <pthread.h>

#include <algorithm>
#include <span>
#include <utility>

namespace pitboss::server {

WorkerPool::Task::~Task() {
  const std::lock_guard lock(bell_->mutex);
  bell_->task = nullptr;
}

engine::Waker WorkerPool::Task::waker() const {
  return [bell = bell_] { bell->ring(); };
}

void WorkerPool::Task::Bell::ring() noexcept {
  const std::lock_guard lock(mutex);
  if (task != nullptr && pool != nullptr) pool->resume(*task);
}

WorkerPool::WorkerPool(int threads) : size_(threads) {
  threads_.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { run(); });
}

WorkerPool::~WorkerPool() { stop(); }

WorkerPool::Lengths WorkerPool::lengths() {
  const std::lock_guard lock(mutex_);
  const auto length = [&](Priority priority) {
    const auto i = static_cast<std::size_t>(priority);
    std::size_t sum = 0;
    for (const Client* client : rings_[i]) sum += client->lanes_[i].tasks.size();
    return sum;
  };
  return {length(Priority::normal), length(Priority::idle), parked_.size()};
}

void WorkerPool::submit(std::shared_ptr<Task> task, ClientPtr client, Priority priority) {
  const auto now = SteadyClock::now();
  Task& submitted = *task;
  Queue one;  // allocates before the lock
  one.emplace(now, std::move(task));
  {
    const std::lock_guard lock(submitted.bell_->mutex);
    submitted.bell_->pool = this;
  }
  {
    const std::lock_guard lock(mutex_);
    if (stopping_) return;
    submitted.client_ = std::move(client);
    if (!submitted.client_) submitted.client_ = own_;
    submitted.priority_ = priority;
    queue(one.extract(one.begin()), now);
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
  Queue::node_type entry = is_in_idle_queue ? take_out(task) : Queue::node_type();
  task.priority_ = Priority::normal;
  if (!is_in_idle_queue) return;
  queue(std::move(entry), SteadyClock::time_point::min());
  Ring& ring = ring_of(task);
  ring.splice(ring.begin(), ring, lane_of(task).node);
}

void WorkerPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  threads_.clear();
  // No thread is left to touch the queues. Destructors of tasks may call `resume`, so the mutex
  // must be free.
  while (!take_next().empty()) {
  }
  parked_.clear();
}

/// Puts an entry into its task's queue; entries of the same time stay in order of arrival.
void WorkerPool::queue(Queue::node_type entry, SteadyClock::time_point at) {
  Task& task = *entry.mapped();
  entry.key() = at;
  Lane& lane = lane_of(task);
  task.entry_ = lane.tasks.insert(std::move(entry));
  task.state_ = Task::State::queued;
  if (!lane.rest.empty()) ring_of(task).splice(ring_of(task).end(), lane.rest);
}

/// Takes the entry of a task out of its queue.
WorkerPool::Queue::node_type WorkerPool::take_out(Task& task) {
  Lane& lane = lane_of(task);
  auto entry = lane.tasks.extract(task.entry_);
  if (lane.tasks.empty()) lane.rest.splice(lane.rest.end(), ring_of(task), lane.node);
  return entry;
}

/// Takes the entry whose turn it is, or nothing. Its client goes to the back of the ring; after
/// another client's turn the pool's own tasks are next.
WorkerPool::Queue::node_type WorkerPool::take_next() {
  for (std::size_t i = 0; i < rings_.size(); ++i) {
    Ring& ring = rings_[i];
    if (ring.empty()) continue;
    Client* const client = ring.front();
    Task& task = *client->lanes_[i].tasks.begin()->second;
    ring.splice(ring.end(), ring, ring.begin());
    Lane& own = own_->lanes_[i];
    if (client != own_.get() && !own.tasks.empty()) ring.splice(ring.begin(), ring, own.node);
    return take_out(task);
  }
  return {};
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
  Worker worker;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    resume_due();
    if (auto next = take_next()) {
      run_slice(std::move(next), worker, lock);
    } else if (parked_.empty()) {
      wake_.wait(lock);
    } else {
      // A worker that parks a task takes another one or waits here itself, and queueing a task
      // wakes a worker, so some sleeping worker knows the first time at which a parked task wakes.
      const auto first = parked_.begin()->first;
      if (first == SteadyClock::time_point::max()) {
        wake_.wait(lock);  // the standard library would add to that time, and be late at once
      } else {
        wake_.wait_until(lock, first);
      }
    }
  }
}

/// Takes the next tasks whose searches have steps out of the queues, this worker's share of them.
void WorkerPool::invite_guests(Worker& worker) {
  constexpr int most_looked_at = 256;  // others wait for the lock
  const auto threads = static_cast<std::size_t>(size_);
  const std::size_t share = (with_steps_ + 1 + threads - 1) / threads;
  const std::size_t most = std::min<std::size_t>(share, engine::Company::most) - 1;
  std::array<Task*, engine::Company::most> found{};
  std::size_t count = 0;
  int looked_at = 0;
  for (const Client* client : rings_[static_cast<std::size_t>(Priority::normal)]) {
    for (const auto& [at, task] : client->lanes_[0].tasks) {
      if (count == most || ++looked_at > most_looked_at) break;
      if (task->search_) found[count++] = task.get();
    }
  }
  for (Task* const task : std::span(found).first(count)) {
    task->state_ = Task::State::working;
    worker.guests.push_back(take_out(*task));
  }
}

void WorkerPool::put_back_guests(Worker& worker) {
  if (worker.guests.empty()) return;
  for (Queue::node_type& guest : worker.guests) {
    const auto since = guest.key();
    queue(std::move(guest), since);
  }
  worker.guests.clear();
  wake_.notify_all();
}

void WorkerPool::run_slice(Queue::node_type entry, Worker& worker,
                           std::unique_lock<std::mutex>& lock) {
  Task& task = *entry.mapped();
  task.state_ = Task::State::working;
  task.resumed_ = false;
  auto search = std::exchange(task.search_, nullptr);
  if (search && --with_steps_ > 0) invite_guests(worker);
  lock.unlock();
  for (const Queue::node_type& guest : worker.guests) {
    worker.company.add(*guest.mapped()->search_);
  }
  if (!worker.guests.empty()) search->run_next_with(worker.company);
  const auto progress = task.work();
  worker.company.clear();
  search = progress == engine::Progress::runnable ? task.search() : nullptr;
  if (search && !search->has_steps()) search.reset();
  const bool waits = progress.is_waiting();
  if (waits) entry.key() = progress.wake_at;
  if (progress == engine::Progress::done) entry = {};  // others may have submitted the task again
  lock.lock();
  put_back_guests(worker);
  if (!entry) return;
  if (search) {
    task.search_ = std::move(search);
    ++with_steps_;
  }
  if (!waits || task.resumed_) return queue(std::move(entry), SteadyClock::now());
  task.entry_ = parked_.insert(std::move(entry));
  task.state_ = Task::State::parked;
}

}  // namespace pitboss::server
