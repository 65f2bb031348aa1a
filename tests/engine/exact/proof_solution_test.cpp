#include "engine/exact/proof_solution.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "engine/exact/exact_solver.hpp"
#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "games/random.hpp"
#include "tests/engine/exact/plain_negamax.hpp"
#include "tests/engine/exact/solver_checks.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

using games::BoxedGame;

Patience endless() { return Patience(Patience::TimePoint::max()); }

template <class G>
G start(const std::string& line) {
  return dynamic_cast<const BoxedGame<G>&>(*games::game_of(line)).game();
}

template <class G>
bool can_win_at_once(const G& game) {
  games::MoveList<G::max_moves> moves;
  game.legal_moves(moves);
  return std::ranges::any_of(moves, [&](games::Move move) {
    G after = game;
    after.play(move);
    return after.result().won_by(game.to_move());
  });
}

/// A position so many plies after random moves, most of them such that the game goes on and, the
/// last ones on boards of stones, that the next stone wins nothing.
template <class G>
G after_plies(const G& from, int plies, games::Random& random) {
  constexpr bool is_quiet = std::is_same_v<G, games::Gomoku> ||
                            std::is_same_v<G, games::Yavalath> ||
                            std::is_same_v<G, games::Pentalath>;
  for (;;) {
    G game = from;
    for (int ply = 0; ply < plies && !game.result().finished(); ++ply) {
      const G before = game;
      for (int tried = 0; tried < 20; ++tried) {
        game = before;
        game.play(games::random_move(before, random));
        if (!game.result().finished() && !(is_quiet && ply > plies - 8 && can_win_at_once(game))) {
          break;
        }
      }
    }
    if (!game.result().finished()) return game;
  }
}

/// How often the side to move loses, draws, wins.
using Scores = std::array<int, 3>;

/// Has positions solved, and that after each of their moves, by a solution of their own and by one
/// for all. Those that are too much for the plain solver are left out.
template <class G, class Make>
void check_positions(const G& from, int count, Scores& scores, Make&& make) {
  ProofSolution<G> shared(from, std::size_t{1} << 22U);
  auto patience = endless();
  int solved = 0;
  for (int tried = 0; solved < count; ++tried) {
    REQUIRE(tried < 20 * count);
    const G game = make();
    tests::PlainNegamax<G> plain(10000);
    const auto score = plain.score(game);
    if (!score) continue;
    ++solved;
    ++scores[static_cast<std::size_t>(*score + 1)];
    ProofSolution<G> solution(game, std::size_t{1} << 20U);
    CHECK(solution.score(game, patience) == score);
    CHECK(shared.score(game, patience) == score);
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    for (const games::Move move : moves) {
      G after = game;
      after.play(move);
      const auto reply = plain.score(after);
      if (!reply) continue;
      CHECK(solution.most(after) >= *reply);
      CHECK(shared.most(after) >= *reply);
      CHECK(solution.score(after, patience) == reply);
      CHECK(solution.most(after) == *reply);
    }
  }
}

template <class G>
void check_late(const std::string& line, int plies, int count, Scores& scores) {
  CAPTURE(line);
  CAPTURE(plies);
  games::Random random(static_cast<std::uint64_t>(plies));
  const G from = start<G>(line);
  check_positions(from, count, scores, [&] { return after_plies(from, plies, random); });
}

/// A board of gomoku with so many empty points near to each other, and stones that mostly lie so
/// that nobody has five in line.
games::Gomoku nearly_full(const games::Gomoku& from, int empty, games::Random& random) {
  using games::Gomoku;
  const auto [width, height, stride, lattice] = from.shape();
  for (;;) {
    Gomoku::Board free;
    const int left = random.below(width - 4);
    const int bottom = random.below(height - 4);
    while (free.count() < empty) {
      free.add((bottom + random.below(5)) * stride + left + random.below(5));
    }
    games::Setup<Gomoku::Board> setup{};
    const Gomoku::Board stones = minus(from.points(), free);
    stones.for_each([&](int p) {
      const int x = p % stride;
      const int y = p / stride;
      const bool is_near = std::abs(x - left - 2) < 5 && std::abs(y - bottom - 2) < 5;
      const bool is_black = (x + 2 * y) % 4 < 2;
      setup.pieces[is_black != (is_near && random.below(5) == 0) ? 0 : 1].add(p);
    });
    setup.to_move = stones.count() % 2 == 0 ? games::Colour::black : games::Colour::white;
    for (;;) {
      const int lead =
          setup.pieces[0].count() - setup.pieces[1].count() - games::index(setup.to_move);
      if (lead == 0) break;
      auto& more = setup.pieces[lead > 0 ? 0 : 1];
      const int p = more.nth(random.below(more.count()));
      more.remove(p);
      setup.pieces[lead > 0 ? 1 : 0].add(p);
    }
    try {
      const Gomoku game = from.with(setup);
      if (!game.result().finished()) return game;
    } catch (const games::BadGame&) {  // NOLINT(bugprone-empty-catch): somebody has five
    }
  }
}

TEST_CASE("proof solution: gomoku as if all lines were tried") {
  Scores scores{};
  for (int plies = 15; plies < 25; ++plies) {
    check_late<games::Gomoku>("gomoku size=5 opening=free", plies, 40, scores);
  }
  for (int plies = 25; plies < 36; ++plies) {
    check_late<games::Gomoku>("gomoku size=6 opening=free", plies, 30, scores);
    check_late<games::Gomoku>("gomoku size=6 opening=free line=exactly-five", plies, 30, scores);
  }
  for (const std::string line :
       {"gomoku size=7", "gomoku size=8 line=exactly-five", "gomoku", "gomoku opening=free",
        "gomoku size=12 line=exactly-five", "gomoku size=15 opening=free", "gomoku size=19"}) {
    CAPTURE(line);
    games::Random random(1);
    const auto from = start<games::Gomoku>(line);
    for (int empty = 1; empty <= 9; ++empty) {
      check_positions(from, 20, scores, [&] { return nearly_full(from, empty, random); });
    }
  }
  for (const int n : scores) CHECK(n > 100);
}

TEST_CASE("proof solution: yavalath as if all lines were tried") {
  Scores scores{};
  for (int plies = 36; plies < 60; ++plies) {
    check_late<games::Yavalath>("yavalath", plies, plies < 54 ? 40 : 80, scores);
  }
  CHECK(scores[0] > 100);
  CHECK(scores[1] > 10);
  CHECK(scores[2] > 100);
}

/// Such a position so many plies before the game is drawn.
games::Pentalath near_limit(const games::Pentalath& from, int left, games::Random& random) {
  const int plies = 30 + 2 * random.below(10) + left % 2;
  const games::Pentalath game = after_plies(from, plies, random);
  games::Setup<games::Pentalath::Board> setup{.pieces = {game.pieces(0), game.pieces(1)},
                                              .to_move = game.to_move(),
                                              .extra = std::to_string(games::ply_limit - left)};
  return from.with(setup);
}

TEST_CASE("proof solution: pentalath as if all lines were tried") {
  Scores scores{};
  for (int plies = 50; plies < 61; ++plies) {
    check_late<games::Pentalath>("pentalath", plies, 40, scores);
  }
  games::Random random(1);
  const auto from = start<games::Pentalath>("pentalath");
  for (int left = 1; left <= 4; ++left) {
    check_positions(from, 50, scores, [&] { return near_limit(from, left, random); });
  }
  for (const int n : scores) CHECK(n > 50);
}

TEST_CASE("proof solution: amazons as if all lines were tried") {
  Scores scores{};
  for (int plies = 40; plies < 50; ++plies) {
    check_late<games::Amazons>("amazons size=8", plies, 40, scores);
  }
  for (int plies = 74; plies < 80; ++plies) {
    check_late<games::Amazons>("amazons size=10", plies, 20, scores);
  }
  CHECK(scores[0] > 100);
  CHECK(scores[2] > 100);
}

TEST_CASE("proof solution: rolit as if all lines were tried") {
  Scores scores{};
  for (int plies = 52; plies < 60; ++plies) {
    check_late<games::Rolit>("rolit", plies, 60, scores);
  }
  for (const int n : scores) CHECK(n > 10);
}

ExactMove best_at(const std::string& line, const std::string& position) {
  const auto solver = make_exact_solver(*games::game_at(line, position), std::size_t{1} << 22U);
  auto patience = endless();
  const auto best = solver->best(patience);
  REQUIRE(best);
  return *best;
}

TEST_CASE("proof solution: whether six in line win is asked of the rules") {
  // At d1 black makes six in line.
  const std::string rows =
      "......../......../..O.O.O./......../......../..O.O.../......../XXX.XX.. b";
  CHECK(best_at("gomoku size=8 opening=free", rows).move == "d1");
  const auto solver = make_exact_solver(
      *games::game_at("gomoku size=8 opening=free line=exactly-five", rows), 1U << 20U);
  Patience patience(Patience::TimePoint::max(), {}, 4096);
  const auto best = solver->best(patience);
  CHECK((!best || best->move != "d1"));
}

TEST_CASE("proof solution: a draw is a best move where no move wins") {
  // Black's stone at a1 fills the board.
  const auto best = best_at("gomoku size=5 opening=free", "XXOOX/OOXXO/XXOOX/OOXXO/.XOOX b");
  CHECK(best.score == 0);
  CHECK(best.move == "a1");
}

TEST_CASE("proof solution: in bites, and with a table of any size, it comes to the same") {
  for (const auto& [line, plies] :
       {std::pair{"gomoku size=6 opening=free", 20}, std::pair{"yavalath", 14},
        std::pair{"pentalath", 30}, std::pair{"amazons size=8", 42}, std::pair{"rolit", 50}}) {
    CAPTURE(line);
    games::Random random(2);
    const auto position = [&] {
      for (;;) {
        auto game = games::game_of(line);
        for (int ply = 0; ply < plies && !game->result().finished(); ++ply) {
          game->play(game->random_move(random));
        }
        if (!game->result().finished()) return game;
      }
    }();
    CAPTURE(position->position());
    tests::check_bites_and_tables(*position, 8192, std::size_t{1} << 16U);
  }
}

TEST_CASE("proof solution: a search with exact plays a proven win without a simulation") {
  // Black's open three at b3 to d3 becomes an open four.
  std::string position = "........./........./....O..../...O.O.../........./.O......./";
  position += ".XXX...../......O../XX....... b";
  const auto game = games::game_at("gomoku opening=free", position);
  const Report report = tests::searched(*game, tests::options_of("preset=uct simulations=1000000"));
  REQUIRE(report.exact);
  CHECK(report.exact->score == 1);
  CHECK_FALSE(report.exact->counts_points);
  CHECK(report.simulations == 0);
  CHECK(report.move == "e3");
  CHECK(report.pv.front() == "e3");
}

TEST_CASE("proof solution: what is expected, and where nothing is") {
  CHECK(*expected_positions(*games::game_of("gomoku size=15")) > 1e11);
  CHECK(*expected_positions(*games::game_of("gomoku size=5 opening=free")) > 1e11);
  CHECK(*expected_positions(*games::game_of("amazons")) > 1e11);
  CHECK(*expected_positions(*games::game_of("pentalath")) > 1e11);
  CHECK(*expected_positions(*games::game_of("rolit")) > 1e11);
  CHECK(*expected_positions(*games::game_of("yavalath")) > 1e8);
  CHECK_FALSE(expected_positions(*games::game_of("rolit players=3")));
  CHECK(why_unsolved(*games::game_of("rolit players=3")) ==
        "rolit has an exact solver for two players only");
  CHECK(why_unsolved(*games::game_of("cannon"))
            .starts_with("there is no exact solver for cannon, which can come back to a position"));
}

}  // namespace
}  // namespace pitboss::engine
