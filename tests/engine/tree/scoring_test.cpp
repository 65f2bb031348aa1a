#include "engine/tree/scoring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <utility>

#include "engine/formulas.hpp"
#include "engine/tree/exploration.hpp"
#include "engine/tree/scoring_narrow.hpp"
#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

constexpr int capacity = 368;

struct Moves {
  std::array<float, capacity> base, variance, inverse_root;
  alignas(64) std::array<float, 3 * capacity> terms;
  alignas(64) std::array<float, capacity> score;
  std::array<double, capacity> n;
  int count;
  int padded;

  [[nodiscard]] MoveTerms scored() {  // laid out as blocks are
    std::copy_n(base.begin(), padded, terms.begin());
    std::copy_n(variance.begin(), padded, terms.begin() + padded);
    std::copy_n(inverse_root.begin(), padded, terms.begin() + 2 * padded);
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

int choose_ucb1(Moves& m, Exploration x, int from) {
  return choose_move_by(Selection::ucb1)(m.scored(), m.score.data(), x, from);
}
int choose_ucb1_tuned(Moves& m, Exploration x, int from) {
  return choose_move_by(Selection::ucb1_tuned)(m.scored(), m.score.data(), x, from);
}

}  // namespace

TEST_CASE("choose_ucb1 and choose_ucb1_tuned: scores as the formulas, ties in cyclic order") {
  games::Random random(1);
  for (int count = 1; count <= 361; count = count < 40 ? count + 1 : count + 53) {
    const std::uint32_t samples = 2 + static_cast<std::uint32_t>(random.below(100000));
    const float k = 0.6F;
    Moves m = random_moves(count, random);
    for (int from = 0; from < count; ++from) {
      CAPTURE(count);
      CAPTURE(from);
      const int plain = choose_ucb1(m, exploration(k, samples), from);
      if (m.padded > 8) {  // a single vector of scores is not stored
        for (int i = 0; i < count; ++i) {
          const double expected = m.base[i] + ucb1_bonus(k, samples, m.n[i]);
          REQUIRE(m.score[i] == doctest::Approx(expected).epsilon(1e-5));
        }
      } else {
        for (int i = 0; i < count; ++i) {
          m.score[i] = m.base[i] + exploration(k, samples).root_log * m.inverse_root[i];
        }
      }
      CHECK(plain == expected_choice(m, from));
      const int tuned = choose_ucb1_tuned(m, exploration(k, samples), from);
      double best = -1;
      for (int i = 0; i < count; ++i) {
        const double score = m.base[i] + ucb1_tuned_bonus(k, samples, m.n[i], m.variance[i]);
        best = std::max(best, score);
        if (m.padded > 8) REQUIRE(m.score[i] == doctest::Approx(score).epsilon(1e-5));
      }
      CHECK(m.base[tuned] + ucb1_tuned_bonus(k, samples, m.n[tuned], m.variance[tuned]) ==
            doctest::Approx(best).epsilon(1e-5));
    }
  }
}

TEST_CASE("choose: no move left is -1, unvisited moves come first") {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  games::Random random(2);
  for (const int count : {3, 7, 8, 20}) {
    Moves m = random_moves(count, random);
    for (int i = 0; i < count; ++i) m.inverse_root[i] = 0;
    m.base[count - 1] = infinity;
    CHECK(choose_ucb1_tuned(m, exploration(1, 50), 0) == count - 1);
    CHECK(choose_ucb1(m, exploration(1, 50), count - 1) == count - 1);
    m.base.fill(-infinity);
    CHECK(choose_ucb1_tuned(m, exploration(1, 50), 0) == -1);
    CHECK(choose_ucb1(m, exploration(1, 50), 0) == -1);
  }
}

TEST_CASE("choose: a node with one sample, however its variance was rounded") {
  for (const int count : {1, 7, 8, 11, 20, 34}) {
    games::Random random(3);
    Moves m = random_moves(count, random);
    for (int i = 0; i < count; ++i) m.inverse_root[i] = 1;
    m.variance.fill(0);
    const int chosen = choose_ucb1_tuned(m, exploration(1, 1), count / 2);
    CHECK(chosen >= 0);
    CHECK(chosen < count);
  }
}

TEST_CASE("best_of_eight: the moves among which choose breaks ties") {
  using HWY_NAMESPACE::best_of_eight;
  games::Random random(4);
  for (int round = 0; round < 200; ++round) {
    Moves m = random_moves(1 + random.below(8), random);
    const Exploration x = exploration(0.6F, 2 + static_cast<std::uint32_t>(random.below(1000)));
    alignas(64) float scores[8];
    for (int from = 0; from < m.count; ++from) {
      const auto first = [&](std::uint32_t equals) {
        const std::uint32_t ahead = equals >> from << from;
        return std::countr_zero(ahead != 0 ? ahead : equals);
      };
      const float* const terms = m.scored().terms;
      CHECK(first(best_of_eight<HWY_NAMESPACE::Ucb1Tuned>(terms, scores, x)) ==
            choose_ucb1_tuned(m, x, from));
      CHECK(first(best_of_eight<HWY_NAMESPACE::Ucb1>(terms, scores, x)) == choose_ucb1(m, x, from));
      CHECK(scores[choose_ucb1(m, x, from)] == *std::ranges::max_element(scores));
    }
    m.base.fill(-std::numeric_limits<float>::infinity());
    CHECK(best_of_eight<HWY_NAMESPACE::Ucb1Tuned>(m.scored().terms, scores, x) == 0);
  }
}

TEST_CASE("exploration, sample_share and NoveltyWeights equal the formulas, in and beyond tables") {
  CHECK(exploration(1, 0).root_log == 0);
  CHECK(exploration(1, 1).root_log == 0);
  for (const std::uint32_t n : {2U, 17U, 16383U, 16384U, 1000000U}) {
    CHECK(exploration(2, n).root_log == doctest::Approx(2 * std::sqrt(std::log(n))));
    CHECK(exploration(2, n).root_2log == doctest::Approx(std::sqrt(2 * std::log(n))));
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
