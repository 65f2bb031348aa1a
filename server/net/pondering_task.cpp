#include "server/net/pondering_task.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/post.hpp>
#include <exception>
#include <new>

namespace pitboss::server {

void PonderingTask::start(Shared& shared, Session& session, const WorkerPool::ClientPtr& client,
                          std::uint64_t number) {
  if (!session.has_moved()) return;
  std::shared_ptr<PonderingTask> task;
  try {
    task = std::make_shared<PonderingTask>(shared, client);
    task->pondering_ = session.ponder(task->waker());
    if (task->pondering_) task->submit();
  } catch (const std::exception& exception) {
    spdlog::warn("session {}: cannot ponder: {}", number, exception.what());
    if (task && task->pondering_) task->pondering_->end();
  }
}

void PonderingTask::submit() {
  pondering_->on_hurry([&pool = shared_.pool, weak = weak_from_this()] {
    if (const auto self = weak.lock()) pool.hasten(*self);
  });
  shared_.pool.submit(shared_from_this(), client_, WorkerPool::Priority::idle);
  ++shared_.gauges.pondering;  // `end`, which decrements it, runs on this thread, too
}

engine::Progress PonderingTask::work() noexcept {
  if (doing_ == Doing::release) return engine::Progress::done;
  if (doing_ == Doing::ponder) {
    const auto progress = pondering_->run(slices_.next());
    if (progress != engine::Progress::done) return progress;
    doing_ = Doing::end;
  }
  try {
    boost::asio::post(shared_.io, [self = shared_from_this()] { self->end(); });
  } catch (const std::bad_alloc&) {
    return engine::Progress::runnable;  // to post it at the next turn
  }
  return engine::Progress::done;
}

void PonderingTask::end() {
  --shared_.gauges.pondering;
  pondering_->end();
  // A worker releases the table, since releasing a large tree takes long.
  doing_ = Doing::release;
  shared_.pool.submit(shared_from_this(), client_);
}

}  // namespace pitboss::server
