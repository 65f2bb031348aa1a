#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/formulas.hpp"
#include "engine/tree/root_noise.hpp"
#include "engine/tree/scoring.hpp"
#include "engine/tree/selector.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// The terms of a block's moves, laid out as blocks are.
struct Terms {
  explicit Terms(int count) : padded(MoveBlock::padded_count(count)) {
    for (int i = 0; i < padded; ++i) {
      const bool is_move = i < count;
      at(0, i) = is_move ? 0.1F * static_cast<float>(i % 7) : -infinity;
      at(2, i) = 1 / std::sqrt(static_cast<float>(1 + i % 5));
      at(5, i) = is_move ? 1 / static_cast<float>(2 + i) : 0;
    }
  }
  [[nodiscard]] float& at(int array, int i) { return terms[array * padded + i]; }
  [[nodiscard]] double puct(int i, double c, double n, double first_play) {
    const double samples = at(2, i) == infinity ? 0 : 1 / (double{at(2, i)} * at(2, i));
    const double value = at(2, i) == infinity ? first_play : at(0, i);
    return value + puct_bonus(c, at(5, i), n, samples);
  }

  int padded;
  alignas(64) std::array<float, 6 * 400> terms{};
  alignas(64) std::array<float, 400> score{};
};

/// A node with three untried moves in a tree with priors.
struct Family {
  explicit Family(const Options& options) : selector(3) {
    tree.reset(1);
    writer.reset(tree, true);
    index = writer.add_block(3);
    selector.set(options, 0);
    selector.open(block(), moves.data(), 0.7, priors, random);
  }
  [[nodiscard]] MoveBlock& block() { return tree.block(index); }
  /// Tries the next move with that result for its mover; returns the move.
  int try_next(double value) {
    const int move = block().next;
    const Index node = selector.next_node(tree, block(), writer, random);
    const std::array edges{Edge{&block(), &tree.node(node), move, games::Colour{0}}};
    const std::array values{value, 1 - value};
    selector.back_up(edges, values.data(), 0, random);
    return move;
  }

  std::array<games::Move, 3> moves{};
  std::array<float, 3> priors{0.2F, 0.5F, 0.3F};
  Tree tree;
  TreeWriter writer;
  Selector selector;
  games::Random random{1};
  Index index;
};

}  // namespace

TEST_CASE("choose by puct: a move without samples has the first-play urgency") {
  Options options;
  options.c_puct = 0.5;
  options.fpu_reduction = 0.25;
  for (const int count : {1, 5, 8, 9, 64, 70, 361}) {
    Terms m(count);
    m.at(0, count - 1) = 0;
    m.at(2, count - 1) = infinity;
    const int best = choose_move_by(Selection::puct)({m.terms.data(), m.padded}, m.score.data(),
                                                     RuleFactors(options), {49, 0.75F}, 0);
    double highest = -1;
    for (int i = 0; i < count; ++i) {
      CHECK(m.score[i] == doctest::Approx(m.puct(i, 0.5, 49, 0.5)).epsilon(1e-5));
      highest = std::max(highest, m.puct(i, 0.5, 49, 0.5));
    }
    for (int i = count; i < m.padded; ++i) CHECK(m.score[i] == -infinity);
    CHECK(m.puct(best, 0.5, 49, 0.5) == doctest::Approx(highest).epsilon(1e-5));
  }
}

TEST_CASE("Selector: puct with virtual samples follows the formula step by step") {
  Options options;
  options.selection = Selection::puct;
  options.c_puct = 2;
  Family family(options);
  CHECK(family.block().next == 1);  // the largest prior comes first
  std::array<double, 3> sum{0.5, 0.5, 0.5};
  std::array<int, 3> n{1, 1, 1};
  for (int visit = 0; visit < 200; ++visit) {
    const double value = (visit * 37 % 100) / 100.0;
    const int tried = family.try_next(value);
    sum[tried] += value;
    ++n[tried];
    const int samples = std::accumulate(n.begin(), n.end(), 0);
    double best = -1;
    const auto score = [&](int i) {
      return sum[i] / n[i] + 2 * double{family.priors[i]} * std::sqrt(samples) / (1 + n[i]);
    };
    for (int i = 0; i < 3; ++i) best = std::max(best, score(i));
    CHECK(score(family.block().next) == doctest::Approx(best).epsilon(1e-5));
  }
}

TEST_CASE("Selector: without virtual samples an untried move has the position's mean less a bit") {
  Options options;
  options.selection = Selection::puct;
  options.virtual_samples = false;
  options.c_puct = 0.5;
  options.fpu_reduction = 0.25;
  Family family(options);
  double sum = 0.7;  // the position's own value counts once
  std::array<double, 3> results{};
  std::array<int, 3> n{};
  for (int visit = 1; visit <= 100; ++visit) {
    const double value = (visit * 29 % 50) / 50.0;
    const int tried = family.try_next(value);
    results[tried] += value;
    ++n[tried];
    sum += value;
    const auto score = [&](int i) {
      const double q = n[i] > 0 ? results[i] / n[i] : sum / (visit + 1) - 0.25;
      return q + 0.5 * double{family.priors[i]} * std::sqrt(visit) / (1 + n[i]);
    };
    const double best = std::max({score(0), score(1), score(2)});
    CHECK(score(family.block().next) == doctest::Approx(best).epsilon(1e-4));
  }
  CHECK(n[0] > 0);
}

TEST_CASE("dirichlet: shares of one, even in the mean, unequal when alpha is small") {
  games::Random random(3);
  for (const double alpha : {0.01, 0.3, 1.0, 20.0}) {
    std::array<double, 4> mean{};
    double squares = 0;
    constexpr int draws = 4000;
    for (int draw = 0; draw < draws; ++draw) {
      const auto shares = dirichlet(4, alpha, random);
      CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == doctest::Approx(1));
      for (int i = 0; i < 4; ++i) {
        CHECK(shares[i] >= 0);
        mean[i] += shares[i] / draws;
        squares += shares[i] * shares[i] / (4 * draws);
      }
    }
    for (const double m : mean) CHECK(m == doctest::Approx(0.25).epsilon(0.1));
    // The variance of a share of n: (n - 1) / (n^2 (n alpha + 1)).
    CHECK(squares - 1.0 / 16 == doctest::Approx(3 / (16 * (4 * alpha + 1))).epsilon(0.1));
  }
}

TEST_CASE("search by puct: every game, equal priors, the same twice, and noise changes it") {
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    const std::string evaluation = name == "rolit" ? "playout" : "static";
    const Options options = tests::options_of(
        "selection=puct simulations=300 novelty=pseudocount "
        "evaluation=" +
        evaluation);
    const Report report = tests::searched(*game, options);
    tests::check_report(report, *game, options);
    for (const MoveReport& move : report.moves) {
      CHECK(*move.prior == doctest::Approx(1.0 / static_cast<double>(report.moves.size())));
    }
    CHECK(tests::visits(tests::searched(*game, options)) == tests::visits(report));
    if (report.moves.size() < 2) continue;
    Options noisy = options;
    noisy.root_noise = 0.5;
    const Report other = tests::searched(*game, noisy);
    double sum = 0;
    for (const MoveReport& move : other.moves) sum += *move.prior;
    CHECK(sum == doctest::Approx(1));
    CHECK(tests::visits(other) != tests::visits(report));
  }
}
