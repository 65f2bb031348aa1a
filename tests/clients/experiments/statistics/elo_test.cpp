#include "clients/experiments/statistics/elo.hpp"

#include <doctest/doctest.h>

#include <array>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace pitboss::clients {

namespace {

/// To the digits the oracle prints.
constexpr double digits = 1e-6;

bool is_near(std::optional<double> value, double expected, double tolerance = digits) {
  return value && std::abs(*value - expected) < tolerance;
}

struct Row {
  Scores scores;
  double elo;
  double error;
  double normalized;
  double normalized_error;
  double superiority;
};

}  // namespace

TEST_CASE("exact_normal_95") {
  CHECK(exact_normal_95 == doctest::Approx(quantile(boost::math::normal(), 0.975)).epsilon(1e-15));
}

TEST_CASE("elo_of and score_of") {
  CHECK(score_of(0) == 0.5);
  CHECK(is_near(score_of(400), 10.0 / 11));
  CHECK(is_near(elo_of(0.75), 190.848502));
  CHECK(is_near(2 * elo_scale, 347.43558552260146, 1e-11));
  for (double elo = -800; elo <= 800; elo += 50) CHECK(is_near(elo_of(score_of(elo)), elo, 1e-9));
  for (const double score : {0.0, 1.0, -0.1, 1.1, std::nan("")}) CHECK_FALSE(elo_of(score));
}

TEST_CASE("elo_estimate: a bound on one side needs ten rounds") {
  // Three pairs of a win and a loss, all others lost.
  const EloEstimate beaten = elo_estimate(pentanomial({17, 0, 3, 0, 0}));
  CHECK(is_near(beaten.elo, -436.432188));
  CHECK(is_near(beaten.high, -296.948, 1e-3));
  CHECK_FALSE(beaten.low);
  const EloEstimate few = elo_estimate(pentanomial({8, 0, 1, 0, 0}));
  CHECK(few.elo);
  CHECK_FALSE(few.low);
  CHECK_FALSE(few.high);
  CHECK(elo_estimate(pentanomial({9, 0, 1, 0, 0})).high);
  CHECK(elo_estimate(pentanomial({3, 0, 0, 0, 0})).high);  // by the rule of three
}

TEST_CASE("elo_estimate, normalized_elo_estimate, superiority") {
  // From fastchess's own sources, compiled.
  const Row rows[] = {
      {pentanomial({10, 40, 100, 50, 20}), 23.725600, 22.342798, 34.628323, 32.463553, .981721},
      {pentanomial({30, 120, 250, 160, 40}), 17.386278, 13.396764, 25.567016, 19.657658, .994601},
      {pentanomial({0, 3, 7, 9, 1}), 70.436504, 64.255180, 122.837029, 107.669425, .987326},
      {pentanomial({34, 54, 63, 64, 75}), 55.579780, 27.653430, 57.935600, 28.275376, 1.0000},
      {trinomial(1120, 0, 880), 41.894140, 15.347994, 41.995736, 15.226756, 1.0000},
      {trinomial(300, 450, 250), 17.386278, 15.984908, 23.477521, 21.533885, .9837},
      {trinomial(12, 5, 3), 168.402125, 157.136730, 211.297691, 152.267561, .9967},
  };
  for (const Row& row : rows) {
    CAPTURE(row.elo);
    const EloEstimate elo = elo_estimate(row.scores);
    CHECK(is_near(elo.elo, row.elo));
    CHECK(is_near(elo.error(), row.error));
    const EloEstimate normalized = normalized_elo_estimate(row.scores);
    CHECK(is_near(normalized.elo, row.normalized));
    CHECK(is_near(normalized.error(), row.normalized_error));
    CHECK(is_near(superiority(row.scores), row.superiority, 1e-4));
  }
  CHECK(is_near(superiority(rows[0].scores), rows[0].superiority));
  CHECK(is_near(superiority(rows[1].scores), rows[1].superiority));
  CHECK(is_near(superiority(rows[2].scores), rows[2].superiority));
}

TEST_CASE("normalized_elo_error") {
  CHECK(is_near(normalized_elo_error(2000), 15.226756));
  CHECK(is_near(normalized_elo_error(10000), 6.8, 0.05));
  CHECK(is_near(normalized_elo_error(25000), 4.3, 0.05));
}

TEST_CASE("Elo of the other player: the same, negated") {
  Scores thirds(6);
  for (const int twelfths : {4, 12, 40, 40, 52, 72}) thirds.add(twelfths, 3);
  for (const Scores& scores : {pentanomial({10, 40, 100, 50, 20}), trinomial(12, 5, 3), thirds}) {
    const EloEstimate mine = elo_estimate(scores);
    const EloEstimate theirs = elo_estimate(scores.reversed());
    CHECK(is_near(theirs.elo, -*mine.elo));
    CHECK(is_near(theirs.low, -*mine.high));
    CHECK(is_near(theirs.high, -*mine.low));
    CHECK(is_near(normalized_elo_estimate(scores.reversed()).elo,
                  -*normalized_elo_estimate(scores).elo));
    CHECK(is_near(superiority(scores.reversed()), 1 - superiority(scores), 1e-12));
  }
}

TEST_CASE("Elo and its likelihood rise with each win") {
  for (int wins = 1; wins < 20; ++wins) {
    const Scores less = trinomial(wins, 20, 20 - wins);
    const Scores more = trinomial(wins + 1, 20, 19 - wins);
    REQUIRE(*elo_estimate(less).elo < *elo_estimate(more).elo);
    REQUIRE(superiority(less) < superiority(more));
    REQUIRE(elo_estimate(less).low.value_or(-1e9) <= *elo_estimate(less).elo);
    REQUIRE(elo_estimate(less).high.value_or(1e9) >= *elo_estimate(less).elo);
  }
}

TEST_CASE("Pairs of independent games say what the games say") {
  // 30 % won, 45 % drawn, 25 % lost.
  const Scores games = trinomial(6000, 9000, 5000);
  const Scores pairs = pentanomial({625, 2250, 2025 + 1500, 2700, 900});
  REQUIRE(games.games() == pairs.games());
  CHECK(is_near(elo_estimate(pairs).elo, *elo_estimate(games).elo));
  CHECK(is_near(elo_estimate(pairs).error(), *elo_estimate(games).error()));
  CHECK(is_near(normalized_elo_estimate(pairs).elo, *normalized_elo_estimate(games).elo));
  CHECK(is_near(normalized_elo_estimate(pairs).error(), normalized_elo_error(20000)));
  CHECK(is_near(superiority(pairs), superiority(games), 1e-12));
}

TEST_CASE("No data, no Elo") {
  for (const Scores& none : {Scores(1), Scores(2), Scores(14)}) {
    CHECK_FALSE(elo_estimate(none).elo);
    CHECK_FALSE(elo_estimate(none).low);
    CHECK_FALSE(elo_estimate(none).high);
    CHECK_FALSE(normalized_elo_estimate(none).elo);
    CHECK_FALSE(normalized_elo_estimate(none).error());
    CHECK(superiority(none) == 0.5);
  }
}

TEST_CASE("All won: a lower bound only, and all lost: an upper bound only") {
  const EloEstimate won = elo_estimate(pentanomial({0, 0, 0, 0, 50}));
  CHECK_FALSE(won.elo);
  CHECK_FALSE(won.high);
  CHECK_FALSE(won.error());
  CHECK(is_near(won.low, *elo_of(1 + std::log(0.05) / 50)));
  CHECK(is_near(superiority(pentanomial({0, 0, 0, 0, 50})), 1.0, 1e-15));
  CHECK(superiority(trinomial(1, 0, 0)) == 0.75);

  const EloEstimate lost = elo_estimate(trinomial(0, 0, 50));
  CHECK_FALSE(lost.elo);
  CHECK_FALSE(lost.low);
  CHECK(is_near(lost.high, -*won.low));
  CHECK(superiority(trinomial(0, 0, 2)) == 0.125);
  CHECK_FALSE(normalized_elo_estimate(trinomial(0, 0, 50)).elo);

  // One win: nothing follows.
  CHECK_FALSE(elo_estimate(trinomial(1, 0, 0)).low);
}

TEST_CASE("superiority: each round that ended as all others halves the doubt, whatever its games") {
  for (const int games_per_round : {1, 2, 6}) {
    CAPTURE(games_per_round);
    double doubt = 0.5;
    for (int rounds = 1; rounds <= 5; ++rounds) {
      doubt /= 2;
      CAPTURE(rounds);
      // All games won, and one half point more than half of the points.
      for (const int twelfths : {12 * games_per_round, 6 * games_per_round + 6}) {
        Scores scores(games_per_round);
        scores.add(twelfths, rounds);
        CHECK(superiority(scores) == 1 - doubt);
        CHECK(superiority(scores.reversed()) == doubt);
      }
    }
  }
}

TEST_CASE("All rounds drawn: equal, within what the rule of three allows") {
  const EloEstimate drawn = elo_estimate(pentanomial({0, 0, 50, 0, 0}));
  CHECK(is_near(drawn.elo, 0.0));
  CHECK(is_near(drawn.high, *elo_of(0.5 - std::log(0.05) / 100)));
  CHECK(is_near(drawn.low, -*drawn.high));
  CHECK(superiority(pentanomial({0, 0, 50, 0, 0})) == 0.5);
  CHECK_FALSE(normalized_elo_estimate(pentanomial({0, 0, 50, 0, 0})).elo);
}

}  // namespace pitboss::clients
