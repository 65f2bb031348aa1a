#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "engine/options/options.hpp"
#include "engine/progress.hpp"
#include "protocol/access.hpp"
#include "protocol/limit.hpp"
#include "server/session/command.hpp"
#include "server/session/table_search.hpp"

namespace pitboss::server {

class Tables;

/// How a server starts its sessions and what it allows them.
struct SessionConfig {
  std::span<const Command> commands{};  ///< that it obeys; they outlive it
  std::string game = "connect4";
  engine::Options options;                     ///< what a new session starts with
  std::int64_t tree_mb_limit = 1024;           ///< largest `tree_mb` a session may ask for
  std::string sgf_folder;                      ///< where `loadsgf` finds its files; empty: nowhere
  std::shared_ptr<Tables> tables;              ///< the server's; null for a session that is alone
  MakeSearch make_search = searches_with({});  ///< makes the searches of all its tables
  engine::Models models{};                     ///< that options may name
  std::shared_ptr<engine::RemoteService> evaluators{};  ///< null: there are none
  SharedByTables shared{};
  ServerControl* server = nullptr;  ///< outlives the session; null for a session that is alone
  protocol::Identity client{};      ///< until it has shown a token
  /// Called when the session's waiting command can go on (engine::Waker).
  engine::Waker waker{};
  /// Called when a limit refuses a command. Any thread calls it; it does not block, throw or use
  /// the session.
  std::function<void(protocol::Limit)> on_limit{};
  /// Called when a watching session has news to take (Watch). Any thread; does not block.
  std::function<void()> on_news = [] {};
  bool in_envelopes = false;  ///< answers go into envelopes, one a line (AnswerForm)
};

}  // namespace pitboss::server
