#include "engine/scoring.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/exploration.hpp"
#include "engine/formulas.hpp"
#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

struct Moves {
  std::vector<float> base, variance, spread, score;
  std::vector<double> n;
};

Moves random_moves(int count, games::Random& random) {
  Moves m;
  for (int i = 0; i < count; ++i) {
    const double n = 1 + random.below(1000);
    m.n.push_back(n);
    m.base.push_back(static_cast<float>(random.below(1000)) / 1000);
    m.variance.push_back(static_cast<float>(random.below(1000)) / 4000);
    m.spread.push_back(static_cast<float>(1 / std::sqrt(n)));
  }
  m.score.resize(m.base.size());
  return m;
}

}  // namespace

TEST_CASE("score_ucb1 and score_ucb1_tuned equal the formulas") {
  games::Random random(1);
  for (const int count : {8, 16, 24, 64, 368}) {
    const std::uint32_t samples = 2 + static_cast<std::uint32_t>(random.below(100000));
    const float k = 0.6F;
    Moves m = random_moves(count, random);
    score_ucb1(m.base.data(), m.spread.data(), exploration(k, samples), m.score.data(), count);
    for (int i = 0; i < count; ++i) {
      CHECK(m.score[i] ==
            doctest::Approx(m.base[i] + ucb1_bonus(k, samples, m.n[i])).epsilon(1e-5));
    }
    score_ucb1_tuned(m.base.data(), m.variance.data(), m.spread.data(), exploration(k, samples),
                     m.score.data(), count);
    for (int i = 0; i < count; ++i) {
      const double expected = m.base[i] + ucb1_tuned_bonus(k, samples, m.n[i], m.variance[i]);
      CHECK(m.score[i] == doctest::Approx(expected).epsilon(1e-5));
    }
    CHECK(largest(m.score.data(), count) == *std::max_element(m.score.begin(), m.score.end()));
  }
}

TEST_CASE("exploration of a node that has no samples or one is 0") {
  CHECK(exploration(1, 0).root_log == 0);
  CHECK(exploration(1, 1).root_log == 0);
  CHECK(exploration(2, 100000).root_log == doctest::Approx(2 * std::sqrt(std::log(1e5))));
}
