#include "engine/search/exact_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "games/random.hpp"
#include "tests/engine/exact/end_games.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

/// A position of connect4 with so many random stones, in which nobody has won.
std::unique_ptr<games::AnyGame> connect4_after(int stones, games::Random& random) {
  for (;;) {
    auto position = games::make_game("connect4");
    for (int i = 0; i < stones && !position->result().finished(); ++i) {
      position->play(position->random_move(random));
    }
    if (!position->result().finished()) return position;
  }
}

std::vector<std::string> best_moves(const games::AnyGame& position, int& score) {
  const auto solver = make_exact_solver(position, 1U << 20U);
  Patience patience(environment::AwakeClock::now() + 1h);
  REQUIRE(solver->run(patience));
  const auto moves = solver->moves();
  score = *std::ranges::max_element(moves, {}, &ExactMove::score)->score;
  std::vector<std::string> best;
  for (const ExactMove& move : moves) {
    if (move.score == score) best.push_back(move.move);
  }
  return best;
}

void check_end_game(const EndGame& game) {
  CAPTURE(game.position->position());
  const Report report = searched(*game.position, options_of("preset=uct simulations=100000000"));
  int best = -64;
  for (const auto& [move, score] : game.scores) best = std::max(best, score);
  REQUIRE(report.exact);
  CHECK(report.exact->score == best);
  CHECK(report.exact->counts_points);
  CHECK(game.scores.at(report.move) == best);
  CHECK(report.simulations == 0);
}

}  // namespace

TEST_CASE("exact search: the move and the value of published end games") {
  const auto games = othello_end_games();
  for (std::size_t i = 0; i < 12; ++i) check_end_game(games[i]);
}

// exact_tests -ns -tc='*all twenty*' says how long it takes.
TEST_CASE("exact search: the move and the value of all twenty" * doctest::skip()) {
  const auto games = othello_end_games();
  REQUIRE(games.size() == 20);
  const auto begun = std::chrono::steady_clock::now();
  for (const EndGame& game : games) check_end_game(game);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begun;
  MESSAGE(time.count() << " s");
}

TEST_CASE("exact search: a seed gives the same search, however it is cut into slices") {
  games::Random random(1);
  int proven = 0;
  for (int i = 0; i < 20; ++i) {
    const auto position = connect4_after(14 + i % 6, random);
    const Options options = options_of("exact=true simulations=300");
    const Report whole = searched(*position, options);
    const Report sliced = searched(*position, options, 50us);
    CAPTURE(position->position());
    CHECK(whole.exact.has_value() == sliced.exact.has_value());
    CHECK(whole.move == sliced.move);
    CHECK(visits(whole) == visits(sliced));
    const bool is_decided = whole.exact && whole.exact->score >= 0;
    CHECK(whole.simulations == (is_decided ? 0 : 300));
    proven += whole.exact ? 1 : 0;
    if (!whole.exact) continue;
    int score = 0;
    CHECK(std::ranges::count(best_moves(*position, score), whole.move) == 1);
    CHECK(whole.exact->score == score);
    CHECK_FALSE(whole.exact->counts_points);
    CHECK(whole.moves.front().move == whole.move);
    CHECK(whole.moves.front().proven == proven_of(score));
    CHECK(whole.pv.front() == whole.move);
    if (score < 0) CHECK(whole.moves.back().proven == Proven::loss);
  }
  CHECK(proven > 5);
}

TEST_CASE(
    "exact search: none where processor time bounds a search, which the solver would use, too") {
  games::Random random(3);
  const auto position = connect4_after(30, random);
  CHECK(searched(*position, options_of("exact=true simulations=100000")).exact);
  CHECK_FALSE(searched(*position, options_of("exact=true cputime=20")).exact);
}

TEST_CASE("exact search: beside the solver, reused trees, and threads") {
  games::Random random(2);
  for (const char* how : {"solver=true", "reuse_tree=true", "threads=3", "threads=2 solver=true",
                          "movetime=60000", "simulations=0 movetime=1000 threads=2"}) {
    CAPTURE(how);
    auto position = connect4_after(20, random);
    const auto search = make_search(*position);
    const Options options = options_of("simulations=100000 exact=true " + std::string(how));
    for (int ply = 20; !position->result().finished(); ++ply) {
      int score = 0;
      const auto best = best_moves(*position, score);
      const Report report = search_on(*search, *position, ply, options);
      REQUIRE(report.exact);
      CHECK(report.exact->score == score);
      CHECK(std::ranges::count(best, report.move) == 1);
      CHECK(position->text(search->best_move()) == report.move);
      CHECK(search->best_value() == report.moves.front().value);
      CHECK(search->help(1ms) == Progress::done);
      position->play(report.move);
    }
  }
}

TEST_CASE("exact search: hex, won and lost, alone and with the estimators of its preset") {
  games::Random random(7);
  int won = 0;
  for (int i = 0; i < 12; ++i) {
    const auto position = games::game_of(i % 2 == 0 ? "hex size=5" : "hex size=7 swap=on");
    for (int ply = 0; ply < (i % 2 == 0 ? 6 : 20); ++ply) {
      position->play(position->random_move(random));
    }
    if (position->result().finished()) continue;
    CAPTURE(position->position());
    int score = 0;
    const auto best = best_moves(*position, score);
    for (const char* more : {"", "playout=informed estimators=history,rave"}) {
      const Options options = options_of("preset=uct simulations=2000 " + std::string(more));
      const Report report = searched(*position, options);
      REQUIRE(report.exact);
      CHECK(report.exact->score == score);
      CHECK(std::ranges::count(best, report.move) == 1);
      CHECK(report.simulations == (score > 0 ? 0 : 2000));
      CHECK(report.move == searched(*position, options, 50us).move);
    }
    won += score > 0 ? 1 : 0;
  }
  CHECK(won > 4);
  CHECK(won < 12);
}

TEST_CASE("exact search: the ends of atarigo and of races") {
  games::Random random(8);
  int proven = 0;
  for (const auto& [line, plies] :
       {std::pair{"atarigo", 16}, std::pair{"atarigo size=5", 6},
        std::pair{"breakthrough size=5", 10}, std::pair{"breakthrough", 56},
        std::pair{"knightthrough", 16}}) {
    for (int i = 0; i < 4; ++i) {
      const auto position = games::game_of(line);
      for (int ply = 0; ply < plies && !position->result().finished(); ++ply) {
        position->play(position->random_move(random));
      }
      if (position->result().finished()) continue;
      CAPTURE(position->position());
      const Options options = options_of("preset=uct simulations=1000");
      const Report report = searched(*position, options);
      if (!report.exact) continue;
      ++proven;
      int score = 0;
      const auto best = best_moves(*position, score);
      CHECK(report.exact->score == score);
      CHECK(std::ranges::count(best, report.move) == 1);
      CHECK(report.simulations == (score > 0 ? 0 : 1000));
      CHECK(report.move == searched(*position, options, 50us).move);
      Options off = options;
      off.exact = false;
      CHECK_FALSE(searched(*position, off).exact);
    }
  }
  CHECK(proven > 8);
}

TEST_CASE("exact search: a proof is expected of as many positions as its solver can look at") {
  // With 13 stones on 7x7 atarigo's solver expects to look at 380,000 positions, for which it takes
  // about as long as 6,300 simulations, or an eighth of a second. It mostly needs far fewer.
  games::Random random(9);
  int tried = 0;
  for (int i = 0; i < 20 && tried < 3; ++i) {
    const auto position = games::game_of("atarigo");
    for (int ply = 0; ply < 13 && !position->result().finished(); ++ply) {
      position->play(position->random_move(random));
    }
    if (position->result().finished()) continue;
    const auto solver = make_exact_solver(*position, 1U << 20U);
    Patience patience(environment::AwakeClock::now() + 1h, {}, positions_a_bite);
    if (!solver->best(patience)) continue;
    ++tried;
    CAPTURE(position->position());
    CHECK(expected_positions(*position).value() == doctest::Approx(380e3).epsilon(0.02));
    for (const char* enough : {"simulations=7000", "simulations=0 movetime=2000"}) {
      CHECK(searched(*position, options_of("preset=uct " + std::string(enough))).exact);
    }
    for (const char* less : {"simulations=5000", "simulations=0 movetime=200"}) {
      CHECK_FALSE(searched(*position, options_of("preset=uct " + std::string(less))).exact);
    }
  }
  CHECK(tried == 3);
}

TEST_CASE("exact search: a proof is found that takes ten thousand times as long as expected" *
          doctest::skip(sanitized)) {
  // 50 positions are expected, 750,000 needed.
  const auto position = games::game_at("gomoku",
                                       ".X..O.O.O/OOX.....X/....XXXXO/.OX..O.X./OX..X.X.O/"
                                       "O......O./...O....X/.XOO..X.X/.OXX.XOO. w");
  CHECK(expected_positions(*position).value() < 50);
  const Report report = searched(*position, options_of("exact=true simulations=20000"));
  REQUIRE(report.exact);
  CHECK(report.exact->score == -1);
}

TEST_CASE("exact search: none in a position that is far from its end, or as long as it is off") {
  const auto start = games::make_game("connect4");
  const auto othello = games::make_game("othello");
  for (const games::AnyGame* const position : {start.get(), othello.get()}) {
    const Report plain = searched(*position, options_of("simulations=200"));
    const Report exact = searched(*position, options_of("simulations=200 exact=true"));
    CHECK(visits(plain) == visits(exact));
    CHECK_FALSE(exact.exact);
  }
  games::Random random(3);
  const auto late = connect4_after(30, random);
  CHECK_FALSE(searched(*late, options_of("simulations=200")).exact);
  CHECK(searched(*late, options_of("simulations=200 exact=true")).exact);
}

TEST_CASE("exact search: no solver where moves are avoided or a search goes on step by step") {
  games::Random random(4);
  const auto late = connect4_after(30, random);
  const Options options = options_of("exact=true simulations=200");
  Limits avoiding = limits_of(options);
  avoiding.avoided.insert(late->legal_moves().front());
  Limits step = limits_of(options);
  step.goes_on = true;
  for (const Limits& limits : {avoiding, step}) {
    const auto search = make_search(*late);
    search->begin(*late, 30, options, limits);
    while (search->run(1ms) != Progress::done) {
    }
    CHECK_FALSE(search->report().exact);
    CHECK(search->report().simulations > 0);
  }
}

TEST_CASE("exact search: stopped or hurried while it solves, it makes a simulation all the same") {
  const auto games = othello_end_games();
  const games::AnyGame& hard = *games.back().position;
  for (const bool is_stopped : {true, false}) {
    CAPTURE(is_stopped);
    const auto search = make_search(hard);
    Options options = options_of("preset=uct simulations=1000000000");
    search->begin(hard, 30, options, limits_of(options));
    CHECK(search->run(1ms) == Progress::runnable);
    CHECK(search->help(1ms) != Progress::runnable);  // it waits
    if (is_stopped) {
      search->stop();
    } else {
      options.simulations = 1;
      search->update(options);
    }
    while (search->run(1ms) != Progress::done) {
    }
    CHECK_FALSE(search->report().exact);
    if (is_stopped) CHECK(search->report().simulations > 1);  // which would be a guess
    CHECK(search->report().simulations > 0);
    CHECK(search->effort().processor_time > 0ns);
  }
}

TEST_CASE("exact search: an endless search goes on beside its solver, and ends with the proof") {
  games::Random random(5);
  const auto late = connect4_after(16, random);
  const Options options = options_of("exact=true");
  Limits limits;
  limits.endless = true;
  const auto search = make_search(*late);
  search->begin(*late, 16, options, limits);
  while (search->run(100us) != Progress::done) {
  }
  const Report report = search->report(1);
  REQUIRE(report.exact);
  int score = 0;
  CHECK(std::ranges::count(best_moves(*late, score), report.move) == 1);
  CHECK(report.moves.front().move == report.move);
  CHECK(report.exact->score == score);
}

TEST_CASE("exact search: without memory for its table a search makes its simulations") {
  games::Random random(6);
  const Options options = options_of("exact=true simulations=5000");
  int decided = 0;
  for (int i = 0; i < 10; ++i) {
    const auto position = connect4_after(14, random);
    for (const bool suffices : {true, false}) {
      const std::size_t megabytes = suffices ? 64 : 6;  // of which the tree takes 4
      const auto memory = std::make_shared<MemoryBudget>(megabytes << 20U);
      const auto search = make_search(*position, {}, memory);
      const Report report = search_on(*search, *position, 14, options);
      const bool is_decided = report.exact && report.exact->score >= 0;
      if (!suffices) CHECK_FALSE(report.exact);
      CHECK((report.simulations > 0) == !is_decided);
      CHECK((memory->used() == 0) == is_decided);
      decided += is_decided ? 1 : 0;
    }
  }
  CHECK(decided > 3);
}
