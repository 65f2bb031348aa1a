#include "clients/experiments/statistics/scores.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

namespace pitboss::clients {

TEST_CASE("Scores: classes of halves from the start, others as they occur") {
  Scores scores(2);
  REQUIRE(scores.classes().size() == 5);
  scores.add(8, 3);
  scores.add(12);
  scores.add(8);
  REQUIRE(scores.classes().size() == 6);
  constexpr int twelfths[] = {0, 6, 8, 12, 18, 24};
  constexpr int rounds[] = {0, 0, 4, 1, 0, 0};
  for (std::size_t i = 0; i < scores.classes().size(); ++i) {
    CHECK(scores.classes()[i].twelfths == twelfths[i]);
    CHECK(scores.classes()[i].rounds == rounds[i]);
  }
  CHECK(scores.rounds() == 5);
  CHECK(scores.games() == 10);
  CHECK(scores.score(scores.classes()[2]) == 8.0 / 24);
  CHECK(scores.mean() == doctest::Approx((4 * 8 + 12) / (5 * 24.0)));
}

TEST_CASE("Scores: mean, variance, standard error") {
  const Scores games = trinomial(3, 4, 1);
  CHECK(games.mean() == 0.625);
  CHECK(games.variance() == doctest::Approx((3 * 1.0 + 4 * 0.25) / 8 - 0.625 * 0.625));
  CHECK(games.standard_error() == doctest::Approx(std::sqrt(games.variance() / 8)));
  CHECK(std::abs(pentanomial({10, 40, 100, 50, 20}).mean() - .534090909) < 1e-9);
}

TEST_CASE("Scores: the interval of a win rate near 50 %") {
  struct Row {
    int games;
    double half_width;
  };
  for (const Row& row : {Row{2000, 0.0219}, Row{10000, 0.0098}, Row{25000, 0.0062}}) {
    const Interval interval = trinomial(row.games / 2, 0, row.games / 2).interval();
    CHECK(std::abs(interval.high - 0.5 - row.half_width) < 5e-5);
    CHECK(std::abs(interval.low - 0.5 + row.half_width) < 5e-5);
  }
}

TEST_CASE("Scores: intervals stay between 0 and 1") {
  CHECK(trinomial(0, 0, 0).interval().low == 0.0);
  CHECK(trinomial(0, 0, 0).interval().high == 1.0);
  CHECK(trinomial(4, 0, 1).interval().high == 1.0);
  CHECK(trinomial(1, 0, 4).interval().low == 0.0);
}

TEST_CASE("Scores: rule of three if all rounds scored alike") {
  CHECK(std::abs(trinomial(20, 0, 0).interval().low - 0.850213) < 1e-6);
  CHECK(trinomial(20, 0, 0).interval().high == 1.0);
  CHECK(std::abs(trinomial(0, 0, 20).interval().high - 0.149787) < 1e-6);
  const Interval draws = pentanomial({0, 0, 20, 0, 0}).interval();
  CHECK(std::abs(draws.low - 0.5 * 0.850213) < 1e-6);
  CHECK(std::abs(draws.high - (1 - 0.5 * 0.850213)) < 1e-6);
  CHECK(trinomial(1, 0, 0).interval().low == 0.0);
  CHECK(pentanomial({0, 0, 20, 0, 0}).all_alike());
  CHECK_FALSE(pentanomial({0, 0, 20, 0, 1}).all_alike());
}

TEST_CASE("Scores as the other player sees them") {
  Scores scores = pentanomial({1, 2, 3, 4, 5});
  scores.add(8, 7);
  const Scores other = scores.reversed();
  CHECK(other.mean() == doctest::Approx(1 - scores.mean()));
  CHECK(other.variance() == doctest::Approx(scores.variance()));
  CHECK(other.classes().front().rounds == 5);
  CHECK(other.classes()[3].twelfths == 16);
  CHECK(other.rounds() == scores.rounds());
}

TEST_CASE("Scores: impossible scores are refused and change nothing") {
  Scores scores(2);
  CHECK_THROWS_AS(scores.add(25), std::invalid_argument);
  CHECK_THROWS_AS(scores.add(-1), std::invalid_argument);
  CHECK_THROWS_AS(scores.add(12, -1), std::invalid_argument);
  CHECK_THROWS_AS(Scores(0), std::invalid_argument);
  CHECK(scores.rounds() == 0);
  CHECK(scores.classes().size() == 5);
}

}  // namespace pitboss::clients
