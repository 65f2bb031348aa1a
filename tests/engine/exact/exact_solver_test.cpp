#include "engine/exact/exact_solver.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "games/all_games.hpp"
#include "games/random.hpp"
#include "tests/engine/exact/end_games.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

using Scores = std::map<std::string, int>;
constexpr std::size_t table_bytes = 64U << 20U;

Patience lasting(std::chrono::nanoseconds time) {
  return Patience(environment::AwakeClock::now() + time);
}

Scores scores_of(const ExactSolver& solver) {
  Scores scores;
  for (const ExactMove& move : solver.moves()) {
    if (move.score) scores[move.move] = *move.score;
  }
  return scores;
}

Scores solved(const games::AnyGame& position) {
  const auto solver = make_exact_solver(position, table_bytes);
  auto patience = lasting(std::chrono::hours(1));
  REQUIRE(solver->run(patience));
  return scores_of(*solver);
}

/// What the winner of a game of othello has won by, with the empty points.
int points_won(const games::AnyGame& position) {
  const std::string text = position.position();
  return position.margin() + static_cast<int>(std::ranges::count(text, '.'));
}

/// What the side to move comes to, by trying all lines: slow, and with none of the solvers' ideas.
int tried_out(const games::AnyGame& position, std::map<std::string, int>& known) {
  if (position.result().finished()) {
    const games::Result result = position.result();
    if (result.shared()) return 0;
    const int margin = position.name() == "othello" ? points_won(position) : 1;
    return result == games::Result::win(position.to_move()) ? margin : -margin;
  }
  const std::string name = position.position();
  if (const auto found = known.find(name); found != known.end()) return found->second;
  int best = -1000;
  for (const std::string& move : position.legal_moves()) {
    const auto after = position.clone();
    after->play(move);
    best = std::max(best, -tried_out(*after, known));
  }
  return known[name] = best;
}

Scores tried_out(const games::AnyGame& position) {
  Scores scores;
  std::map<std::string, int> known;
  for (const std::string& move : position.legal_moves()) {
    const auto after = position.clone();
    after->play(move);
    scores[move] = -tried_out(*after, known);
  }
  return scores;
}

/// A position so many plies after random moves; null if the game was over before.
std::unique_ptr<games::AnyGame> after_random_moves(const std::string& game, int plies,
                                                   games::Random& random) {
  auto position = games::game_of(game);
  for (int ply = 0; ply < plies; ++ply) {
    if (position->result().finished()) return nullptr;
    position->play(position->random_move(random));
  }
  return position->result().finished() ? nullptr : std::move(position);
}

TEST_CASE("exact: every move of othello's first six published end games") {
  const auto games = tests::othello_end_games();
  REQUIRE(games.size() == 20);
  for (std::size_t i = 0; i < 6; ++i) {
    CAPTURE(i + 20);
    CHECK(solved(*games[i].position) == games[i].scores);
  }
}

TEST_CASE("exact: connect4, hex and othello as if all lines were tried") {
  struct Row {
    const char* game;
    int plies;
  };
  for (const Row row :
       {Row{"othello size=4", 0}, Row{"othello size=4", 5}, Row{"othello size=6", 23},
        Row{"othello", 52}, Row{"connect4", 30}, Row{"connect4", 34}, Row{"hex size=3", 0},
        Row{"hex size=3 swap=on", 0}, Row{"hex size=3 swap=on", 1},
        Row{"hex size=3 swap=pieces", 0}, Row{"hex size=3 swap=pieces", 1}, Row{"hex size=4", 7}}) {
    games::Random random(1);
    for (int tried = 0; tried < 20;) {
      const auto position = after_random_moves(row.game, row.plies, random);
      if (!position) continue;
      ++tried;
      CAPTURE(row.game);
      CAPTURE(position->position());
      CHECK(solved(*position) == tried_out(*position));
      if (row.plies == 0) break;
    }
  }
}

TEST_CASE("exact: a forced pass is a move, and the end of a game has no moves to solve") {
  const auto position = games::game_of("othello size=4");
  position->set_position("XXXO/XXXX/XXXX/XXX. b");
  CHECK(solved(*position) == tried_out(*position));
  CHECK(solved(*position).size() == 1);
}

TEST_CASE("exact: a solver that is stopped goes on, and comes to the same") {
  const auto position = games::game_of("connect4");
  games::play_all(*position, "d1 d2 d3 d4 d5 a1 c1 c2 a2 a3");
  const Scores whole = solved(*position);
  const auto solver = make_exact_solver(*position, table_bytes);
  int stops = 0;
  for (auto patience = lasting(std::chrono::nanoseconds(0)); !solver->run(patience); ++stops) {
    for (const auto& [move, score] : scores_of(*solver)) CHECK(whole.at(move) == score);
    patience = lasting(std::chrono::microseconds(200));
  }
  CHECK(stops > 0);
  CHECK(scores_of(*solver) == whole);
}

TEST_CASE("exact: a best move is one with the highest score, whatever the table has forgotten") {
  games::Random random(4);
  for (const auto& [game, plies] :
       {std::pair{"othello", 50}, std::pair{"connect4", 24}, std::pair{"hex size=5", 6}}) {
    for (int tried = 0; tried < 20;) {
      const auto position = after_random_moves(game, plies, random);
      if (!position) continue;
      ++tried;
      CAPTURE(position->position());
      const Scores scores = solved(*position);
      const int highest = std::ranges::max_element(scores, {}, [](const auto& move) {
                            return move.second;
                          })->second;
      for (const std::size_t bytes : {std::size_t{0}, std::size_t{1} << 20U}) {
        const auto solver = make_exact_solver(*position, bytes);
        auto patience = lasting(std::chrono::hours(1));
        const auto best = solver->best(patience);
        REQUIRE(best);
        CHECK(best->score == highest);
        CHECK(scores.at(best->move) == highest);
        CHECK(position->text(best->code) == best->move);
      }
    }
  }
}

TEST_CASE("exact: patience that is counted in positions ends after as many") {
  const auto start = games::make_game("connect4");
  const auto solver = make_exact_solver(*start, table_bytes);
  Patience patience(environment::AwakeClock::now() + std::chrono::hours(1), {}, 4096);
  CHECK_FALSE(solver->best(patience));
  CHECK(patience.positions() >= 4096);
  CHECK(patience.positions() < 8192);
}

TEST_CASE("exact: a table of any size gives the same scores") {
  games::Random random(3);
  const auto othello = after_random_moves("othello", 48, random);
  const auto connect4 = games::game_of("connect4");
  games::play_all(*connect4, "d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 e3 a1 a2 g1 g2");
  REQUIRE(othello);
  const auto hex = after_random_moves("hex size=5", 4, random);
  for (const games::AnyGame* const position : {othello.get(), connect4.get(), hex.get()}) {
    const Scores whole = solved(*position);
    for (const std::size_t bytes : {0U, 1U, 100U, 4096U, 100000U}) {
      const auto solver = make_exact_solver(*position, bytes);
      auto patience = lasting(std::chrono::hours(1));
      REQUIRE(solver->run(patience));
      CHECK(scores_of(*solver) == whole);
    }
  }
}

TEST_CASE("exact: a solver that begins again after each bite gets on with a small table") {
  const auto position = games::game_of("connect4");
  games::play_all(*position, "d1 e1 c1 d2 f1 b1 a1 a2 g1 g2");
  const auto solver = make_exact_solver(*position, std::size_t{1} << 16U);
  std::optional<ExactMove> best;
  for (std::uint64_t looked_at = 0; !best && looked_at < 2'000'000;) {
    Patience bite(Patience::TimePoint::max(), {}, positions_a_bite);
    best = solver->best(bite);
    looked_at += bite.positions();
  }
  REQUIRE(best);
  CHECK(best->score == -1);
}

TEST_CASE("exact: there are games without a solver") {
  CHECK(make_exact_solver(*games::make_game("cannon"), table_bytes) == nullptr);
  CHECK(make_exact_solver(*games::game_of("rolit players=3"), table_bytes) == nullptr);
  for (const std::string_view name : games::game_names()) {
    if (name == "teeko") continue;  // only with a table
    const bool is_solved = std::ranges::count(solved_games(), name) == 1;
    CHECK((make_exact_solver(*games::make_game(name), table_bytes) != nullptr) == is_solved);
    CHECK(expected_positions(*games::make_game(name)).has_value() == is_solved);
  }
  CHECK(make_exact_solver(*games::game_of("othello size=6"), table_bytes) != nullptr);
}

}  // namespace
}  // namespace pitboss::engine
