#include "clients/referee/ledger_contents.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

/// An experiment may grow; of one that shrinks, games on record would be left out.
void check_sizes(const std::vector<PlayedRound>& played, const std::vector<Match>& matches) {
  std::vector<int> games(matches.size());
  for (const PlayedRound& round : played) {
    games[round.match] =
        std::max(games[round.match], (round.round + 1) * matches[round.match].round());
  }
  for (std::size_t m = 0; m < matches.size(); ++m) {
    const Match& match = matches[m];
    require(games[m] <= match.games,
            "games is " + std::to_string(match.games) + " here, and of the match of " +
                match.players[0].name + " and " + match.players[1].name + " at " + match.game +
                " " + std::to_string(games[m]) + " are on record: set games to " +
                std::to_string(games[m]) +
                " or more to go on, or choose another place for the ledger");
  }
}

LedgerContents contents_of(const Ledger& ledger, const Experiment& experiment,
                           std::vector<PlayedRound> played) {
  LedgerContents out{std::move(played), ledger.incidents(), Results(experiment)};
  for (const PlayedRound& round : out.played) {
    check_round(round, experiment.matches[round.match]);
    out.results.add(round.match, round.round, round.games);
  }
  out.results.set_declared(ledger.declarations());
  return out;
}

}  // namespace

void check_round(const PlayedRound& round, const Match& match) {
  const std::string where = "round " + std::to_string(round.round + 1) + " of the match of " +
                            match.players[0].name + " and " + match.players[1].name + " at " +
                            match.game;
  if (round.games.size() != static_cast<std::size_t>(match.round())) {
    throw UserError("the ledger is damaged: " + where + " is not whole");
  }
  for (const PlayedGame& game : round.games) {
    try {
      check_game(game, sides_of(match));
    } catch (const std::runtime_error& e) {
      throw UserError("the ledger is damaged: game " + std::to_string(game.game) + " in " + where +
                      ": " + e.what());
    }
  }
}

std::vector<std::vector<PlayedGame>> LedgerContents::games() const {
  std::vector<std::vector<PlayedGame>> out(results.matches().size());
  for (const PlayedRound& round : played) {
    if (!results.matches()[round.match].counts(round.round)) continue;
    out[round.match].insert(out[round.match].end(), round.games.begin(), round.games.end());
  }
  return out;
}

LedgerContents read_contents(const Ledger& ledger, const Experiment& experiment) {
  const auto faults = ledger.faults();
  if (!faults.empty()) throw UserError("the ledger is damaged: " + faults.front());
  std::vector<PlayedRound> played = ledger.played();
  check_sizes(played, experiment.matches);
  return contents_of(ledger, experiment, std::move(played));
}

LedgerContents reread_contents(const Ledger& ledger, const Experiment& experiment) {
  std::vector<PlayedRound> played = ledger.played();
  std::erase_if(played, [&](const PlayedRound& round) {
    const Match& match = experiment.matches[round.match];
    return round.round >= match.games / match.round();
  });
  return contents_of(ledger, experiment, std::move(played));
}

}  // namespace pitboss::clients
