#pragma once

#include <algorithm>
#include <string>

#include "games/random.hpp"
#include "tests/games/set_up.hpp"

/// What random games come to, against what other programs have measured.
namespace pitboss::games {

struct RandomPlay {
  double black = 0;  ///< share of games won
  double white = 0;
  double plies = 0;  ///< mean
  double moves = 0;  ///< mean number of legal moves
};

/// Plays `games` games, with moves drawn by `pick(game, random)`; shows each at its end to `seen`.
template <Game G, class Pick, class Seen>
RandomPlay play_games(const G& initial, int games, Pick&& pick, Seen&& seen) {
  RandomPlay sum;
  Random random(1);
  for (int i = 0; i < games; ++i) {
    G game = initial;
    for (; !game.result().finished(); ++sum.plies) {
      MoveList<G::max_moves> moves;
      game.legal_moves(moves);
      sum.moves += moves.size();
      game.play(pick(game, random));
    }
    sum.black += game.result().won_by(Colour::black) ? 1 : 0;
    sum.white += game.result().won_by(Colour::white) ? 1 : 0;
    seen(game);
  }
  return {sum.black / games, sum.white / games, sum.plies / games, sum.moves / sum.plies};
}

template <Game G>
RandomPlay play_games(const G& initial, int games) {
  return play_games(
      initial, games, [](const G& game, Random& random) { return random_move(game, random); },
      [](const G&) {});
}

/// The position turned by 180 degrees with colours changed; its third part stays, unless it is the
/// number of plies, which tells whose turn it is.
inline std::string turned(const AnyGame& game) {
  auto words = split(game.position());
  std::ranges::reverse(words[0]);
  for (char& c : words[0]) c = c == 'X' ? 'O' : c == 'O' ? 'X' : c;
  words[1] = words[1] == "b" ? "w" : "b";
  const bool has_plies =
      words.size() == 3 && words[2].find_first_not_of("0123456789") == std::string::npos;
  if (has_plies) words.pop_back();
  return joined(words);
}

}  // namespace pitboss::games
