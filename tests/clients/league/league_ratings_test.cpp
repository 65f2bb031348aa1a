#include "clients/league/league_ratings.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/ratings.hpp"
#include "tests/clients/league/rounds.hpp"

namespace pitboss::clients {

namespace {

double expected_score(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

/// How often the model expects a player with this lead to win, to draw and to lose.
Outcomes expected(double lead, double draw) {
  const double wins = expected_score(lead - draw);
  const double losses = expected_score(-lead - draw);
  return {wins, 1 - wins - losses, losses};
}

}  // namespace

TEST_CASE("rate_league: what the model expects is what it finds") {
  constexpr double elo[] = {100, -40, 0, 260};
  constexpr double seat = 70;
  constexpr double draw = 55;
  LeagueGames games{.anchors = {100.0, std::nullopt, std::nullopt, std::nullopt}, .rounds = {}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < i; ++j) {
      const double lead = elo[i] - elo[j];
      add_rounds(games, i, j, expected(lead + seat, draw), expected(lead - seat, draw), 1e6);
    }
  }
  const LeagueRatings ratings = rate_league(games);
  for (int i = 0; i < 4; ++i) CHECK(ratings.elo[i] == doctest::Approx(elo[i]).epsilon(1e-3));
  CHECK(ratings.seat == doctest::Approx(seat).epsilon(1e-3));
  CHECK(ratings.draw == doctest::Approx(draw).epsilon(1e-3));
  CHECK(ratings.error(0) == 0);
  CHECK(ratings.error(1) > 0);
  CHECK(ratings.error(1) < 1);
  CHECK(ratings.dispersion == doctest::Approx(1).epsilon(1e-3));
}

TEST_CASE("rate_league: agrees with ratings without anchors where seats and prior say nothing") {
  Crosstable table(3);
  LeagueGames games{.anchors = {0.0, std::nullopt, std::nullopt}, .rounds = {}, .has_seats = false};
  const auto add = [&](int i, int j, int wins, int draws, int losses) {
    table.add(i, j, {wins, draws, losses, 6 * draws});
    const Outcomes all{1.0 * wins, 1.0 * draws, 1.0 * losses};
    add_rounds(games, i, j, all, all, (wins + draws + losses) / 2.0);
  };
  add(0, 1, 600, 100, 300);
  add(0, 2, 700, 50, 250);
  add(1, 2, 550, 100, 350);
  const Ratings plain = rate(table, {RatingModel::rao_kupper, std::nullopt, 0});
  const LeagueRatings ratings = rate_league(games);
  CHECK(ratings.draw == doctest::Approx(*plain.draw_elo).epsilon(0.01));
  for (const int i : {1, 2}) {
    CHECK(ratings.elo[i] == doctest::Approx(*plain.difference(i, 0)).epsilon(0.01));
    CHECK(ratings.error(i) == doctest::Approx(*plain.difference_error(i, 0)).epsilon(0.02));
  }
  const EloEstimate lead = ratings.difference(1, 2);
  CHECK(*lead.elo == doctest::Approx(*plain.difference(1, 2)).epsilon(0.01));
  CHECK(*lead.error() == doctest::Approx(*plain.difference_error(1, 2)).epsilon(0.02));
  CHECK(*lead.high - *lead.elo == doctest::Approx(*lead.error()));
  CHECK(ratings.superiority(1, 2) == doctest::Approx(*plain.superiority(1, 2)).epsilon(1e-4));
  CHECK(ratings.superiority(1, 2) + ratings.superiority(2, 1) == doctest::Approx(1));
}

TEST_CASE("rate_league: nothing is infinite") {
  const auto rated = [](const Outcomes& first, const Outcomes& second, double rounds) {
    LeagueGames games{.anchors = {0.0, std::nullopt}, .rounds = {}};
    add_rounds(games, 1, 0, first, second, rounds);
    return rate_league(games);
  };
  const auto& [win, draw, loss] = game_results;
  // Without games only the prior is known.
  const LeagueRatings none = rated(win, win, 0);
  CHECK(none.elo[1] == doctest::Approx(0));
  CHECK(none.error(1) == doctest::Approx(1960 * std::sqrt(2)).epsilon(0.001));
  // Who wins all is far ahead, further with more games.
  const LeagueRatings ten = rated(win, win, 5);
  const LeagueRatings thousand = rated(win, win, 500);
  CHECK(ten.elo[1] > 400);
  CHECK(thousand.elo[1] > ten.elo[1]);
  CHECK(thousand.elo[1] < 3000);
  CHECK(ten.error(1) > 200);
  // All games are drawn; and all are won by whoever moves first.
  const LeagueRatings drawn = rated(draw, draw, 50);
  CHECK(drawn.elo[1] == doctest::Approx(0));
  CHECK(drawn.draw > 300);
  CHECK(std::isfinite(drawn.draw));
  const LeagueRatings first = rated(win, loss, 50);
  CHECK(first.elo[1] == doctest::Approx(0));
  CHECK(first.seat > 300);
  CHECK(std::isfinite(first.seat));
  // Where moving first decides, games tell less of the players.
  const LeagueRatings even = rated({1, 0, 1}, {1, 0, 1}, 50);
  CHECK(first.error(1) > 2 * even.error(1));
}

TEST_CASE("rate_league: the games of a round need not be independent") {
  const auto rated = [](double alike, double unlike) {
    LeagueGames games{.anchors = {0.0, std::nullopt}, .rounds = {}};
    const auto& [win, draw, loss] = game_results;
    games.rounds = {{1, 0, win, win, alike},
                    {1, 0, loss, loss, alike},
                    {1, 0, win, loss, unlike},
                    {1, 0, loss, win, unlike}};
    return rate_league(games);
  };
  const LeagueRatings independent = rated(1e6, 1e6);
  CHECK(independent.dispersion == doctest::Approx(1).epsilon(1e-4));
  // One player wins both games: such a round tells as much as one game.
  const LeagueRatings alike = rated(2e6, 0);
  CHECK(alike.elo[1] == doctest::Approx(0));
  CHECK(alike.dispersion == doctest::Approx(2).epsilon(1e-4));
  CHECK(alike.error(1) / independent.error(1) == doctest::Approx(std::sqrt(2)).epsilon(1e-3));
  // The opening decides both: the players' score is the same in each round.
  const LeagueRatings unlike = rated(1e5, 1.9e6);
  CHECK(unlike.dispersion == doctest::Approx(0.1).epsilon(1e-3));
  CHECK(unlike.error(1) / independent.error(1) == doctest::Approx(std::sqrt(0.1)).epsilon(1e-2));
  // Three rounds alike are no proof of it.
  CHECK(rated(0, 1.5).error(1) > 0.95 * independent.error(1) * std::sqrt(4e6 / 3));
  // A pair's rounds say nothing of how those of another vary.
  LeagueGames two{.anchors = {0.0, std::nullopt, std::nullopt}, .rounds = {}};
  add_rounds(two, 1, 0, {1, 0, 1}, {1, 0, 1}, 500);
  two.rounds.push_back({2, 0, {1, 0, 0}, {0, 0, 1}, 250});
  two.rounds.push_back({2, 0, {0, 0, 1}, {1, 0, 0}, 250});
  const LeagueRatings both = rate_league(two);
  CHECK(both.error(1) == doctest::Approx(rated(125, 125).error(1)).epsilon(0.05));
  CHECK(both.error(2) < 0.2 * both.error(1));
}

TEST_CASE("rate_league: differences have their own intervals") {
  // Two who have met each other a thousand times, and the anchor ten times.
  LeagueGames games{.anchors = {0.0, std::nullopt, std::nullopt}, .rounds = {}};
  add_rounds(games, 1, 0, {1, 0, 1}, {1, 0, 1}, 10);
  add_rounds(games, 2, 0, {1, 0, 1}, {1, 0, 1}, 10);
  add_rounds(games, 1, 2, {55, 0, 45}, {55, 0, 45}, 1000);
  const LeagueRatings ratings = rate_league(games);
  CHECK(*ratings.difference(1, 2).error() < ratings.error(1) / 4);
  CHECK(*ratings.difference(1, 2).low > 0);
  CHECK(ratings.superiority(1, 2) > 0.999);
  CHECK(ratings.superiority(1, 0) < 0.7);
  CHECK(*ratings.difference(1, 0).error() == doctest::Approx(ratings.error(1)));
  CHECK(*ratings.difference(0, 0).error() == 0);
  CHECK(ratings.superiority(0, 0) == 0.5);
}

TEST_CASE("rate_league: ratings are about the anchors, wherever these are") {
  const auto rated = [](double anchor) {
    LeagueGames games{.anchors = {anchor, std::nullopt, anchor + 200}, .rounds = {}};
    add_rounds(games, 0, 1, {30, 5, 20}, {25, 5, 25}, 55);
    add_rounds(games, 1, 2, {20, 5, 40}, {10, 5, 50}, 65);
    return rate_league(games);
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
