#include "clients/referee/standings.hpp"

namespace pitboss::clients {

void Standings::add(const GameRecord& game) {
  totals_[0].add(game.twelfths);
  totals_[1].add(whole_point - game.twelfths);
  const Shares shares = shares_of(game, sides_);
  for (std::size_t c = 0; c < game.seats.size(); ++c) {
    by_colour_[game.seats[c] == sides_.players[0] ? 0 : 1][c].add(shares[c]);
  }
  ++games_;
  distinct_.insert(game.moves);

  if (game.winner == "draw") return;
  const int loser = game.loser() == sides_.players[0] ? 0 : 1;
  if (game.is_forfeit()) {
    // "illegal move: e9" and "illegal move: e8" are one kind of failure.
    ++failures_[loser][game.reason.substr(0, game.reason.find(':'))];
    ++forfeits_;
  } else if (game.reason == "resigned") {
    ++resignations_[loser];
  }
}

}  // namespace pitboss::clients
