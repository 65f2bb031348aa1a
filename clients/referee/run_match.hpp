#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "clients/referee/match.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// How a match is played; none of it changes what its games are.
struct MatchConduct {
  std::filesystem::path folder;
  int concurrency = 8;
  std::chrono::milliseconds reconnect = std::chrono::seconds(10);
  bool handles_signals = false;  ///< SIGINT and SIGTERM end the match early

  /// Called with what is recorded: before the first game, after each, and about once a second.
  std::function<void(const Results&)> on_progress = [](const Results&) {};
  /// A sentence for whoever watches.
  std::function<void(const std::string&)> on_note = [](const std::string&) {};
};

/// How a run of a match ended. Unless it is complete, the same command continues it: the games
/// recorded stay, those in play are played again.
struct MatchEnd {
  enum class Kind : std::uint8_t { complete, interrupted, stopped };
  Kind kind;
  std::string why;      ///< of a match that was stopped: a sentence
  Standings standings;  ///< all that is recorded
  std::string table;    ///< the same for people
};

/// Plays what the folder does not hold yet of the match, many games at once on this thread, and
/// records it; blocks until then. Throws UserError before the first game; no game, and no file of
/// a new match, is written then.
MatchEnd run_match(const Match& match, const MatchConduct& conduct);

/// How many games in a row may find no server before the match stops.
inline constexpr int max_unreachable_in_a_row = 10;

}  // namespace pitboss::clients
