#include "clients/referee/ledger_contents.hpp"

#include <stdexcept>
#include <string>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

void check(const PlayedRound& round, const Match& match) {
  const std::string where = "round " + std::to_string(round.round + 1) + " of the match of " +
                            match.players[0].name + " and " + match.players[1].name + " at " +
                            match.game;
  if ((round.round + 1) * match.round() > match.games) {
    throw UserError(where + " is recorded, more than the " + std::to_string(match.games) +
                    " games of this experiment");
  }
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

}  // namespace

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
  return reread_contents(ledger, experiment);
}

LedgerContents reread_contents(const Ledger& ledger, const Experiment& experiment) {
  LedgerContents out{ledger.played(), ledger.incidents(), Results(experiment)};
  for (const PlayedRound& round : out.played) {
    check(round, experiment.matches[round.match]);
    out.results.add(round.match, round.round, round.games);
  }
  out.results.set_declared(ledger.declarations());
  return out;
}

}  // namespace pitboss::clients
