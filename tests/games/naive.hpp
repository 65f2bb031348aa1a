#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <concepts>

#include "games/random.hpp"
#include "tests/games/set_up.hpp"

/// Games against slow references. A reference is the rules of a game written out once more, far
/// from bitboards and without a line of the game's own code, by somebody who reads the rules.
namespace pitboss::games {

/// What a reference offers. Moves are texts as in docs/games.md.
template <class R>
concept Reference = requires(R reference, const std::string& move) {
  { reference.legal_moves() } -> std::same_as<std::vector<std::string>>;  ///< in any order
  {reference.play(move)};
  /// The letter of the side to move.
  { reference.to_move() } -> std::same_as<char>;
  /// "" while the game goes on, else the letters of the colours that share the point: "b", "bw".
  { reference.winners() } -> std::same_as<std::string>;
};

/// The letters of the colours that share the point; "" while the game goes on.
[[nodiscard]] inline std::string winners_of(const AnyGame& game) {
  std::string letters;
  for (int c = 0; c < game.players(); ++c) {
    const auto colour = static_cast<Colour>(c);
    if (game.result().share(colour) > 0) letters += game.letter_of(colour);
  }
  return letters;
}

/// Plays `games` random games of what `line` names beside a fresh reference each, and compares side
/// to move, moves and result at every ply. Tells `seen(game)` every position.
template <Reference R, class Seen>
void compare_with(std::string_view line, int games, const R& initial, Seen&& seen) {
  CAPTURE(line);
  for (int seed = 0; seed < games; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto game = game_of(line);
    R reference = initial;
    for (;;) {
      CAPTURE(game->position());
      seen(*game);
      REQUIRE(winners_of(*game) == reference.winners());
      if (game->result().finished()) break;
      REQUIRE(game->letter_of(game->to_move()) == std::string(1, reference.to_move()));
      std::vector<std::string> expected = reference.legal_moves();
      std::ranges::sort(expected);
      const auto moves = game->legal_moves();
      REQUIRE(moves == expected);
      const std::string move = moves[random.below(static_cast<int>(moves.size()))];
      game->play(move);
      reference.play(move);
    }
  }
}

template <Reference R>
void compare_with(std::string_view line, int games, const R& initial) {
  compare_with(line, games, initial, [](const AnyGame&) {});
}

}  // namespace pitboss::games
