#include "engine/tree/scoring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "engine/formulas.hpp"
#include "engine/tree/exploration.hpp"
#include "engine/tree/scoring_narrow.hpp"
#include "games/random.hpp"
#include "tests/engine/instruction_sets.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

constexpr int capacity = 368;

struct Moves {
  std::array<float, capacity> base, variance, inverse_root, prior;
  alignas(64) std::array<float, 6 * capacity> terms;
  alignas(64) std::array<float, capacity> score;
  std::array<double, capacity> n;
  int count;
  int padded;

  [[nodiscard]] MoveTerms scored() {  // laid out as blocks are
    std::copy_n(base.begin(), padded, terms.begin());
    std::copy_n(variance.begin(), padded, terms.begin() + padded);
    std::copy_n(inverse_root.begin(), padded, terms.begin() + 2 * padded);
    std::copy_n(prior.begin(), padded, terms.begin() + 5 * padded);
    return {terms.data(), padded};
  }
};

/// Moves with few distinct statistics, so that many are equal.
Moves random_moves(int count, games::Random& random) {
  Moves m;
  m.count = count;
  m.padded = (count + 7) / 8 * 8;
  for (int i = 0; i < m.padded; ++i) {
    m.n[i] = 1 + 100 * random.below(3);
    m.base[i] = i < count ? static_cast<float>(random.below(3)) / 4
                          : -std::numeric_limits<float>::infinity();
    m.variance[i] = static_cast<float>(random.below(2)) / 16;
    m.inverse_root[i] = static_cast<float>(1 / std::sqrt(m.n[i]));
    m.prior[i] = static_cast<float>(1 + random.below(3)) / 8;
  }
  return m;
}

/// The index that the pass must choose, from the scores that it left.
int expected_choice(const Moves& m, int from) {
  int best = from;
  for (int step = 1; step < m.count; ++step) {
    const int i = (from + step) % m.count;
    if (m.score[i] > m.score[best]) best = i;
  }
  return best;
}

/// Options under which every term of a rule counts.
Options options_of(Selection rule) {
  Options options;
  options.selection = rule;
  options.k = 0.6;
  options.c_puct = 1.7;
  options.relative_bonus = true;
  return options;
}

int choose(Moves& m, Selection rule, std::uint32_t samples, int from) {
  return choose_move_by(rule)(m.scored(), m.score.data(), RuleFactors(options_of(rule)),
                              {.samples = samples, .mean = 0.5F}, from);
}

/// The moves that best_of_eight finds, and their scores.
std::uint32_t best_in_narrow(Moves& m, Selection rule, std::uint32_t samples, float* scores) {
  const RuleFactors factors(options_of(rule));
  const NodeTerms node{.samples = samples, .mean = 0.5F};
  return HWY_NAMESPACE::AllRules::with(rule, [&]<class Rule>() {
    return HWY_NAMESPACE::best_of_eight<Rule>(m.scored().terms, scores, factors, node);
  });
}

template <class Check>
void for_each_rule(Check&& check) {
  for (std::size_t i = 0; i < selection_rows().size(); ++i) {
    CAPTURE(selection_rows()[i].name);
    check(static_cast<Selection>(i));
  }
}

}  // namespace

TEST_CASE("choose by every rule: scores as the formulas, ties in cyclic order") {
  tests::with_each_instruction_set([] {
    for_each_rule([](Selection rule) {
      const Options options = options_of(rule);
      games::Random random(1);
      for (int count = 1; count <= 361; count = count < 40 ? count + 1 : count + 53) {
        const std::uint32_t samples = 2 + static_cast<std::uint32_t>(random.below(100000));
        Moves m = random_moves(count, random);
        for (int from = 0; from < count; ++from) {
          CAPTURE(count);
          CAPTURE(from);
          const int chosen = choose(m, rule, samples, from);
          for (int i = 0; i < count; ++i) {
            const MoveSamples move{double(samples), m.n[i], m.variance[i], m.prior[i]};
            const double bonus = selection_row(rule).bonus(options, move);
            REQUIRE(m.score[i] == doctest::Approx(m.base[i] + bonus).epsilon(1e-5));
          }
          CHECK(chosen == expected_choice(m, from));
        }
      }
    });
  });
}

TEST_CASE("choose: no move left is -1, unvisited moves come first") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for_each_rule([](Selection rule) {
    games::Random random(2);
    for (const int count : {3, 7, 8, 20}) {
      Moves m = random_moves(count, random);
      m.base[count - 1] = infinity;
      CHECK(choose(m, rule, 50, 0) == count - 1);
      CHECK(choose(m, rule, 50, count - 1) == count - 1);
      m.base.fill(-infinity);
      CHECK(choose(m, rule, 50, 0) == -1);
    }
  });
}

TEST_CASE("choose: a node with one sample, however its variance was rounded") {
  for_each_rule([](Selection rule) {
    for (const int count : {1, 7, 8, 11, 20, 34}) {
      games::Random random(3);
      Moves m = random_moves(count, random);
      m.inverse_root.fill(1);
      m.variance.fill(0);
      const int chosen = choose(m, rule, 1, count / 2);
      CHECK(chosen >= 0);
      CHECK(chosen < count);
    }
  });
}

TEST_CASE("best_of_eight: by every rule the moves among which choose breaks ties") {
  for_each_rule([](Selection rule) {
    games::Random random(4);
    alignas(64) float scores[8];
    for (int round = 0; round < 200; ++round) {
      Moves m = random_moves(1 + random.below(8), random);
      const auto samples = 2 + static_cast<std::uint32_t>(random.below(1000));
      for (int from = 0; from < m.count; ++from) {
        const std::uint32_t equals = best_in_narrow(m, rule, samples, scores);
        const std::uint32_t ahead = equals >> from << from;
        CHECK(std::countr_zero(ahead != 0 ? ahead : equals) == choose(m, rule, samples, from));
        CHECK(std::ranges::equal(scores, std::span(m.score).first(8)));  // to the bit
      }
      m.base.fill(-std::numeric_limits<float>::infinity());
      CHECK(best_in_narrow(m, rule, samples, scores) == 0);
    }
  });
}

TEST_CASE("root_log, sample_share and NoveltyWeights equal the formulas, in and beyond tables") {
  CHECK(root_log(0) == 0);
  CHECK(root_log(1) == 0);
  for (const std::uint32_t n : {2U, 17U, 16383U, 16384U, 1000000U}) {
    CHECK(root_log(n) == doctest::Approx(std::sqrt(std::log(n))));
    CHECK(sample_share(n).share == 1.0 / n);
    CHECK(sample_share(n).inverse_root == doctest::Approx(1 / std::sqrt(n)));
  }
  NoveltyWeights weights;
  using enum NoveltyMix;
  struct Row {
    NoveltyMix mix;
    double alpha, beta;
    int players = 2;
  };
  // A change of beta, of alpha, of both, of the mix and of the players.
  for (const Row& row : {Row{convex, 0.5, 0.02}, Row{convex, 0.5, 2.0}, Row{convex, 4.0, 2.0},
                         Row{convex, 0.0, 0.0}, Row{convex, 7.0, 0.0}, Row{convex, 0.5, 0.02},
                         Row{additive, 0.5, 0.02}, Row{centred, 0.5, 0.02}, Row{centred, 4.0, 2.0},
                         Row{centred, 4.0, 2.0, 4}, Row{convex, 4.0, 2.0}}) {
    weights.set(row.mix, row.alpha, row.beta, row.players);
    for (const std::uint32_t n : {1U, 2U, 16383U, 16384U, 50000U}) {
      const double b = novelty_weight(row.beta, n);
      CHECK(weights.of(n).novelty == static_cast<float>(b * row.alpha));
      for (const float novelty : {0.0F, 0.125F, 3.0F}) {
        for (const float mean : {0.0F, 0.25F, 0.5F, 1.0F}) {
          // The formula has 53 bits and the pass 24, which lose a little in each operation.
          const double formula = novelty_mix(row.mix, b, row.alpha, novelty, mean, row.players);
          CHECK(weights.mixed(weights.of(n), novelty, mean) ==
                doctest::Approx(formula).epsilon(2e-7));
        }
      }
    }
  }
}
