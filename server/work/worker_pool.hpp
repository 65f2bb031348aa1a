#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "engine/search/company.hpp"
#include "engine/search/search.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::server {

/// A few threads that share many long tasks. Clients take turns, round robin, and the tasks of a
/// client share its turns, round robin, one slice each: clients progress alike however many tasks
/// they have, and so do the tasks of one client. The pool's own tasks, which should be short, have
/// every other turn, so that they need not wait for all clients. Idle tasks are served in the same
/// way while there are no others. While a task has its slice, the searches of some that are queued
/// go on as its guests, so that a network evaluates the leaves of all together; it is theirs in
/// turn. No task waits for that, nor loses a turn. A task that waits for something is parked: it is
/// in no queue and costs no worker until it is resumed.
class WorkerPool {
 public:
  using SteadyClock = environment::AwakeClock;

  enum class Priority : std::uint8_t { normal, idle };

  class Task;
  class Client;
  using ClientPtr = std::shared_ptr<Client>;
  /// Tasks by the time when they joined the queue, or when they wake. Only `submit` allocates an
  /// entry, which then moves from queue to queue.
  using Queue = std::multimap<SteadyClock::time_point, std::shared_ptr<Task>>;

  /// An owner of tasks, which share its turns. Outlives its tasks.
  class Client {
   public:
    Client() = default;
    ~Client() = default;
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

   private:
    friend class WorkerPool;
    /// The client's tasks of one priority. `node` is in the ring while there are tasks, else in
    /// `rest`, so that moving it allocates nothing.
    struct Lane {
      explicit Lane(Client* client) : rest{client} {}
      Queue tasks;
      std::list<Client*> rest;
      std::list<Client*>::iterator node = rest.begin();
    };

    // The pool's mutex guards them.
    std::array<Lane, 2> lanes_{Lane(this), Lane(this)};  ///< by priority
  };

  class Task {
   public:
    Task() = default;
    virtual ~Task();
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    /// Works for a slice; one worker at a time calls it. After `runnable` the task goes to the back
    /// of its queue; after `waiting` it is parked until `resume` or `wake_at`; after `done` the
    /// pool drops it.
    virtual engine::Progress work() noexcept = 0;
    /// After a slice, to which it says `runnable`: the search with which the next one begins; null
    /// if there is none.
    [[nodiscard]] virtual std::shared_ptr<engine::Search> search() const { return nullptr; }
    /// A function that resumes the task; does nothing once the task is gone.
    [[nodiscard]] engine::Waker waker() const;

   private:
    friend class WorkerPool;
    enum class State : std::uint8_t { outside, queued, working, parked };

    /// State that the wakers share. Its mutex is locked before the pool's.
    struct Bell {
      std::mutex mutex;
      WorkerPool* pool = nullptr;  ///< from `submit` on
      Task* task;                  ///< null when it is gone

      explicit Bell(Task* its) : task(its) {}
      void ring() noexcept;
    };
    const std::shared_ptr<Bell> bell_ = std::make_shared<Bell>(this);

    // The pool's mutex guards them.
    ClientPtr client_;
    Priority priority_ = Priority::normal;
    State state_ = State::outside;
    bool resumed_ = false;   ///< `resume` was called during `work`
    Queue::iterator entry_;  ///< while it is queued or parked
    /// Between two slices: the search with which the next one begins, if that has steps.
    std::shared_ptr<engine::Search> search_;
  };

  explicit WorkerPool(int threads);
  /// As `stop`.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  [[nodiscard]] int threads() const { return size_; }

  /// How many tasks wait, and for what.
  struct Lengths {
    std::size_t normal;
    std::size_t idle;
    std::size_t parked;
  };
  /// Any thread; does not block.
  [[nodiscard]] Lengths lengths();

  /// Keeps the task, which must not be in the pool already, until its `work` returns `done`.
  /// Without a client the task is the pool's own. Does nothing after `stop`. Throws std::bad_alloc.
  /// Any thread; does not block.
  void submit(std::shared_ptr<Task> task, ClientPtr client = nullptr,
              Priority priority = Priority::normal);
  /// Puts a parked task at the back of its client's queue; keeps a working one from being parked
  /// after this slice; does nothing to others. Any thread; does not block.
  void resume(Task& task) noexcept;
  /// Makes an idle task a normal one and, if it is queued, gives it the next turn. Any thread; does
  /// not block.
  void hasten(Task& task) noexcept;

  /// Blocks until the running slices are over, and drops all tasks. Not to be called by a worker.
  void stop();

 private:
  void run();
  using Lane = Client::Lane;
  using Ring = std::list<Client*>;  ///< clients that have tasks, the next one first

  /// What one worker uses.
  struct Worker {
    Worker() { guests.reserve(engine::Company::most); }
    engine::Company company;
    std::vector<Queue::node_type> guests;  ///< entries of the tasks whose searches are in it
  };
  void run_slice(Queue::node_type entry, Worker& worker, std::unique_lock<std::mutex>& lock);
  void invite_guests(Worker& worker);
  void put_back_guests(Worker& worker);
  void resume_due();
  [[nodiscard]] static Lane& lane_of(const Task& task) {
    return task.client_->lanes_[static_cast<std::size_t>(task.priority_)];
  }
  [[nodiscard]] Ring& ring_of(const Task& task) {
    return rings_[static_cast<std::size_t>(task.priority_)];
  }
  void queue(Queue::node_type entry, SteadyClock::time_point at);
  [[nodiscard]] Queue::node_type take_next();
  [[nodiscard]] Queue::node_type take_out(Task& task);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::array<Ring, 2> rings_;  ///< by priority
  Queue parked_;
  std::size_t with_steps_ = 0;  ///< tasks between two slices whose searches have steps
  const ClientPtr own_ = std::make_shared<Client>();
  bool stopping_ = false;
  int size_;
  std::vector<std::jthread> threads_;
};

}  // namespace pitboss::server
