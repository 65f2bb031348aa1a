#include "engine/policy/features/linear_policy.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/policy/features/atomic_features.hpp"
#include "games/symmetry.hpp"
#include "games/unboxed.hpp"
#include "tests/engine/policy/features/random_features.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

/// Every game, and boards of one word or several.
const std::vector<std::string_view> lines{"connect4",
                                          "othello",
                                          "othello size=6",
                                          "breakthrough",
                                          "breakthrough size=5",
                                          "knightthrough",
                                          "atarigo",
                                          "gomoku",
                                          "gomoku size=15 opening=free",
                                          "amazons size=8",
                                          "amazons",
                                          "cannon",
                                          "chinesecheckers",
                                          "chinesecheckers board=full",
                                          "pentalath swap=on",
                                          "fanorona",
                                          "hex size=7",
                                          "hex size=19 swap=on",
                                          "teeko",
                                          "yavalath swap=on",
                                          "rolit players=3"};

/// Shows `see(position, legal moves)` some positions of a random game.
template <class G, class See>
void walk_through(const G& initial, int every, See&& see) {
  games::Random random(1);
  G game = initial;
  for (int ply = 0; !game.result().finished() && ply < 120; ++ply) {
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    if (ply % every == every - 1) see(game, std::span(moves.begin(), moves.end()));
    game.play(games::random_move(game, random));
  }
}

TEST_CASE("FeaturePlan: weights by colour are for games of as many colours") {
  FeatureSet set = tests::random_set(feature_game(*games::game_of("rolit")), 4, 1);
  set.parameters = "";
  set.columns = 2;
  set.weights.assign(2 * set.features.size(), 1);
  CHECK_NOTHROW(FeaturePlan(set, feature_game(*games::game_of("rolit players=2"))));
  CHECK_THROWS_AS(FeaturePlan(set, feature_game(*games::game_of("rolit players=3"))), BadFeatures);
}

TEST_CASE("FeaturePlan: matches what features mean, on random positions of every game") {
  for (const std::string_view line : lines) {
    CAPTURE(line);
    games::unboxed(*games::game_of(line), [&]<class G>(const G& initial) {
      const FeatureGame facts = feature_game(initial);
      FeatureSet set = tests::random_set(facts, 40, 1);
      set.parameters = "";
      const auto plan = std::make_shared<const FeaturePlan>(set, facts);
      LinearPolicy<G> policy(plan);
      int actives = 0;
      walk_through(initial, 7, [&](const G& game, std::span<const games::Move> moves) {
        const Contents contents = contents_of(game);
        const auto active = policy.active(game, moves);
        const auto logits = policy.logits(game, moves);
        REQUIRE(logits.size() == moves.size());
        // Some of the moves, as the slow way takes long.
        const std::size_t step = 1 + moves.size() / 12;
        for (std::size_t i = 0; i < moves.size(); i += step) {
          std::vector<std::uint32_t> expected;
          double logit = 0;
          for (std::uint32_t f = 0; f < set.features.size(); ++f) {
            if (!is_active(facts, contents, points_of(game, moves[i]), set.features[f])) continue;
            expected.push_back(f);
            logit += set.weight(f, game.to_move());
          }
          REQUIRE(active[i] == expected);
          REQUIRE(logits[i] == doctest::Approx(logit).epsilon(1e-5));
          actives += static_cast<int>(expected.size());
        }
      });
      CHECK(actives > 50);  // otherwise the test tests nothing
    });
  }
}

TEST_CASE("LinearPolicy: moves turn with the board") {
  // Of the square's symmetries all are rotations and reflections of features.
  games::unboxed(*games::game_of("gomoku opening=free"), [&]<class G>(const G& initial) {
    const FeatureGame facts = feature_game(initial);
    const FeatureSet set = tests::random_set(facts, 60, 2);
    if constexpr (games::HasSymmetries<G>) {
      LinearPolicy<G> policy(std::make_shared<const FeaturePlan>(set, facts));
      const auto logits_by_point = [&](const G& game) {
        games::MoveList<G::max_moves> moves;
        game.legal_moves(moves);
        const auto logits = policy.logits(game, {moves.begin(), moves.end()});
        std::vector<float> all(G::Board::bits);
        for (int i = 0; i < moves.size(); ++i) all[game.target(moves[i])] = logits[i];
        return all;
      };
      for (const games::Symmetry& symmetry : initial.symmetries()) {
        games::Random random(3);
        G game = initial;
        G image = initial;
        for (int ply = 0; ply < 12; ++ply) {
          const games::Move move = games::random_move(game, random);
          game.play(move);
          const int to = symmetry.point(game.shape(), game.target(move));
          image.play(games::Move{static_cast<std::uint32_t>(to)});
        }
        const auto here = logits_by_point(game);
        const auto there = logits_by_point(image);
        initial.points().for_each(
            [&](int p) { REQUIRE(here[p] == there[symmetry.point(game.shape(), p)]); });
      }
    }
  });
}

TEST_CASE("LinearPolicy: a softmax over the legal moves, from which moves are drawn") {
  const FeatureSet set =
      parse_features("pitboss features 1\ngame connect4\n2 to {}; friend {0}\n-1 to {}; off {0}\n");
  games::unboxed(*games::game_of("connect4"), [&]<class G>(const G& initial) {
    if constexpr (std::is_same_v<G, games::Connect4>) {
      G game = initial;
      LinearPolicy<G> policy(std::make_shared<const FeaturePlan>(set, feature_game(game)));
      // Black has d1: c1 and e1 are beside it, and so is d2, which white has left alone. All
      // columns are at the rim, but for d2.
      const auto moves_of = [](const G& position) {
        games::MoveList<G::max_moves> moves;
        position.legal_moves(moves);
        return moves;
      };
      const auto play = [&](std::string_view text) {
        for (const games::Move move : moves_of(game)) {
          if (game.text(move) == text) return game.play(move);
        }
        FAIL("no such move");
      };
      play("d1");
      play("a1");
      const auto moves = moves_of(game);

      REQUIRE(moves.size() == 7);
      const auto logits = policy.logits(game, {moves.begin(), moves.end()});
      std::map<std::string, float> by_text;
      for (int i = 0; i < moves.size(); ++i) by_text[game.text(moves[i])] = logits[i];
      CHECK(by_text ==
            std::map<std::string, float>{
                {"b1", -1}, {"c1", 1}, {"e1", 1}, {"f1", -1}, {"g1", -1}, {"a2", -1}, {"d2", 2}});
      const auto all = policy.probabilities(game, {moves.begin(), moves.end()});
      double sum = 0;
      for (const auto& [text, logit] : by_text) sum += std::exp(logit);
      std::map<std::string, double> expected;
      for (const auto& [text, logit] : by_text) expected[text] = std::exp(logit) / sum;
      for (int i = 0; i < moves.size(); ++i) {
        CHECK(all[i] == doctest::Approx(expected[game.text(moves[i])]));
      }
      games::Random random(1);
      std::map<std::string, int> drawn;
      constexpr int draws = 20000;
      for (int i = 0; i < draws; ++i) ++drawn[game.text(policy.draw(game, random))];
      for (const auto& [text, p] : expected) {
        CHECK(std::abs(drawn[text] - p * draws) < 5 * std::sqrt(draws * p * (1 - p)));
      }
    }
  });
}

TEST_CASE("FeaturePlan: features of another game are refused") {
  const FeatureSet set = parse_features("pitboss features 1\ngame hex\n1 to {}\n");
  CHECK_THROWS_WITH_AS(FeaturePlan(set, feature_game(*games::game_of("yavalath"))),
                       "the features are for hex, not for yavalath", BadFeatures);
}

}  // namespace
}  // namespace pitboss::engine
