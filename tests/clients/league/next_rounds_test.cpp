#include "clients/league/next_rounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "games/random.hpp"
#include "tests/clients/league/rounds.hpp"

namespace pitboss::clients {

namespace {

LeaguePool pool_of(const LeagueGames& games) {
  const std::vector<bool> all(games.anchors.size(), true);
  return {.ratings = rate_league(games), .plays = all, .counts = all};
}

/// By how many Elo an opening favours whoever moves first, or a player, in either direction.
struct Openings {
  double first = 0;
  double player = 0;
};

/// Games between players of known strength, who play by the model.
class KnownPlayers {
 public:
  KnownPlayers(std::vector<double> elo, int anchor, std::uint64_t seed, Openings openings = {})
      : elo_(std::move(elo)), openings_(openings), random_(seed) {
    games_.anchors.resize(elo_.size());
    games_.anchors[anchor] = elo_[anchor];
  }

  void play_round(int player, int opponent) {
    const double first = random_.uniform() < 0.5 ? openings_.first : -openings_.first;
    const double liked = random_.uniform() < 0.5 ? openings_.player : -openings_.player;
    const double lead = elo_[player] - elo_[opponent] + liked;
    const int as_first = result(random_.uniform(), lead + seat + first);
    const int as_second = result(random_.uniform(), lead - seat - first);
    const auto [found, is_new] =
        places_.try_emplace({player, opponent, as_first, as_second}, games_.rounds.size());
    if (is_new) {
      games_.rounds.push_back(
          {player, opponent, game_results[as_first], game_results[as_second], 0});
    }
    ++games_.rounds[found->second].rounds;
    ++rounds_;
  }
  [[nodiscard]] const LeagueGames& games() const { return games_; }
  [[nodiscard]] int rounds() const { return rounds_; }
  [[nodiscard]] const std::vector<double>& elo() const { return elo_; }

  /// What endless round robins would find: openings flatten the model's curve.
  [[nodiscard]] LeagueGames endless() const {
    LeagueGames out{.anchors = games_.anchors, .rounds = {}};
    for (int i = 0; i < std::ssize(elo_); ++i) {
      for (int j = 0; j < i; ++j) {
        for (const double first : {-openings_.first, openings_.first}) {
          for (const double liked : {-openings_.player, openings_.player}) {
            const double lead = elo_[i] - elo_[j] + liked;
            add_rounds(out, i, j, shares(lead + seat + first), shares(lead - seat - first), 1e5);
          }
        }
      }
    }
    return out;
  }

  /// How many players' intervals hold their strength.
  [[nodiscard]] int held(const LeagueRatings& ratings, const std::vector<double>& strength) const {
    int out = 0;
    for (int i = 0; i < std::ssize(elo_); ++i) {
      if (games_.anchors[i]) continue;
      out += std::abs(ratings.elo[i] - strength[i]) <= ratings.error(i) ? 1 : 0;
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
  static Outcomes shares(double lead) {
    const double win = logistic(lead - draw);
    const double loss = logistic(-lead - draw);
    return {win, 1 - win - loss, loss};
  }
  static int result(double drawn, double lead) {
    const Outcomes share = shares(lead);
    return drawn < share.wins ? 0 : drawn < share.wins + share.draws ? 1 : 2;
  }

  std::vector<double> elo_;
  Openings openings_;
  games::Random random_;
  LeagueGames games_;
  std::map<std::array<int, 4>, std::size_t> places_;
  int rounds_ = 0;
};

/// The same games, as if each had an opening of its own.
LeagueGames apart(const LeagueGames& games) {
  LeagueGames out{.anchors = games.anchors, .rounds = {}};
  for (RoundTally round : games.rounds) {
    const Outcomes second = std::exchange(round.second, {});
    out.rounds.push_back(round);
    round.first = {};
    round.second = second;
    out.rounds.push_back(round);
  }
  return out;
}

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
  constexpr int seeds = 24;
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
    held += chosen.held(league, elo);
    wrong += chosen.wrong_pairs(league);
    wrong_in_round_robin += all.wrong_pairs(round_robin);
  }
  const double coverage = static_cast<double>(held) / (seeds * (count - 1));
  MESSAGE("coverage " << coverage << ", wrong pairs " << wrong << " and " << wrong_in_round_robin);
  CHECK(coverage > 0.93);
  CHECK(coverage < 0.97);
  CHECK(wrong < 1.2 * wrong_in_round_robin);
}

TEST_CASE("next_rounds: intervals hold, whatever the openings are worth") {
  constexpr int count = 20;
  constexpr int leagues = 40;
  struct Coverage {
    double by_rounds = 0;
    double by_games = 0;
    double dispersion = 0;
  };
  const auto coverage_with = [&](Openings openings) {
    Coverage out;
    for (int seed = 1; seed <= leagues; ++seed) {
      games::Random random(static_cast<std::uint64_t>(seed) + 1000);
      std::vector<double> elo;
      for (int i = 0; i < count; ++i) elo.push_back(600 * random.uniform() - 300);
      KnownPlayers players(elo, 0, static_cast<std::uint64_t>(seed), openings);
      play_league(players, 30 * count);
      const std::vector<double> strength = rate_league(players.endless()).elo;
      const LeagueRatings ratings = rate_league(players.games());
      out.by_rounds += players.held(ratings, strength);
      out.by_games += players.held(rate_league(apart(players.games())), strength);
      out.dispersion += ratings.dispersion / leagues;
    }
    out.by_rounds /= leagues * (count - 1);
    out.by_games /= leagues * (count - 1);
    MESSAGE("openings worth " << openings.first << " to the first, " << openings.player
                              << " to a player: coverage " << out.by_rounds << ", by games "
                              << out.by_games << ", dispersion " << out.dispersion);
    return out;
  };
  for (const Openings openings :
       {Openings{}, Openings{.first = 80}, Openings{.player = 80}, Openings{.first = 400},
        Openings{.player = 250}, Openings{.first = 400, .player = 200}}) {
    const Coverage coverage = coverage_with(openings);
    CHECK(coverage.by_rounds > 0.93);
    CHECK(coverage.by_rounds < 0.97);
    // Intervals that take games for independent are too wide, or too narrow.
    if (openings.first == 400 && openings.player == 0) CHECK(coverage.by_games > 0.985);
    if (openings.player == 250) CHECK(coverage.by_games < 0.92);
  }
}

TEST_CASE("next_rounds: players without games meet first, and everybody is connected") {
  LeagueGames games{.anchors = {0.0, std::nullopt, std::nullopt, std::nullopt, std::nullopt},
                    .rounds = {}};
  add_rounds(games, 0, 1, {1, 0, 1}, {1, 0, 1}, 60);
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
  LeagueGames games{.anchors = {0.0, std::nullopt, 100.0, std::nullopt}, .rounds = {}};
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

TEST_CASE("next_rounds: who is known well enough does not count, and is met by others") {
  LeagueGames games{.anchors = {0.0, std::nullopt, std::nullopt}, .rounds = {}};
  add_rounds(games, 1, 0, {1, 0, 1}, {1, 0, 1}, 200);
  add_rounds(games, 2, 0, {1, 0, 1}, {1, 0, 1}, 100);
  LeaguePool pool = pool_of(games);
  for (const NextRound& round : next_rounds({pool}, 20)) {
    CHECK(std::max(round.player, round.opponent) == 2);
  }
  pool.counts[2] = false;
  const auto rounds = next_rounds({pool}, 300);
  REQUIRE(rounds.size() == 300);
  for (const NextRound& round : rounds) CHECK((round.player == 1 || round.opponent == 1));
  pool.counts[1] = false;
  CHECK(next_rounds({pool}, 5).empty());
}

TEST_CASE("next_rounds: of two games the one with the wider intervals, for each game played") {
  LeagueGames few{.anchors = {0.0, std::nullopt}, .rounds = {}};
  LeagueGames many = few;
  add_rounds(few, 0, 1, {1, 0, 1}, {1, 0, 1}, 10);
  add_rounds(many, 0, 1, {1, 0, 1}, {1, 0, 1}, 100);
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
  CHECK(later.at(0) > 80);
  CHECK(later.at(1) > later.at(0) + 80);
}

}  // namespace pitboss::clients
