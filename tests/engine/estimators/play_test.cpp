#include <doctest/doctest.h>

#include "engine/estimators/estimators.hpp"
#include "games/all_games.hpp"
#include "tests/engine/search/searching.hpp"

// What estimators do over whole games and many searches.

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

namespace {

/// The share that the first of two configurations wins of pairs of games with the seats exchanged.
double share_of_first(std::string_view name, const Options& first, const Options& second,
                      int pairs) {
  double won = 0;
  for (int i = 0; i < 2 * pairs; ++i) {
    const auto game = games::make_game(name);
    const auto search = make_search(*game);
    for (int ply = 0; !game->result().finished(); ++ply) {
      Options options = (ply + i) % 2 == 0 ? first : second;
      options.seed = static_cast<std::uint64_t>(i / 2 + 1);
      game->play(search_on(*search, *game, ply, options).move);
    }
    won += game->result().share(i % 2 == 0 ? games::Colour::black : games::Colour::white);
  }
  return won / (2 * pairs);
}

}  // namespace

TEST_CASE("estimators: history alone plays as well as UCB1") {
  // Only the logarithm differs: of all simulations, not of those of the parent. AUER's sqrt(8)
  // stands beside c, none beside k.
  const double share = share_of_first(
      "connect4",
      options_of("simulations=100 evaluation=playout estimators=history c_history=0.25"),
      options_of("simulations=100 evaluation=playout selection=ucb1 virtual_samples=false "
                 "k=0.70710678"),
      100);
  CHECK(share > 0.4);
  CHECK(share < 0.6);
}

TEST_CASE("estimators: each of four players learns from what is won by itself") {
  using G = games::Rolit;
  const auto game = games::make_game("rolit", games::parse_parameters("players=4"));
  G position = inside<G>(*game);
  for (int colour = 0; colour < 4; ++colour) {
    CAPTURE(colour);
    REQUIRE(games::index(position.to_move()) == colour);
    games::MoveList<G::max_moves> moves;
    position.legal_moves(moves);
    const std::span list(moves.begin(), moves.end());
    REQUIRE(list.size() >= 2);
    for (const EstimatorRow& row : estimator_rows()) {
      if (row.bias == nullptr || row.counts_all_later) continue;  // learn in the tree only
      const std::string abstractor(row.name);
      for (int winning = 0; winning < static_cast<int>(list.size()); ++winning) {
        CAPTURE(abstractor);
        CAPTURE(winning);
        Estimators<G> estimators;
        estimators.begin(
            options_of("evaluation=playout c_" + abstractor + "=0.01 estimators=" + abstractor));
        estimators.make_room();
        games::Random random(1);
        for (int n = 1; n <= 20; ++n) {
          for (int i = 0; i < static_cast<int>(list.size()); ++i) {
            estimators.start(n);
            static_cast<void>(estimators.choose(position, list, nullptr, random));
            estimators.follow(position, list[static_cast<std::size_t>(i)], i, false);
            games::Values<G> values{};
            values[(colour + (i == winning ? 0 : 1)) % 4] = 1;
            estimators.learn(values);
          }
        }
        estimators.start(21);
        CHECK(estimators.choose(position, list, nullptr, random) == winning);
      }
    }
    position.play(moves[0]);
  }
}
