#pragma once

#include <chrono>
#include <cstdint>
#include <memory>

#include "server/net/shared.hpp"
#include "server/session/pondering.hpp"
#include "server/session/session.hpp"
#include "server/work/slices.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// Runs a session's pondering when the workers have nothing else to do.
class PonderingTask final : public WorkerPool::Task,
                            public std::enable_shared_from_this<PonderingTask> {
 public:
  /// Begins pondering if the session's last command calls for it. The I/O thread calls it. Logs a
  /// warning if memory does not suffice; `number` is the session's in the log.
  static void start(Shared& shared, Session& session, const WorkerPool::ClientPtr& client,
                    std::uint64_t number);

  /// For `start`.
  PonderingTask(Shared& shared, WorkerPool::ClientPtr client)
      : shared_(shared), client_(std::move(client)) {}

  engine::Progress work() noexcept override;

 private:
  enum class Doing : std::uint8_t {
    ponder,
    end,     ///< the I/O thread is to release the table
    release  ///< the table is free; this task may be the last to hold its tree
  };

  void submit();
  void end();

  Shared& shared_;
  std::shared_ptr<Pondering> pondering_;
  WorkerPool::ClientPtr client_;
  Slices slices_;
  Doing doing_ = Doing::ponder;
};

}  // namespace pitboss::server
