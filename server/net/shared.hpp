#pragma once

#include <array>
#include <boost/asio/io_context.hpp>
#include <memory>

#include "engine/memory_budget.hpp"
#include "protocol/guesses.hpp"
#include "server/metrics/counters.hpp"
#include "server/net/client_accounts.hpp"
#include "server/net/connection_log.hpp"
#include "server/net/limits.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// What all connections of a server share. It outlives them and the handlers of the event loop.
/// Belongs to the I/O thread; only gauges and counters are for any thread.
struct Shared {
  boost::asio::io_context& io;
  WorkerPool& pool;
  const ServerLimits& limits;
  std::shared_ptr<engine::MemoryBudget> memory;
  Gauges gauges{};
  Counters counters{};  ///< since the start
  // Two logs, so that clients without a token cannot crowd out the lines about the others.
  ConnectionLog stranger_log{"without a token"};
  ConnectionLog client_log{"with a token"};
  ClientAccounts accounts{};
  protocol::Guesses guesses{};
  std::size_t peer_questions = 0;   ///< that may be put to the system before the next check
  bool draining = false;            ///< the server is about to end
  std::array<char, 16384> chunk{};  ///< read buffer of all connections
};

}  // namespace pitboss::server
