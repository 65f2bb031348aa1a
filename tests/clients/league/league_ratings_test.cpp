#include "clients/league/league_ratings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/ratings.hpp"

namespace pitboss::clients {

namespace {

double logistic(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

/// As many of `games` games as the model expects to be won, drawn and lost.
SeatTally expected(int first, int second, double lead, double draw, double games) {
  const double wins = games * logistic(lead - draw);
  const double losses = games * logistic(-lead - draw);
  return {first, second, wins, games - wins - losses, losses};
}

}  // namespace

TEST_CASE("rate_league: what the model expects is what it finds") {
  constexpr double elo[] = {100, -40, 0, 260};
  constexpr double seat = 70;
  constexpr double draw = 55;
  LeagueGames games{.anchors = {100.0, std::nullopt, std::nullopt, std::nullopt}, .tallies = {}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) {
      if (i != j) games.tallies.push_back(expected(i, j, elo[i] - elo[j] + seat, draw, 1e6));
    }
  }
  const LeagueRatings ratings = rate_league(games);
  for (int i = 0; i < 4; ++i) CHECK(ratings.elo[i] == doctest::Approx(elo[i]).epsilon(1e-3));
  CHECK(ratings.seat == doctest::Approx(seat).epsilon(1e-3));
  CHECK(ratings.draw == doctest::Approx(draw).epsilon(1e-3));
  CHECK(ratings.error(0) == 0);
  CHECK(ratings.error(1) > 0);
  CHECK(ratings.error(1) < 1);
}

TEST_CASE("rate_league: agrees with ratings without anchors where seats and prior say nothing") {
  Crosstable table(3);
  LeagueGames games{
      .anchors = {0.0, std::nullopt, std::nullopt}, .tallies = {}, .has_seats = false};
  const auto add = [&](int i, int j, int wins, int draws, int losses) {
    table.add(i, j, {wins, draws, losses, 6 * draws});
    games.tallies.push_back({i, j, 1.0 * wins, 1.0 * draws, 1.0 * losses});
  };
  add(0, 1, 600, 100, 300);
  add(0, 2, 700, 50, 250);
  add(1, 2, 550, 100, 350);
  const Ratings plain = rate(table, {RatingModel::rao_kupper, std::nullopt, 0});
  const LeagueRatings ratings = rate_league(games);
  CHECK(ratings.draw == doctest::Approx(*plain.draw_elo).epsilon(0.01));
  for (const int i : {1, 2}) {
    CHECK(ratings.elo[i] == doctest::Approx(*plain.difference(i, 0)).epsilon(0.01));
    CHECK(ratings.error(i) == doctest::Approx(*plain.difference_error(i, 0)).epsilon(0.01));
  }
}

TEST_CASE("rate_league: nothing is infinite") {
  const auto rated = [](std::vector<SeatTally> tallies) {
    return rate_league({.anchors = {0.0, std::nullopt}, .tallies = std::move(tallies)});
  };
  // Without games only the prior is known.
  const LeagueRatings none = rated({});
  CHECK(none.elo[1] == doctest::Approx(0));
  CHECK(none.error(1) == doctest::Approx(1960 * std::sqrt(2)).epsilon(0.001));
  // Who wins all is far ahead, further with more games.
  const LeagueRatings ten = rated({{1, 0, 5, 0, 0}, {0, 1, 0, 0, 5}});
  const LeagueRatings thousand = rated({{1, 0, 500, 0, 0}, {0, 1, 0, 0, 500}});
  CHECK(ten.elo[1] > 400);
  CHECK(thousand.elo[1] > ten.elo[1]);
  CHECK(thousand.elo[1] < 3000);
  CHECK(ten.error(1) > 200);
  // All games are drawn; and all are won by whoever moves first.
  const LeagueRatings drawn = rated({{1, 0, 0, 50, 0}, {0, 1, 0, 50, 0}});
  CHECK(drawn.elo[1] == doctest::Approx(0));
  CHECK(drawn.draw > 300);
  CHECK(std::isfinite(drawn.draw));
  const LeagueRatings first = rated({{1, 0, 50, 0, 0}, {0, 1, 50, 0, 0}});
  CHECK(first.elo[1] == doctest::Approx(0));
  CHECK(first.seat > 300);
  CHECK(std::isfinite(first.seat));
  // Where moving first decides, games tell less of the players.
  const LeagueRatings even = rated({{1, 0, 25, 0, 25}, {0, 1, 25, 0, 25}});
  CHECK(first.error(1) > 2 * even.error(1));
}

TEST_CASE("rate_league: ratings are about the anchors, wherever these are") {
  const auto rated = [](double anchor) {
    return rate_league({.anchors = {anchor, std::nullopt, anchor + 200},
                        .tallies = {{0, 1, 30, 5, 20}, {1, 2, 20, 5, 40}}});
  };
  const LeagueRatings low = rated(0);
  const LeagueRatings high = rated(2500);
  CHECK(low.elo[0] == 0);
  CHECK(low.elo[2] == 200);
  CHECK(high.elo[0] == 2500);
  CHECK(high.elo[1] - 2500 == doctest::Approx(low.elo[1]));
  CHECK(high.error(1) == doctest::Approx(low.error(1)));
}

}  // namespace pitboss::clients
