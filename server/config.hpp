#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "protocol/session.hpp"
#include "server/limits.hpp"
#include "server/listen_address.hpp"

namespace pitboss::server {

/// Everything a server is told when it starts.
struct Config {
  std::vector<ListenAddress> listen;
  int workers = 1;  ///< threads that search
  Limits limits;
  engine::Options options;            ///< what new sessions start with
  std::int64_t tree_mb_limit = 1024;  ///< largest tree a session may ask for, MiB
  std::string sgf_folder;             ///< where `loadsgf` finds its files; empty: nowhere
  protocol::MakeSearch make_search = engine::make_search;
};

}  // namespace pitboss::server
