#include "clients/training/root_rules.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

namespace pitboss::clients {

namespace {

using engine::RootMove;

std::vector<std::int64_t> visits_of(const std::vector<RootMove>& moves) {
  std::vector<std::int64_t> visits;
  for (const RootMove& move : moves) visits.push_back(move.visits);
  return visits;
}

/// Moves that are all as likely, with these values.
std::vector<RootMove> likely_moves(const std::vector<double>& values) {
  std::vector<RootMove> moves;
  for (const double value : values) {
    moves.push_back({0, value, 1.0 / static_cast<double>(values.size())});
  }
  return moves;
}

/// The visits after a search of so many simulations.
std::vector<std::int64_t> searched(std::vector<RootMove> moves, SequentialHalving rule,
                                   int simulations) {
  for (int i = 0; i < simulations; ++i) {
    const int move = rule(moves);
    REQUIRE(move >= 0);
    REQUIRE_FALSE(moves.at(static_cast<std::size_t>(move)).is_closed);
    ++moves[static_cast<std::size_t>(move)].visits;
  }
  return visits_of(moves);
}

constexpr double values_alone = 1000;  // a scale by which noise does not count

}  // namespace

TEST_CASE("forced playouts: sqrt(k P n) for moves that have been tried") {
  CHECK(forced_visits(2, 0.25, 32) == doctest::Approx(4));
  CHECK(forced_visits(2, 0.125, 32) == doctest::Approx(2.8284271));
  CHECK(forced_visits(0, 1, 32) == 0);
  const engine::RootRule rule = forced_playouts(2);
  // 32 visits: 4 are forced of the first two, 2.83 of the third; the last has not been tried.
  std::vector<RootMove> moves{{29, 0, 0.25}, {2, 0, 0.25}, {1, 0, 0.125}, {0, 0, 0.375}};
  CHECK(rule(moves) == 1);
  moves[1].is_closed = true;
  CHECK(rule(moves) == 2);
  moves = {{25, 0, 0.25}, {4, 0, 0.25}, {3, 0, 0.125}, {0, 0, 0.375}};
  CHECK(rule(moves) == -1);
  moves = {{0, 0, 0.5}, {0, 0, 0.5}};
  CHECK(rule(moves) == -1);
}

TEST_CASE("a value counts by the visits of the most visited move") {
  CHECK(value_logit(1, 14, 0.5) == doctest::Approx(32));
  CHECK(value_logit(0.1, 50, 1) == doctest::Approx(10));
}

TEST_CASE("sequential halving: every phase has as many simulations, and half of the moves") {
  // 16 moves once, the better 8 twice more, 4 of them 4 times more, 2 of these 8 times more.
  std::vector<double> values(16);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 20;
  std::vector<RootMove> moves = likely_moves(values);
  for (int i = 0; i < 4; ++i) moves.push_back({0, 0.9, 1e-12});  // noise does not bring these in
  CHECK(searched(moves, {16, 64, values_alone, games::Random(1)}, 64) ==
        std::vector<std::int64_t>{1, 1, 1, 1, 1, 1, 1, 1, 3, 3, 3, 3, 7, 7, 15, 15, 0, 0, 0, 0});
  // ceil(log2 3) = 2 phases of 12 simulations: 4 of 3 moves, then 6 of 2.
  CHECK(searched(likely_moves({0.2, 0.1, 0.3}), {8, 24, values_alone, games::Random(1)}, 24) ==
        std::vector<std::int64_t>{10, 4, 10});
  // With less than a simulation for each move, the first phase is cut short.
  CHECK(searched(likely_moves({0.5, 0.5, 0.5}), {3, 3, 1, games::Random(1)}, 3) ==
        std::vector<std::int64_t>{1, 1, 1});
  CHECK(searched(likely_moves({0.5}), {16, 5, 1, games::Random(1)}, 5) ==
        std::vector<std::int64_t>{5});
}

TEST_CASE("sequential halving: visits of earlier searches do not count") {
  std::vector<RootMove> moves = likely_moves({0.5, 0.5});
  moves[0].visits = 10;
  CHECK(searched(moves, {2, 8, 1, games::Random(1)}, 8) == std::vector<std::int64_t>{14, 4});
}

TEST_CASE("sequential halving: closed moves are left out, also within a phase") {
  std::vector<RootMove> moves = likely_moves({0.1, 0.9, 0.2, 0.3});
  moves[1].is_closed = true;
  SequentialHalving rule(4, 12, values_alone, games::Random(1));
  CHECK(searched(moves, rule, 12) == std::vector<std::int64_t>{2, 0, 5, 5});
  const int first = rule(moves);
  moves[static_cast<std::size_t>(first)].is_closed = true;
  CHECK(rule(moves) != first);
  for (RootMove& move : moves) move.is_closed = true;
  CHECK(rule(moves) == -1);
  CHECK(SequentialHalving(4, 12, 1, games::Random(1))(moves) == -1);
}

TEST_CASE("sequential halving: noise draws the first moves by their priors") {
  const std::array<double, 3> priors{0.5, 0.3, 0.2};
  std::array<double, 3> shares{};
  constexpr int draws = 4000;
  for (int seed = 0; seed < draws; ++seed) {
    std::vector<RootMove> moves;
    for (const double prior : priors) moves.push_back({0, 0, prior});
    SequentialHalving rule(1, 1, 1, games::Random(static_cast<std::uint64_t>(seed)));
    shares.at(static_cast<std::size_t>(rule(moves))) += 1.0 / draws;
  }
  for (std::size_t i = 0; i < priors.size(); ++i) {
    CHECK(shares.at(i) == doctest::Approx(priors.at(i)).epsilon(0.1));
  }
}

}  // namespace pitboss::clients
