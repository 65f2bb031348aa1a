#include "clients/league/next_rounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "games/random.hpp"

namespace pitboss::clients {

namespace {

LeaguePool pool_of(const LeagueGames& games) {
  return {.ratings = rate_league(games),
          .plays = std::vector<bool>(games.anchors.size(), true),
          .has_seats = games.has_seats};
}

/// Games between players of known strength, who play by the model.
class KnownPlayers {
 public:
  KnownPlayers(std::vector<double> elo, int anchor, std::uint64_t seed)
      : elo_(std::move(elo)), random_(seed) {
    games_.anchors.resize(elo_.size());
    games_.anchors[anchor] = elo_[anchor];
  }

  void play_round(int one, int other) {
    play(one, other);
    play(other, one);
  }
  [[nodiscard]] const LeagueGames& games() const { return games_; }
  [[nodiscard]] int rounds() const { return rounds_; }

  /// How many players' intervals hold their strength.
  [[nodiscard]] int held(const LeagueRatings& ratings) const {
    int out = 0;
    for (int i = 0; i < std::ssize(elo_); ++i) {
      if (games_.anchors[i]) continue;
      out += std::abs(ratings.elo[i] - elo_[i]) <= ratings.error(i) ? 1 : 0;
    }
    return out;
  }
  /// How many pairs are ordered wrongly.
  [[nodiscard]] int wrong_pairs(const LeagueRatings& ratings) const {
    int out = 0;
    for (std::size_t i = 0; i < elo_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        out += (elo_[i] - elo_[j]) * (ratings.elo[i] - ratings.elo[j]) <= 0 ? 1 : 0;
      }
    }
    return out;
  }

 private:
  static constexpr double seat = 40;
  static constexpr double draw = 60;
  static double logistic(double elo) { return 1 / (1 + std::pow(10, -elo / 400)); }

  void play(int first, int second) {
    const double lead = elo_[first] - elo_[second] + seat;
    const double drawn = random_.uniform();
    const double win = logistic(lead - draw);
    const double loss = logistic(-lead - draw);
    auto [found, is_new] = places_.try_emplace({first, second}, games_.tallies.size());
    if (is_new) games_.tallies.push_back({first, second});
    SeatTally& tally = games_.tallies[found->second];
    ++(drawn < win ? tally.wins : drawn < win + loss ? tally.losses : tally.draws);
    rounds_ += first < second ? 1 : 0;
  }

  std::vector<double> elo_;
  games::Random random_;
  LeagueGames games_;
  std::map<std::pair<int, int>, std::size_t> places_;
  int rounds_ = 0;
};

double sum_of_variances(const LeagueRatings& ratings) {
  double out = 0;
  for (int i = 0; i < std::ssize(ratings.elo); ++i) out += ratings.covariance(i, i);
  return out;
}

/// As `pitboss league` has them played.
void play_league(KnownPlayers& players, int rounds) {
  const auto count = static_cast<int>(players.games().anchors.size());
  while (players.rounds() < rounds) {
    const int more =
        std::min(rounds - players.rounds(), std::max(count / 2, players.rounds() / 10));
    for (const NextRound& next : next_rounds({pool_of(players.games())}, more)) {
      players.play_round(next.player, next.opponent);
    }
  }
}

}  // namespace

TEST_CASE("next_rounds: sixty players are rated as well as by a round robin of twice the games") {
  constexpr int count = 60;
  constexpr int seeds = 12;
  int held = 0;
  int wrong = 0;
  int wrong_in_round_robin = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    games::Random random(static_cast<std::uint64_t>(seed));
    std::vector<double> elo;
    for (int i = 0; i < count; ++i) {
      elo.push_back(2000 * random.uniform() - 1000);
    }
    KnownPlayers all(elo, 0, static_cast<std::uint64_t>(seed) + 100);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) all.play_round(i, j);
      }
    }
    const LeagueRatings round_robin = rate_league(all.games());
    KnownPlayers chosen(elo, 0, static_cast<std::uint64_t>(seed) + 200);
    play_league(chosen, all.rounds() / 2);
    const LeagueRatings league = rate_league(chosen.games());
    CHECK(chosen.rounds() * 2 == all.rounds());
    CHECK(sum_of_variances(league) < sum_of_variances(round_robin));
    held += chosen.held(league);
    wrong += chosen.wrong_pairs(league);
    wrong_in_round_robin += all.wrong_pairs(round_robin);
  }
  const double coverage = static_cast<double>(held) / (seeds * (count - 1));
  MESSAGE("coverage " << coverage << ", wrong pairs " << wrong << " and " << wrong_in_round_robin);
  CHECK(coverage > 0.93);
  CHECK(coverage < 0.97);
  CHECK(wrong < 1.1 * wrong_in_round_robin);
}

TEST_CASE("next_rounds: players without games meet first, and everybody is connected") {
  LeagueGames games{.anchors = {0.0, std::nullopt, std::nullopt, std::nullopt, std::nullopt},
                    .tallies = {{0, 1, 30, 0, 30}, {1, 0, 30, 0, 30}}};
  std::set<int> met;
  const auto rounds = next_rounds({pool_of(games)}, 4);
  REQUIRE(rounds.size() == 4);
  for (const NextRound& round : rounds) {
    CHECK(std::max(round.player, round.opponent) >= 2);
    met.insert({round.player, round.opponent});
  }
  for (const int newcomer : {2, 3, 4}) CHECK(met.contains(newcomer));
}

TEST_CASE("next_rounds: who has retired does not play, nor do anchors among themselves") {
  LeagueGames games{.anchors = {0.0, std::nullopt, 100.0, std::nullopt}, .tallies = {}};
  LeaguePool pool = pool_of(games);
  pool.plays[1] = false;
  for (const NextRound& round : next_rounds({pool}, 20)) {
    CHECK(round.player != 1);
    CHECK(round.opponent != 1);
    CHECK((round.player == 3 || round.opponent == 3));
  }
  pool.plays[3] = false;
  CHECK(next_rounds({pool}, 5).empty());
  CHECK(next_rounds({}, 5).empty());
}

TEST_CASE("next_rounds: of two games the one with the wider intervals, for each game played") {
  LeagueGames few{.anchors = {0.0, std::nullopt}, .tallies = {{0, 1, 5, 0, 5}, {1, 0, 5, 0, 5}}};
  LeagueGames many{.anchors = {0.0, std::nullopt},
                   .tallies = {{0, 1, 50, 0, 50}, {1, 0, 50, 0, 50}}};
  const auto rounds = next_rounds({pool_of(many), pool_of(few)}, 30);
  // Twenty games against two hundred: it takes ninety rounds until they are level.
  CHECK(std::ranges::all_of(rounds, [](const NextRound& round) { return round.pool == 1; }));
  const auto pools = [&](int rounds_wanted) {
    std::map<int, int> out;
    for (const NextRound& round : next_rounds({pool_of(many), pool_of(few)}, rounds_wanted)) {
      ++out[round.pool];
    }
    return out;
  };
  const auto later = pools(290);
  CHECK(later.at(0) == doctest::Approx(100).epsilon(0.05));
  CHECK(later.at(1) == doctest::Approx(190).epsilon(0.05));
}

}  // namespace pitboss::clients
