#pragma once

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "protocol/pondering.hpp"
#include "server/shared.hpp"
#include "server/slices.hpp"
#include "server/worker_pool.hpp"

namespace pitboss::server {

/// Thinking on the opponent's time, when the workers have nothing else to do.
class PonderingTask final : public WorkerPool::Task,
                            public std::enable_shared_from_this<PonderingTask> {
 public:
  /// Throws std::bad_alloc; then nothing has begun.
  static void start(Shared& shared, const std::shared_ptr<protocol::Pondering>& pondering) {
    const auto task = std::make_shared<PonderingTask>(shared, pondering);
    pondering->on_ready([&shared, it = task.get()] { shared.pool.resume(*it); });
    pondering->on_hurry([&shared, weak = std::weak_ptr(task)] {
      if (const auto it = weak.lock()) shared.pool.hasten(*it);
    });
    shared.pool.submit(task, WorkerPool::Priority::idle);
    ++shared.pondering;  // ends here, too, so not before
  }

  PonderingTask(Shared& shared, std::shared_ptr<protocol::Pondering> pondering)
      : shared_(shared), pondering_(std::move(pondering)) {}

  engine::Progress work() noexcept override {
    if (ended_) return engine::Progress::done;
    if (!over_) {
      const auto progress = pondering_->work(slices_.next());
      if (progress != engine::Progress::done) return progress;
      over_ = true;
    }
    try {
      boost::asio::post(shared_.io, [self = shared_from_this()] {
        --self->shared_.pondering;
        self->pondering_->end();
        // It may be the last to hold the tree, whose release takes longer than others should wait.
        self->ended_ = true;
        self->shared_.pool.submit(self);
      });
    } catch (const std::bad_alloc&) {
      return engine::Progress::runnable;  // to say so at the next turn
    }
    return engine::Progress::done;
  }
  [[nodiscard]] std::chrono::steady_clock::time_point wake_at() const noexcept override {
    return pondering_->wake_at();
  }

 private:
  Shared& shared_;
  std::shared_ptr<protocol::Pondering> pondering_;
  Slices slices_;
  bool over_ = false;   ///< nothing more to do
  bool ended_ = false;  ///< and the table is free
};

}  // namespace pitboss::server
