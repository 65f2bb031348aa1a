#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "protocol/access.hpp"
#include "server/net/handling_turns.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// What one client (protocol::Identity::key) uses of the server at the moment. Belongs to the I/O
/// thread, but for what conversations give back that end on a worker.
struct ClientAccount {
  int connections = 0;                         ///< of a host; refused and closing ones included
  int sessions = 0;                            ///< of a host, or that have shown a token
  int searching = 0;                           ///< commands that take time
  std::atomic<std::size_t> beyond_memory = 0;  ///< bytes of answers that no budget has granted
  std::shared_ptr<HandlingTurns> lines = std::make_shared<HandlingTurns>();
  WorkerPool::ClientPtr turns = std::make_shared<WorkerPool::Client>();  ///< on the workers
};

/// The accounts of all present clients. Belongs to the I/O thread.
class ClientAccounts {
 public:
  /// The client's account, which exists as long as somebody holds it.
  [[nodiscard]] std::shared_ptr<ClientAccount> of(const protocol::Identity& client) {
    std::weak_ptr<ClientAccount>& entry = accounts_[client.key()];
    auto account = entry.lock();
    if (!account) entry = account = std::make_shared<ClientAccount>();
    return account;
  }
  /// Forgets the accounts that nobody holds.
  void tidy() {
    std::erase_if(accounts_, [](const auto& entry) { return entry.second.expired(); });
  }

 private:
  std::map<std::string, std::weak_ptr<ClientAccount>> accounts_;
};

}  // namespace pitboss::server
