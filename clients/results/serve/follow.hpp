#pragma once

#include <functional>
#include <string>
#include <vector>

#include "clients/results/serve/followed.hpp"

namespace pitboss::clients {

/// A server of pages that follow experiments.
struct FollowSettings {
  LedgerPlace place;                      ///< see `Catalogue`
  std::vector<RunKind> kinds;             ///< that are followed
  std::string listen = "127.0.0.1:4590";  ///< port 0: one that is free
  std::vector<std::string> origins = {};  ///< other addresses of the pages, as behind a proxy
  std::string token;                      ///< of those who may pause experiments; empty: nobody
};

/// Serves until SIGINT or SIGTERM. `on_listening` is told the page's address, and whether only this
/// machine reaches it. Throws UserError if the place cannot be read or the port not be had.
void follow(const FollowSettings& settings,
            const std::function<void(const std::string& url, bool is_local)>& on_listening);

}  // namespace pitboss::clients
