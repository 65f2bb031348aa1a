#include "engine/novelty/novelty.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <map>
#include <vector>

#include "engine/search/slots.hpp"
#include "games/all_games.hpp"
#include "games/any_game.hpp"
#include "games/boxed_game.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/golden/novelty_reference.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using pitboss::tests::inside;

namespace {

/// The position of a Connect Four game after the drops, which are column letters.
games::Connect4 connect4(std::string_view drops) {
  games::BoxedGame<games::Connect4> game{{}};
  for (const char c : drops) game.play(std::string(1, c));
  return game.game();
}

/// Density by the book: logarithms, no products.
double log_density(const std::map<int, double>& counts, const std::vector<int>& facts, double n) {
  double sum = 0;
  for (const int f : facts) sum += std::log(counts.contains(f) ? counts.at(f) : 0.5) - std::log(n);
  return sum;
}

}  // namespace

TEST_CASE("novelty measures: vectors of the authors' program, Connect Four, alpha 1") {
  const std::vector<games::Connect4> sequence{connect4(""),   connect4(""),  connect4("d"),
                                              connect4("dd"), connect4("c"), connect4("d")};
  struct Row {
    Novelty measure;
    std::vector<double> scores;
  };
  const double gamma = 0.5;
  for (const Row& row : {Row{Novelty::pseudocount,
                             {4987.8991, 9.0864541, 3.9568397, 2.9823680, 2.3263505, 1.0949758}},
                         Row{Novelty::pseudocount_features,
                             {49045.131, 2.1986476, 10.142204, 66.859014, 9.1014689, 1.0805748}},
                         Row{Novelty::threshold, {0, 0, 1, 1, 1, 0}}}) {
    const auto measure = make_novelty<games::Connect4>(row.measure, gamma);
    measure->reset(connect4(""));
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      CAPTURE(i);
      CHECK(measure->observe(sequence[i], 0.5) == doctest::Approx(row.scores[i]).epsilon(1e-7));
    }
  }
}

TEST_CASE("novelty measures: along the reference games") {
  const double gamma = 0.1;
  for (const tests::ReferenceGame& reference : tests::novelty_reference()) {
    CAPTURE(reference.game);
    games::with_game(reference.game, [&]<class G>(std::type_identity<G>) {
      const auto boxed = games::make_game(reference.game);
      const auto n_c_raw = make_novelty<G>(Novelty::pseudocount, gamma);
      const auto n_c_eval = make_novelty<G>(Novelty::pseudocount_features, gamma);
      const auto n_e = make_novelty<G>(Novelty::evaluation, gamma);
      const auto n_t = make_novelty<G>(Novelty::threshold, gamma);
      const G& root = inside<G>(*boxed);
      for (const auto* measure : {&n_c_raw, &n_c_eval, &n_e, &n_t}) {
        if (*measure) (*measure)->reset(root);
      }
      for (const tests::ReferencePly& ply : reference.plies) {
        CAPTURE(ply.move);
        if (!ply.move.empty()) boxed->play(ply.move);
        const G& position = inside<G>(*boxed);
        const double value = *boxed->static_value();
        CHECK(value == doctest::Approx(ply.value).epsilon(1e-10));
        CHECK(n_c_raw->observe(position, value) == doctest::Approx(ply.n_c_raw).epsilon(1e-8));
        if (n_c_eval) {
          CHECK(n_c_eval->observe(position, value) == doctest::Approx(ply.n_c_eval).epsilon(1e-8));
        }
        CHECK(n_e->observe(position, value) == ply.n_e);
        CHECK(n_t->observe(position, value) == ply.n_t);
      }
    });
  }
}

namespace {

/// The measures by the book: a map of facts, logarithms, no root.
struct Naive {
  std::map<int, double> counts;
  std::map<int, double> best;
  double n = 1;

  struct Scores {
    double pseudocount, evaluation, threshold;
  };
  Scores observe(const std::vector<int>& facts, double value, double gamma) {
    const double before = log_density(counts, facts, n);
    for (const int f : facts) counts[f] = (counts.contains(f) ? counts[f] : 0.5) + 1;
    n += 1;
    const double after = log_density(counts, facts, n);
    Scores scores{std::sqrt(std::expm1(after - before) / (1 - std::exp(after))), 0, 0};
    for (const int f : facts) {
      if (!best.contains(f) || value > best[f]) {
        best[f] = value;
        scores.evaluation = 1;
      }
      if (counts[f] / n < gamma) scores.threshold += 1;
    }
    return scores;
  }
};

template <games::Game G>
std::vector<int> facts_of(const G& game) {
  std::vector<int> facts;
  game.points().for_each([&](int p) {
    int content = 0;
    for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
      if (game.pieces(kind).has(p)) content = 1 + kind;
    }
    facts.push_back((1 + games::kinds_of<G>)*p + content);
  });
  return facts;
}

}  // namespace

TEST_CASE("raw novelty measures equal the ones by the book, whatever root they were told") {
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    CAPTURE(G::name);
    const double gamma = 0.1;
    const auto pseudocount = make_novelty<G>(Novelty::pseudocount, gamma);
    const auto evaluation = make_novelty<G>(Novelty::evaluation, gamma);
    const auto threshold = make_novelty<G>(Novelty::threshold, gamma);
    games::Random random(7);
    for (int round = 0; round < 3; ++round) {
      Naive naive;
      const auto boxed = games::make_game(G::name);
      const auto& game = inside<G>(*boxed);
      for (int ply = 0; ply < 2 * round && !boxed->result().finished(); ++ply) {
        boxed->play(boxed->random_move(random));
      }
      const G root = game;
      pseudocount->reset(root);
      evaluation->reset(root);
      threshold->reset(root);
      for (int walk = 0; walk < 4; ++walk) {
        const auto line = games::make_game(G::name);
        const auto& position = inside<G>(*line);
        for (;;) {
          const double value = random.below(1000) / 1000.0;
          const auto expected = naive.observe(facts_of(position), value, gamma);
          CHECK(pseudocount->observe(position, value) ==
                doctest::Approx(expected.pseudocount).epsilon(1e-9));
          CHECK(evaluation->observe(position, value) == expected.evaluation);
          CHECK(threshold->observe(position, value) == expected.threshold);
          if (line->result().finished()) break;
          line->play(line->random_move(random));
        }
      }
    }
  });
}

TEST_CASE("N_E and N_T of features equal the ones by the book") {
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    if constexpr (games::HasFeatures<G>) {
      CAPTURE(G::name);
      for (const double gamma : {0.0, 0.02, 0.3, 1.0}) {
        const auto evaluation = make_novelty<G>(Novelty::evaluation_features, gamma);
        const auto threshold = make_novelty<G>(Novelty::threshold_features, gamma);
        games::Random random(7);
        for (int round = 0; round < 2; ++round) {  // the second begins with a reset
          std::map<std::pair<int, int>, double> counts;
          std::map<std::pair<int, int>, double> best;
          double n = 1;
          evaluation->reset(tests::initial_position<G>());
          threshold->reset(tests::initial_position<G>());
          for (int walk = 0; walk < 3; ++walk) {
            G position = tests::initial_position<G>();
            for (; !position.result().finished();
                 position.play(games::random_move(position, random))) {
              const double value = random.below(1000) / 1000.0;
              typename G::Features features;
              position.features(features);
              n += 1;
              bool is_better = false;
              int rare = 0;
              for (int i = 0; i < G::feature_count; ++i) {
                const std::pair<int, int> fact{i, features[static_cast<std::size_t>(i)]};
                counts.try_emplace(fact, G::feature_prior);
                if (++counts[fact] / n < gamma) ++rare;
                if (!best.contains(fact) || value > best[fact]) {
                  best[fact] = value;
                  is_better = true;
                }
              }
              CHECK(evaluation->observe(position, value) == (is_better ? 1 : 0));
              CHECK(threshold->observe(position, value) == rare);
            }
            // A finished position has no features and is not counted.
            CHECK(evaluation->observe(position, 2) == 0);
            CHECK(threshold->observe(position, 2) == 0);
          }
        }
      }
    }
  });
}

TEST_CASE("ThresholdNovelty equals the one by the book from the first position on") {
  // With a large gamma the bound is above all counts at first: facts that nobody has seen count
  // then, but no places of the board's words that are no points.
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    CAPTURE(G::name);
    for (const double gamma : {0.002, 0.3, 0.9, 1.0}) {
      CAPTURE(gamma);
      const auto measure = make_novelty<G>(Novelty::threshold, gamma);
      games::Random random(7);
      for (int round = 0; round < 2; ++round) {  // the second begins with a reset
        Naive naive;
        const auto game = games::make_game(G::name);
        measure->reset(inside<G>(*game));
        for (int ply = 0; ply < 12 && !game->result().finished(); ++ply) {
          CAPTURE(ply);
          const G& position = inside<G>(*game);
          for (int times = 1 + random.below(2); times > 0; --times) {
            const auto expected = naive.observe(facts_of(position), 0, gamma);
            CHECK(measure->observe(position, 0) == expected.threshold);
          }
          game->play(game->random_move(random));
        }
      }
    }
  });
}

TEST_CASE("threshold_count decides as the division does") {
  for (const double gamma : {0.0, 0.00003, 0.0006, 0.002, 0.1, 0.5, 1.0}) {
    for (double n = 2; n < 6000; n = n < 50 ? n + 1 : n + 37) {
      const double cut = threshold_count(gamma, n);
      for (const double count : {cut - 1.5, cut - 0.5, cut + 0.5, cut + 1.5}) {
        if (count < 0) continue;
        CAPTURE(gamma);
        CAPTURE(n);
        CHECK((count < cut) == (count / n < gamma));
      }
    }
  }
}

TEST_CASE("FeaturePseudocountNovelty gives 0 for a finished position and does not count it") {
  const double gamma = 0;
  const auto a = make_novelty<games::Connect4>(Novelty::pseudocount_features, gamma);
  const auto b = make_novelty<games::Connect4>(Novelty::pseudocount_features, gamma);
  a->reset(connect4(""));
  b->reset(connect4(""));
  static_cast<void>(a->observe(connect4(""), 0.5));
  static_cast<void>(b->observe(connect4(""), 0.5));
  CHECK(a->observe(connect4("dcdcdcd"), 1) == 0);
  CHECK(a->observe(connect4("d"), 0.5) == b->observe(connect4("d"), 0.5));
}

TEST_CASE("a measure is asked before a playout, unless it needs its value") {
  const auto is_first = [](const char* evaluation, const char* novelty) {
    const Options options =
        tests::options_of(std::string("evaluation=") + evaluation + " novelty=" + novelty);
    return make_slots<games::Connect4>(options, 0, games::Colour::black).novelty_first;
  };
  for (const char* measure :
       {"pseudocount", "pseudocount-features", "threshold", "threshold-features"}) {
    CHECK(is_first("playout", measure));
    CHECK_FALSE(is_first("static", measure));
  }
  for (const char* measure : {"evaluation", "evaluation-features"}) {
    CHECK_FALSE(is_first("playout", measure));
    CHECK_FALSE(is_first("static", measure));
  }
}

TEST_CASE("EvaluationNovelty asks for a value above the best of some fact") {
  const double gamma = 0;
  const auto measure = make_novelty<games::Connect4>(Novelty::evaluation, gamma);
  measure->reset(connect4(""));
  CHECK(measure->observe(connect4(""), 0.5) == 1);  // nothing seen yet
  CHECK(measure->observe(connect4(""), 0.5) == 0);  // equal is not above
  CHECK(measure->observe(connect4(""), 0.6) == 1);
  CHECK(measure->observe(connect4(""), 0.6 + 1e-9) == 0);  // in single precision it is the same
  CHECK(measure->observe(connect4("d"), 0.4) == 1);        // the stone on d1 is a new fact
  CHECK(measure->observe(connect4("d"), 0.4) == 0);
}
