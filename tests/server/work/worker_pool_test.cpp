#include "server/work/worker_pool.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "environment/awake_clock.hpp"
#include "tests/server/running_server.hpp"
#include "tests/timing.hpp"

using namespace std::chrono_literals;
using pitboss::engine::Progress;
using pitboss::server::WorkerPool;
using pitboss::tests::eventually;

namespace {

class Counting final : public WorkerPool::Task {
 public:
  Counting(int number, int slices, std::vector<int>& order, std::mutex& mutex)
      : number_(number), left_(slices), order_(order), mutex_(mutex) {}

  Progress work() noexcept override {
    const std::lock_guard lock(mutex_);
    order_.push_back(number_);
    return --left_ > 0 ? Progress::runnable : Progress::done;
  }

 private:
  int number_;
  int left_;
  std::vector<int>& order_;
  std::mutex& mutex_;
};

}  // namespace

TEST_CASE("WorkerPool: tasks take turns") {
  std::vector<int> order;
  std::mutex mutex;
  const auto finished = [&](std::size_t slices) {
    return eventually([&] {
      const std::lock_guard lock(mutex);
      return order.size() == slices;
    });
  };
  WorkerPool pool(1);
  {
    const std::lock_guard hold(mutex);  // until all are in the queue
    for (int i = 0; i < 3; ++i) pool.submit(std::make_shared<Counting>(i, 4, order, mutex));
  }
  REQUIRE(finished(12));
  CHECK(order == std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
}

TEST_CASE("WorkerPool: stop drops what has not ended") {
  std::vector<int> order;
  std::mutex mutex;
  auto endless = std::make_shared<Counting>(0, 1'000'000'000, order, mutex);
  const std::weak_ptr<Counting> watch = endless;
  WorkerPool pool(2);
  pool.submit(std::move(endless));
  pool.stop();
  CHECK(watch.expired());
  pool.submit(std::make_shared<Counting>(1, 1, order, mutex));  // too late, and harmless
}

namespace {

/// Does what a test says in each of its slices.
class Scripted final : public WorkerPool::Task {
 public:
  explicit Scripted(std::function<Progress(Scripted&)> slice) : slice_(std::move(slice)) {}
  Progress work() noexcept override {
    const auto progress = slice_(*this);
    ++slices;
    return progress;
  }

  std::atomic<int> slices = 0;
  pitboss::environment::AwakeClock::time_point wake =
      pitboss::environment::AwakeClock::time_point::max();

 private:
  std::function<Progress(Scripted&)> slice_;
};

/// Waits in each slice but the last.
std::shared_ptr<Scripted> waiting_task(int slices) {
  return std::make_shared<Scripted>([slices](const Scripted& task) {
    return task.slices + 1 < slices ? Progress::waiting(task.wake) : Progress::done;
  });
}

}  // namespace

TEST_CASE("WorkerPool: a parked task has no slice until it is resumed") {
  WorkerPool pool(1);
  const auto parked = waiting_task(3);
  const auto other = waiting_task(1);
  pool.submit(parked);
  REQUIRE(eventually([&] { return parked->slices == 1; }));
  pool.submit(other);  // the worker is free
  REQUIRE(eventually([&] { return other->slices == 1; }));
  std::this_thread::sleep_for(20ms);
  CHECK(parked->slices == 1);
  pool.resume(*parked);
  CHECK(eventually([&] { return parked->slices == 2; }));
  pool.resume(*parked);
  CHECK(eventually([&] { return parked.use_count() == 1; }));  // over, and the pool has dropped it
  pool.resume(*parked);                                        // nothing happens
  CHECK(parked->slices == 3);
}

TEST_CASE("WorkerPool: a task that is parked for ever takes no processor") {
  WorkerPool pool(2);
  const auto parked = waiting_task(2);
  pool.submit(parked);
  REQUIRE(eventually([&] { return parked->slices == 1; }));
  const std::clock_t before = std::clock();  // of this process
  std::this_thread::sleep_for(500ms);
  CHECK(std::clock() - before < CLOCKS_PER_SEC / 5);
  pool.resume(*parked);
  CHECK(eventually([&] { return parked->slices == 2; }));
}

TEST_CASE("WorkerPool: a call to resume that comes before the task is parked is not lost") {
  WorkerPool pool(2);
  const auto task = std::make_shared<Scripted>([&](Scripted& self) {
    pool.resume(self);
    return self.slices < 9 ? Progress::waiting(self.wake) : Progress::done;
  });
  pool.submit(task);
  CHECK(eventually([&] { return task->slices == 10; }));
}

TEST_CASE("WorkerPool: calls from other threads, at any time, lose nothing") {
  constexpr int tasks = 8;
  constexpr int slices = 500;
  WorkerPool pool(2);
  std::vector<std::shared_ptr<Scripted>> all;
  // Each slice is asked for once; a call that got lost would leave its task parked for good.
  std::vector<std::atomic<int>> asked(tasks);
  for (int i = 0; i < tasks; ++i) {
    all.push_back(std::make_shared<Scripted>([&, i](const Scripted& self) {
      asked[i] = self.slices + 1;
      return self.slices + 1 < slices ? Progress::waiting(self.wake) : Progress::done;
    }));
  }
  for (const auto& task : all) pool.submit(task);
  const auto resume_all = [&](int first) {
    std::vector<int> seen(tasks, 0);
    for (int running = tasks; running > 0;) {
      running = 0;
      for (int i = first; i < tasks; i += 2) {
        running += asked[i] < slices ? 1 : 0;
        if (asked[i] == seen[i]) continue;
        seen[i] = asked[i];
        pool.resume(*all[i]);
      }
      std::this_thread::yield();
    }
  };
  std::jthread even([&] { resume_all(0); });
  std::jthread odd([&] { resume_all(1); });
  CHECK(eventually(
      [&] { return std::ranges::all_of(all, [](auto& task) { return task->slices == slices; }); },
      30s));
  for (int i = 0; i < tasks; ++i) asked[i] = slices;  // ends the threads, whatever has happened
}

TEST_CASE("WorkerPool: a parked task wakes at its time") {
  using pitboss::environment::AwakeClock;
  std::vector<AwakeClock::time_point> woken(10);
  WorkerPool pool(2);
  // How late the latest of ten tasks wakes; those that are parked last are to wake first.
  const auto lateness = [&] {
    const auto begun = AwakeClock::now();
    std::vector<std::shared_ptr<Scripted>> tasks;
    for (int i = 0; i < 10; ++i) {
      const auto task = std::make_shared<Scripted>([&woken, i](const Scripted& self) {
        woken[i] = AwakeClock::now();
        return self.slices == 0 ? Progress::waiting(self.wake) : Progress::done;
      });
      task->wake = begun + std::chrono::milliseconds(200 - 20 * i);
      tasks.push_back(task);
      pool.submit(task);
    }
    REQUIRE(eventually([&] {
      return std::ranges::all_of(tasks, [](const auto& task) { return task->slices == 2; });
    }));
    AwakeClock::duration longest{};
    for (int i = 0; i < 10; ++i) {
      CHECK(woken[i] >= tasks[i]->wake);
      longest = std::max(longest, woken[i] - tasks[i]->wake);
    }
    return longest;
  };
  CHECK(pitboss::tests::quickest(5, 50ms, lateness) < 50ms);
}

TEST_CASE("WorkerPool: a parked task keeps its priority, and can be hastened") {
  WorkerPool pool(1);
  std::vector<char> order;  // the worker's, but for before and after its slices
  const auto parked = std::make_shared<Scripted>([&](const Scripted& self) {
    order.push_back('p');
    return self.slices == 0 ? Progress::waiting(self.wake) : Progress::done;
  });
  pool.submit(parked, nullptr, WorkerPool::Priority::idle);
  REQUIRE(eventually([&] { return parked->slices == 1; }));
  std::atomic<bool> hold = true;
  const auto holding = std::make_shared<Scripted>([&](Scripted&) {
    hold.wait(true);
    return Progress::done;
  });
  const auto normal = std::make_shared<Scripted>([&](Scripted&) {
    order.push_back('n');
    return Progress::done;
  });
  pool.submit(holding);
  std::string expected;
  SUBCASE("idle: behind all that are not") {
    pool.resume(*parked);
    expected = "pnp";
  }
  SUBCASE("hastened while it is parked: in its turn") {
    pool.hasten(*parked);
    pool.resume(*parked);
    expected = "ppn";
  }
  SUBCASE("hastened when it is resumed: next") {
    pool.resume(*parked);
    pool.hasten(*parked);
    expected = "ppn";
  }
  pool.submit(normal);
  hold = false;
  hold.notify_all();
  REQUIRE(eventually([&] { return parked->slices == 2 && normal->slices == 1; }));
  CHECK(std::string(order.begin(), order.end()) == expected);
}

TEST_CASE("WorkerPool: stop drops parked tasks") {
  WorkerPool pool(2);
  auto task = waiting_task(2);
  const std::weak_ptr<Scripted> watch = task;
  pool.submit(task);
  REQUIRE(eventually([&] { return task->slices == 1; }));
  pool.stop();
  pool.resume(*task);  // too late, and harmless
  pool.hasten(*task);
  task.reset();
  CHECK(watch.expired());
}

namespace {

/// Submits tasks of clients while no task can work: "ab" is a task of the first client, and then
/// one of the second. Each has three slices. The order in which they get them.
std::string order_of_slices(WorkerPool& pool, const std::vector<WorkerPool::ClientPtr>& clients,
                            std::string_view tasks, WorkerPool::Priority priority) {
  std::atomic<bool> hold = true;
  pool.submit(std::make_shared<Scripted>([&](Scripted&) {
    hold.wait(true);
    return Progress::done;
  }));
  std::mutex mutex;
  std::string order;
  for (const char name : tasks) {
    pool.submit(std::make_shared<Scripted>([&, name](const Scripted& self) {
                  const std::lock_guard lock(mutex);
                  order += name;
                  return self.slices < 2 ? Progress::runnable : Progress::done;
                }),
                clients[static_cast<std::size_t>(name - 'a')], priority);
  }
  hold = false;
  hold.notify_all();
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return order.size() == 3 * tasks.size();
  }));
  return order;
}

}  // namespace

TEST_CASE("WorkerPool: clients take turns, and then the tasks of each") {
  WorkerPool pool(1);
  const std::vector<WorkerPool::ClientPtr> clients{std::make_shared<WorkerPool::Client>(),
                                                   std::make_shared<WorkerPool::Client>()};
  for (const auto priority : {WorkerPool::Priority::normal, WorkerPool::Priority::idle}) {
    CHECK(order_of_slices(pool, clients, "aaab", priority) == "abababaaaaaa");
    CHECK(order_of_slices(pool, clients, "ba", priority) == "bababa");
    CHECK(order_of_slices(pool, clients, "aa", priority) == "aaaaaa");
  }
  CHECK(pool.lengths().normal == 0);
  CHECK(pool.lengths().idle == 0);
}

TEST_CASE("WorkerPool: the pool's own tasks have every other turn") {
  WorkerPool pool(1);
  std::atomic<bool> hold = true;
  std::atomic<bool> is_held = false;
  std::string order;
  const auto task = [&](char name) {
    return std::make_shared<Scripted>([&, name](const Scripted&) {
      order.push_back(name);
      if (name == 'h') {
        is_held = true;
        hold.wait(true);
      }
      return Progress::done;
    });
  };
  pool.submit(task('h'), std::make_shared<WorkerPool::Client>());
  REQUIRE(eventually([&] { return is_held.load(); }));
  std::vector<WorkerPool::ClientPtr> clients;
  for (const char name : {'a', 'b', 'c', 'd'}) {
    pool.submit(task(name), clients.emplace_back(std::make_shared<WorkerPool::Client>()));
  }
  for (const char name : {'1', '2', '3'}) pool.submit(task(name));
  hold = false;
  hold.notify_all();
  REQUIRE(eventually([&] { return pool.lengths().normal == 0; }));
  pool.stop();
  CHECK(order == "ha1b2c3d");
}

TEST_CASE("WorkerPool: stop drops the tasks of all clients, and then the clients") {
  auto client = std::make_shared<WorkerPool::Client>();
  const std::weak_ptr<WorkerPool::Client> watch = client;
  WorkerPool pool(1);
  std::atomic<bool> hold = true;
  const auto holding = std::make_shared<Scripted>([&](Scripted&) {
    hold.wait(true);
    return Progress::done;
  });
  pool.submit(holding);
  for (int i = 0; i < 3; ++i) pool.submit(waiting_task(1), client);
  pool.submit(waiting_task(1), client, WorkerPool::Priority::idle);
  client.reset();
  CHECK_FALSE(watch.expired());
  std::jthread stopping([&] { pool.stop(); });
  // A pool that has begun to stop drops what comes.
  CHECK(eventually([&] {
    const auto late = waiting_task(1);
    pool.submit(late);
    return late.use_count() == 1;
  }));
  hold = false;
  hold.notify_all();
  stopping.join();
  CHECK(watch.expired());
}
