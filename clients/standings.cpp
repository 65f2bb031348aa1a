#include "clients/standings.hpp"

namespace pitboss::clients {

void Standings::add(const GameRecord& game) {
  const int black = game.black == names_[0] ? 0 : 1;
  for (const int player : {0, 1}) {
    Tally& tally = tallies_[player][player == black ? 0 : 1];
    if (game.winner == "draw") {
      ++tally.draws;
    } else {
      ++(game.winner == names_[player] ? tally.wins : tally.losses);
    }
  }
  ++games_;
  distinct_.insert(game.moves);

  const int loser = game.loser() == names_[0] ? 0 : 1;
  if (game.is_forfeit()) {
    // "illegal move: e9" and "illegal move: e8" are one kind of failure.
    ++failures_[loser][game.reason.substr(0, game.reason.find(':'))];
    ++forfeits_;
  } else if (game.reason == "resigned") {
    ++resignations_[loser];
  }
}

Tally Standings::tally(int player) const {
  const auto& [black, white] = tallies_[player];
  return {black.wins + white.wins, black.draws + white.draws, black.losses + white.losses};
}

}  // namespace pitboss::clients
