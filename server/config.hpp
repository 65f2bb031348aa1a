#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "environment/awake_clock.hpp"
#include "protocol/web_file.hpp"
#include "server/evaluator_log.hpp"
#include "server/net/credentials.hpp"
#include "server/net/limits.hpp"
#include "server/net/listen_address.hpp"
#include "server/session/session_config.hpp"

namespace pitboss::server {

/// The configuration of a server.
struct Config {
  std::vector<ListenAddress> listen;
  std::vector<std::string> http_origins;      ///< pages of other addresses that may use this server
  std::span<const protocol::WebFile> page{};  ///< what browsers are sent
  int workers = 1;                            ///< threads that search
  ServerLimits limits;
  engine::Options options;            ///< what new sessions start with
  std::int64_t tree_mb_limit = 1024;  ///< largest tree a session may ask for, MiB
  std::string state_folder;           ///< where tables are kept; empty: nowhere
  std::string sgf_folder;             ///< where `loadsgf` finds its files; empty: nowhere
  engine::Models models;              ///< that options may name
  /// Makes the searches of all sessions.
  MakeSearch make_search = searches_with({});
  std::shared_ptr<engine::RemoteService> evaluators;  ///< null: there are none
  std::shared_ptr<EvaluatorLog> evaluator_log = std::make_shared<EvaluatorLog>();
  std::shared_ptr<engine::MemoryBudget> memory;  ///< of searches, networks, answers; null: no bound
  CredentialFiles credentials{};
  bool is_open = false;                  ///< without tokens, also serves hosts beyond this machine
  std::optional<ListenAddress> metrics;  ///< of the page for Prometheus; none: no page
  /// Called by the I/O thread 20 times a second while it is not stuck.
  std::function<void(environment::AwakeClock::time_point now)> heartbeat = [](auto) {};
};

}  // namespace pitboss::server
