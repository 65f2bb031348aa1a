#include "clients/experiments/statistics/ratings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <stdexcept>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

bool is_near(std::optional<double> value, double expected, double tolerance = 1e-6) {
  return value && std::abs(*value - expected) < tolerance;
}

Tally tally(int wins, int draws, int losses) { return {wins, draws, losses, 6 * draws}; }

/// The example of the oracle: A, B, C.
Crosstable three() {
  Crosstable table(3);
  table.add(0, 1, tally(60, 10, 30));
  table.add(0, 2, tally(70, 5, 25));
  table.add(1, 2, tally(55, 10, 35));
  return table;
}

RatingOptions rao_kupper(std::optional<double> draw_elo = std::nullopt, double prior = 0) {
  return {RatingModel::rao_kupper, draw_elo, prior};
}

RatingOptions bradley_terry(double prior) {
  return {RatingModel::bradley_terry, std::nullopt, prior};
}

Crosstable any_table(int players, std::mt19937_64& random) {
  Crosstable table(players);
  for (int i = 0; i < players; ++i) {
    for (int j = 0; j < i; ++j) {
      const auto some = [&] { return static_cast<int>(random() % 40); };
      table.add(i, j, tally(some() + 1, some(), some() * some() + 1));
    }
  }
  return table;
}

/// A rating on the scale of Ordo, where 202 points are a score of 76 %.
double ordo_of(double elo) { return elo * 202.0 / *elo_of(0.76); }

}  // namespace

TEST_CASE("rate: Bradley-Terry with half draws") {
  const Ratings ratings = rate(three());
  constexpr double elo[] = {92.133938, -12.314524, -79.819414};
  constexpr double error[] = {34.796359, 33.131348, 34.339020};
  constexpr double ordo[] = {92.943309, -12.422704, -80.520605};
  for (int i = 0; i < 3; ++i) {
    CHECK(ratings.players[i].status == RatingStatus::rated);
    CHECK(ratings.players[i].component == 0);
    CHECK(is_near(ratings.players[i].elo, elo[i]));
    CHECK(is_near(ratings.players[i].error, error[i]));
    CHECK(is_near(ordo_of(ratings.players[i].elo), ordo[i]));
  }
  CHECK(ratings.components == 1);
  CHECK_FALSE(ratings.draw_elo);
  CHECK(is_near(ratings.difference(0, 1), elo[0] - elo[1], 2e-6));
  CHECK(is_near(ratings.difference_error(0, 1), 58.632563));
  CHECK(is_near(ratings.superiority(0, 1),
                probability_positive(elo[0] - elo[1], 58.632563 / exact_normal_95)));
  CHECK(is_near(ratings.superiority(1, 0), 1 - *ratings.superiority(0, 1), 1e-12));
  CHECK(ratings.superiority(1, 1) == 0.5);
  const EloEstimate same = ratings.contrast({{0, 1}, {1, -1}});
  CHECK(is_near(*same.elo, *ratings.difference(0, 1), 1e-9));
  CHECK(is_near(*same.error(), *ratings.difference_error(0, 1), 1e-9));
  // How far the first is above the mean of the others, whose ratings add up to minus its own.
  const EloEstimate lead = ratings.contrast({{0, 1}, {1, -0.5}, {2, -0.5}});
  CHECK(is_near(*lead.elo, 1.5 * ratings.players[0].elo, 1e-9));
  CHECK(is_near(*lead.error(), 1.5 * *ratings.players[0].error, 1e-9));
  CHECK_FALSE(ratings.contrast({}).elo);
}

TEST_CASE("rate: Rao-Kupper with BayesElo's draw parameter for chess") {
  const Ratings ratings = rate(three(), rao_kupper(97.3));
  CHECK(is_near(ratings.players[0].elo, 114.344268));
  CHECK(is_near(ratings.players[1].elo, -14.769324));
  CHECK(is_near(ratings.players[2].elo, -99.574944));
  CHECK(is_near(ratings.log_likelihood, -283.475314));
  CHECK(is_near(ratings.draw_elo, 97.3));
}

TEST_CASE("rate: Rao-Kupper's fitted draw parameter is the likeliest") {
  const Crosstable table = three();
  const Ratings fitted = rate(table, rao_kupper());
  REQUIRE(fitted.draw_elo);
  for (const double off : {-1.0, 1.0}) {
    const Ratings near = rate(table, rao_kupper(*fitted.draw_elo + off));
    CHECK(near.log_likelihood < fitted.log_likelihood);
  }
  const Ratings same = rate(table, rao_kupper(fitted.draw_elo));
  CHECK(is_near(same.log_likelihood, fitted.log_likelihood, 1e-9));
  for (int i = 0; i < 3; ++i) CHECK(is_near(same.players[i].elo, fitted.players[i].elo));

  // The derivative by the draw parameter is zero: what the 25 draws gain, all results lose.
  const double draw = *fitted.draw_elo;
  const double gain = 25 * 2 / (1 - std::exp(-2 * draw / elo_scale));
  double loss = 0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Tally& results = table(i, j);
      loss += (results.wins + results.draws) * score_of(draw - *fitted.difference(i, j));
    }
  }
  CHECK(is_near(loss, gain, 1e-8));
}

TEST_CASE("rate: two players are as far apart as their score says") {
  Crosstable table(2);
  table.add(0, 1, tally(60, 20, 20));
  const Ratings ratings = rate(table);
  CHECK(is_near(ratings.difference(0, 1), *elo_of(0.7), 1e-9));
  CHECK(is_near(ratings.players[0].elo + ratings.players[1].elo, 0.0, 1e-9));
  // Without draws the models are one.
  Crosstable drawless(2);
  drawless.add(0, 1, tally(70, 0, 30));
  const Ratings fitted = rate(drawless, rao_kupper());
  CHECK(fitted.draw_elo == 0.0);
  CHECK(is_near(fitted.difference(0, 1), *elo_of(0.7), 1e-9));
  CHECK(is_near(fitted.difference_error(0, 1), *ratings.difference_error(0, 1), 1e-9));
}

TEST_CASE("rate: every player's points are those expected, and the mean is 0") {
  std::mt19937_64 random(1);
  for (const int players : {2, 3, 7, 20}) {
    const Crosstable table = any_table(players, random);
    const Ratings ratings = rate(table);
    double sum = 0;
    for (int i = 0; i < players; ++i) {
      double expected = 0;
      for (int j = 0; j < players; ++j) {
        expected += table(i, j).games() * score_of(*ratings.difference(i, j));
      }
      // The gradient; also the fixed point of Hunter's iteration.
      CHECK(is_near(expected, table.total(i).points(), 1e-8));
      sum += ratings.players[i].elo;
    }
    CHECK(is_near(sum, 0.0, 1e-9));
  }
}

TEST_CASE("rate: results turned round turn the ratings round") {
  std::mt19937_64 random(2);
  const Crosstable table = any_table(5, random);
  Crosstable turned(5);
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < i; ++j) turned.add(i, j, table(j, i));
  }
  for (const RatingOptions& options : {RatingOptions{}, rao_kupper(), rao_kupper(50.0, 2.0)}) {
    const Ratings one = rate(table, options);
    const Ratings other = rate(turned, options);
    for (int i = 0; i < 5; ++i) {
      CHECK(is_near(other.players[i].elo, -one.players[i].elo));
      CHECK(is_near(other.players[i].error, *one.players[i].error));
    }
  }
}

TEST_CASE("rate: four times the games, half the error") {
  Crosstable four = three();
  for (int times = 1; times < 4; ++times) {
    four.add(0, 1, tally(60, 10, 30));
    four.add(0, 2, tally(70, 5, 25));
    four.add(1, 2, tally(55, 10, 35));
  }
  for (const RatingOptions& options : {RatingOptions{}, rao_kupper()}) {
    const Ratings few = rate(three(), options);
    const Ratings many = rate(four, options);
    for (int i = 0; i < 3; ++i) {
      CHECK(is_near(many.players[i].elo, few.players[i].elo));
      CHECK(is_near(many.players[i].error, *few.players[i].error / 2));
    }
  }
}

TEST_CASE("rate: a win more is worth something") {
  Crosstable more = three();
  more.add(1, 2, tally(1, 0, 0));
  CHECK(*rate(more).difference(1, 2) > *rate(three()).difference(1, 2));
}

TEST_CASE("rate: shares of a point count in Bradley-Terry's model") {
  Crosstable table(2);
  table.add(0, 1, {0, 9, 0, 9 * 4});
  CHECK(is_near(rate(table).difference(0, 1), *elo_of(1.0 / 3), 1e-9));
}

TEST_CASE("rate: lopsided results have their finite ratings") {
  Crosstable table(2);
  table.add(0, 1, tally(999999, 0, 1));
  CHECK(is_near(rate(table).difference(0, 1), *elo_of(0.999999), 1e-6));
  table.add(0, 1, tally(1000000000, 0, 0));
  CHECK(is_near(rate(table).difference(0, 1), elo_scale * std::log(1000999999.0), 1e-6));
}

TEST_CASE("rate: players without a finite rating are told apart") {
  // 0 has won all, 4 lost all, 5 has not played; 1, 2 and 3 have beaten each other.
  Crosstable table(6);
  table.add(0, 1, tally(5, 0, 0));
  table.add(0, 2, tally(5, 0, 0));
  table.add(1, 2, tally(3, 0, 2));
  table.add(2, 3, tally(3, 0, 2));
  table.add(3, 1, tally(3, 0, 2));
  table.add(3, 4, tally(2, 0, 0));
  const Ratings ratings = rate(table);
  using enum RatingStatus;
  constexpr RatingStatus expected[] = {won_all, rated, rated, rated, lost_all, no_games};
  constexpr int components[] = {0, 1, 1, 1, 2, 3};
  for (int i = 0; i < 6; ++i) {
    CAPTURE(i);
    CHECK(ratings.players[i].status == expected[i]);
    CHECK(ratings.players[i].component == components[i]);
    CHECK(is_near(ratings.players[i].elo, 0.0));  // a circle of equals
    CHECK(ratings.players[i].error.has_value() == (expected[i] == rated));
  }
  CHECK(ratings.components == 4);
  CHECK_FALSE(ratings.difference(0, 1));
  CHECK_FALSE(ratings.difference_error(0, 1));
  CHECK_FALSE(ratings.superiority(0, 1));
  CHECK_FALSE(ratings.contrast({{0, 1}, {1, -1}}).elo);
  CHECK(ratings.superiority(1, 2).has_value());
}

TEST_CASE("rate: a player between two others") {
  Crosstable table(3);
  table.add(0, 1, tally(5, 0, 0));
  table.add(1, 2, tally(5, 0, 0));
  const Ratings ratings = rate(table);
  CHECK(ratings.players[0].status == RatingStatus::won_all);
  CHECK(ratings.players[1].status == RatingStatus::separated);
  CHECK(ratings.players[2].status == RatingStatus::lost_all);
  CHECK(ratings.covariances.empty());
}

TEST_CASE("rate: components that never met are rated each by itself") {
  Crosstable table(5);
  table.add(0, 2, tally(60, 20, 20));
  table.add(1, 3, tally(30, 0, 10));
  table.add(3, 4, tally(30, 0, 10));
  for (const RatingOptions& options : {RatingOptions{}, rao_kupper(), bradley_terry(1)}) {
    const Ratings ratings = rate(table, options);
    CHECK(ratings.components == 2);
    CHECK(is_near(ratings.players[0].elo + ratings.players[2].elo, 0.0));
    CHECK(is_near(ratings.players[1].elo + ratings.players[3].elo + ratings.players[4].elo, 0.0));
    CHECK_FALSE(ratings.superiority(0, 1));
    CHECK(ratings.superiority(0, 2).has_value());
  }
  CHECK(is_near(rate(table).difference(0, 2), *elo_of(0.7)));
  CHECK(is_near(rate(table).difference(1, 3), *elo_of(0.75)));
}

TEST_CASE("rate: with a prior all who have played are rated") {
  Crosstable table(4);
  table.add(0, 1, tally(10, 0, 0));
  table.add(1, 2, tally(10, 0, 0));
  for (const RatingModel model : {RatingModel::bradley_terry, RatingModel::rao_kupper}) {
    const Ratings ratings = rate(table, {model, std::nullopt, 2.0});
    for (int i = 0; i < 3; ++i) CHECK(ratings.players[i].status == RatingStatus::rated);
    CHECK(ratings.players[0].elo > 0);
    CHECK(is_near(ratings.players[1].elo, 0.0));
    CHECK(is_near(ratings.players[2].elo, -ratings.players[0].elo));
    CHECK(ratings.players[3].status == RatingStatus::no_games);
  }
  // 0 and 1 share two draws of player 0's and one of player 1's: 11.5 of 13 points.
  CHECK(is_near(rate(table, bradley_terry(2.0)).difference(0, 1), *elo_of(11.5 / 13)));
}

TEST_CASE("rate: draws only") {
  Crosstable table(2);
  table.add(0, 1, tally(0, 10, 0));
  CHECK(is_near(rate(table).difference(0, 1), 0.0));
  CHECK(rate(table).players[0].error.has_value());
  const Ratings fitted = rate(table, rao_kupper());
  CHECK(fitted.players[0].status == RatingStatus::rated);
  CHECK(is_near(fitted.difference(0, 1), 0.0));
  CHECK_FALSE(fitted.players[0].error);
  CHECK_FALSE(fitted.draw_elo);
  CHECK_FALSE(fitted.superiority(0, 1));
}

TEST_CASE("rate: nobody, or nobody who has played") {
  CHECK(rate(Crosstable(0)).players.empty());
  const Ratings ratings = rate(Crosstable(2), rao_kupper());
  CHECK(ratings.components == 2);
  CHECK(ratings.players[1].status == RatingStatus::no_games);
  CHECK(ratings.log_likelihood == 0.0);
}

TEST_CASE("rate: options that make no sense are refused") {
  const double nan = std::nan("");
  for (const RatingOptions& wrong : {rao_kupper(-1.0), rao_kupper(nan), rao_kupper(0.0),
                                     rao_kupper(1e9), rao_kupper(97.3, -1.0), bradley_terry(nan)}) {
    CHECK_THROWS_AS(static_cast<void>(rate(three(), wrong)), std::invalid_argument);
  }
}

}  // namespace pitboss::clients
