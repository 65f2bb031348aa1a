#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "clients/experiments/player_settings.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/results/record_files.hpp"
#include "tests/peers/peer.hpp"
#include "tests/timing.hpp"

/// Matches between peers, over sockets.
namespace pitboss::clients {

inline Match match_between(const peers::Peer& a, const peers::Peer& b, const std::string& game,
                           int rounds) {
  Match match;
  set_game(match, game);
  match.players[0] = parse_player("name=A k=0.5", {a.address()});
  match.players[1] = parse_player("name=B", {b.address()});
  match.games = rounds * match.round();
  match.seed = 7;
  match.move_timeout = tests::longest_wait;
  return match;
}

inline Conduct conduct_in(const std::filesystem::path& folder, int concurrency = 8) {
  Conduct conduct;
  conduct.folder = folder;
  conduct.concurrency = concurrency;
  conduct.reconnect = std::chrono::milliseconds(100);
  return conduct;
}

/// A match that was played, and what came of it.
class PlayedMatch {
 public:
  PlayedMatch(const Match& match, const Conduct& conduct)
      : experiment_{.name = "", .matches = {match}, .sprt = {}},
        end_(run_experiment(experiment_, conduct)) {
    write_records(conduct.folder, end_.contents);
  }

  [[nodiscard]] RunEnd::Kind kind() const { return end_.kind; }
  [[nodiscard]] const std::string& why() const { return end_.why; }
  [[nodiscard]] const Standings& standings() const {
    return end_.contents.results.matches()[0].standings();
  }

 private:
  Experiment experiment_;
  RunEnd end_;
};

/// The games of an experiment of one match.
inline std::vector<PlayedGame> records_in(const std::filesystem::path& folder, const Match& match) {
  const Experiment experiment{.name = "", .matches = {match}, .sprt = {}};
  std::vector<PlayedGame> out;
  for (const PlayedRound& round : Ledger(folder, experiment).played()) {
    out.insert(out.end(), round.games.begin(), round.games.end());
  }
  return out;
}

inline std::vector<Incident> incidents_in(const std::filesystem::path& folder, const Match& match) {
  const Experiment experiment{.name = "", .matches = {match}, .sprt = {}};
  return Ledger(folder, experiment).incidents();
}

}  // namespace pitboss::clients
