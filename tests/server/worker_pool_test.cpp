#include "server/worker_pool.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "tests/server/running_server.hpp"

using pitboss::server::WorkerPool;
using pitboss::tests::eventually;

namespace {

class Counting final : public WorkerPool::Task {
 public:
  Counting(int number, int slices, std::vector<int>& order, std::mutex& mutex)
      : number_(number), left_(slices), order_(order), mutex_(mutex) {}

  bool work() noexcept override {
    const std::lock_guard lock(mutex_);
    order_.push_back(number_);
    return --left_ > 0;
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
