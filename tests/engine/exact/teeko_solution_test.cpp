#include "engine/exact/teeko_solution.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "engine/exact/exact_solver.hpp"
#include "engine/search/exact_search.hpp"
#include "games/ply_limit.hpp"
#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/exact/plain_teeko.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

using games::Teeko;

/// Made once, which takes most of the time of these tests.
const TeekoTable& whole_table() {
  static const TeekoTable table = TeekoTable::made();
  return table;
}

Patience endless() { return Patience(Patience::TimePoint::max()); }

TeekoTable::Markers markers_of(const Teeko& position) {
  const int mover = games::index(position.to_move());
  return {static_cast<std::uint32_t>(position.pieces(mover).word(0)),
          static_cast<std::uint32_t>(position.pieces(1 - mover).word(0))};
}

/// Random markers, so many in all, in a position that is not over; after `plies` if that is not "".
Teeko random_placement(int count, games::Random& random, const std::string& plies = "") {
  for (;;) {
    games::Setup<Teeko::Board> setup{{}, games::Colour(count % 2), plies};
    for (int i = 0; i < count; ++i) {
      const auto empty = minus(Teeko{}.points(), setup.pieces[0] | setup.pieces[1]);
      setup.pieces[static_cast<std::size_t>(i % 2)].add(empty.nth(random.below(empty.count())));
    }
    if (!plies.empty()) setup.to_move = games::Colour(std::stoi(plies) % 2);
    try {
      const Teeko position = Teeko{}.with(setup);
      if (!position.result().finished()) return position;
    } catch (const games::BadGame&) {  // the side to move has won
    }
  }
}

/// In how many plies the game is over if the table is right one ply later.
std::optional<int> plies_by_moves(const Teeko& position, const TeekoTable& table) {
  games::MoveList<Teeko::max_moves> moves;
  position.legal_moves(moves);
  int soonest_win = 1000;
  int latest_loss = 0;
  bool is_endless = false;
  for (const games::Move move : moves) {
    Teeko after = position;
    after.play(move);
    const auto plies = table.plies(markers_of(after));
    if (after.result().finished()) CHECK(plies == 0);
    if (!plies) {
      is_endless = true;
    } else if (*plies % 2 == 0) {
      soonest_win = std::min(soonest_win, *plies + 1);
    } else {
      latest_loss = std::max(latest_loss, *plies + 1);
    }
  }
  if (soonest_win < 1000) return soonest_win;
  return is_endless ? std::nullopt : std::optional(latest_loss);
}

TEST_CASE("teeko's table: each placement is what its moves make of it, and the start is a draw") {
  const TeekoTable& table = whole_table();
  CHECK(TeekoTable::of(table.bytes()).has_value());
  CHECK_FALSE(table.plies({0, 0}));
  games::Random random(1);
  int wins = 0;
  int losses = 0;
  for (int i = 0; i < 90000; ++i) {
    const Teeko position = random_placement(i % 9, random);
    const auto plies = table.plies(markers_of(position));
    if (plies != plies_by_moves(position, table)) {
      CAPTURE(position.pieces(0).word(0));
      CAPTURE(position.pieces(1).word(0));
      FAIL_CHECK(plies.value_or(-1));
    }
    (plies.value_or(0) % 2 == 1 ? wins : losses) += plies ? 1 : 0;
  }
  CHECK(wins > 10000);
  CHECK(losses > 1000);
}

// exact_tests -ns -tc='*retrograde*' takes half a minute.
TEST_CASE("teeko's table: all markers on the board as a plain retrograde analysis has it" *
          doctest::skip()) {
  const tests::PlainTeeko plain;
  int placements = 0;
  int differing = 0;
  for (const std::uint32_t own : plain.sets()) {
    for (const std::uint32_t enemy : plain.sets()) {
      const bool is_own_figure = plain.plies(enemy, own) == 0;
      if ((own & enemy) != 0 || is_own_figure) continue;
      const auto plies = plain.plies(own, enemy);
      const bool agrees = whole_table().plies({own, enemy}).value_or(plain.unknown) == plies;
      differing += agrees ? 0 : 1;
      ++placements;
    }
  }
  CHECK(differing == 0);
  CHECK(placements > 75'000'000);
}

/// 1, 0, -1 for the side to move, by all lines up to the limit of plies.
int tried_out(const Teeko& position) {
  if (position.result().finished()) return position.result().shared() ? 0 : -1;
  games::MoveList<Teeko::max_moves> moves;
  position.legal_moves(moves);
  int best = -1;
  for (const games::Move move : moves) {
    Teeko after = position;
    after.play(move);
    best = std::max(best, -tried_out(after));
    if (best == 1) break;
  }
  return best;
}

int sign(int score) { return (score > 0) - (score < 0); }

TEST_CASE("teeko's solver: its table in a file, the limit of plies, the quickest win") {
  const clients::ScratchFolder folder;
  const auto start = games::game_of("teeko");
  const auto has_none = [&] {
    CHECK_FALSE(expected_positions(*start));
    CHECK(make_exact_solver(*start, 1U << 20U) == nullptr);
    CHECK(why_unsolved(*start) ==
          "teeko's exact results are in a table, which is not there or damaged: pitboss truth "
          "--make-table "
          "teeko makes it");
  };
  has_none();
  TeekoSolution::find_table_in(folder / "tables");
  has_none();
  std::filesystem::create_directory(folder / "tables");
  const auto file = folder / "tables/teeko.table";
  std::string bytes = whole_table().bytes();
  bytes[9'000'000] = static_cast<char>(bytes[9'000'000] ^ 1);
  clients::write_text(file, bytes);
  has_none();
  clients::write_text(file, whole_table().bytes().substr(1));
  has_none();
  std::filesystem::remove(file);
  std::filesystem::create_directory(file);
  has_none();
  std::filesystem::remove(file);
  REQUIRE(::mkfifo(file.c_str(), 0600) == 0);  // would have a reader wait
  has_none();
  std::filesystem::remove(file);
  clients::write_text(file, whole_table().bytes());
  REQUIRE(expected_positions(*start));

  // All moves, and before the limit of plies the wins that still come in time.
  games::Random random(2);
  auto patience = endless();
  int decided = 0;
  int too_late = 0;
  for (int i = 0; i < 400; ++i) {
    const int plies = 997 + i % 3;
    const Teeko position = random_placement(8, random, std::to_string(plies));
    const int score = TeekoSolution().score(position, patience).value();
    CHECK(sign(score) == tried_out(position));
    const auto unlimited = whole_table().plies(markers_of(position));
    decided += score != 0 ? 1 : 0;
    too_late += unlimited && score == 0 ? 1 : 0;
    if (score != 0) CHECK(std::abs(score) == games::ply_limit + 1 - plies - unlimited.value());
  }
  CHECK(decided > 20);
  CHECK(too_late > 20);

  // Who plays best moves against best moves wins as soon as the table says.
  int longest = 0;
  for (int i = 0; i < 300; ++i) {
    const Teeko placement = random_placement(8, random);
    const auto plies = whole_table().plies(markers_of(placement));
    if (!plies) continue;
    const auto position = games::game_of("teeko");
    std::string rows;
    for (int y = 4; y >= 0; --y) {
      for (int x = 0; x < 5; ++x) {
        const int p = 5 * y + x;
        rows += placement.pieces(0).has(p) ? 'X' : placement.pieces(1).has(p) ? 'O' : '.';
      }
      rows += y > 0 ? "/" : " b";
    }
    position->set_position(rows);
    int played = 0;
    for (; !position->result().finished(); ++played) {
      const auto best = make_exact_solver(*position, 0)->best(patience);
      REQUIRE(best);
      CHECK(sign(*best->score) == ((*plies - played) % 2 == 1 ? 1 : -1));
      position->play(best->code);
    }
    CHECK(played == *plies);
    longest = std::max(longest, played);
  }
  CHECK(longest > 10);

  // A search by the option `exact` makes no simulation where it wins, or loses by the longest
  // resistance. In a draw simulations choose among the moves that draw.
  int wins = 0;
  int losses = 0;
  int draws = 0;
  for (int i = 0; i < 120; ++i) {
    const auto position = games::game_of("teeko");
    for (int ply = 0; ply < i % 12 && !position->result().finished(); ++ply) {
      position->play(position->random_move(random));
    }
    if (position->result().finished()) continue;
    CAPTURE(position->position());
    const auto solver = make_exact_solver(*position, 0);
    REQUIRE(solver->run(patience));
    const auto moves = solver->moves();
    const auto score_of = [&](const std::string& move) {
      return std::ranges::find(moves, move, &ExactMove::move)->score.value();
    };
    const int best = std::ranges::max_element(moves, {}, &ExactMove::score)->score.value();
    for (const char* how :
         {"simulations=30", "simulations=30 threads=2", "simulations=0 movetime=5"}) {
      const Report report =
          tests::searched(*position, tests::options_of("preset=uct " + std::string(how)));
      REQUIRE(report.exact);
      CHECK(report.exact->score == best);
      CHECK(sign(score_of(report.move)) == sign(best));
      CHECK(report.moves.size() == moves.size());
      CHECK(report.moves.front().move == report.move);
      CHECK(report.pv.front() == report.move);
      if (best != 0) CHECK(score_of(report.move) == best);
      if (best != 0) CHECK(report.simulations == 0);
      if (best > 0) continue;
      for (const MoveReport& move : report.moves) {
        CHECK(move.proven == proven_of(score_of(move.move)));
      }
    }
    wins += best > 0 ? 1 : 0;
    draws += best == 0 ? 1 : 0;
    const auto worst = std::ranges::min_element(moves, {}, &ExactMove::score)->score;
    losses += best < 0 && worst < best ? 1 : 0;  // in which the choice matters
  }
  CHECK(wins > 5);
  CHECK(losses > 1);
  CHECK(draws > 5);
  const Report draw = tests::searched(*start, tests::options_of("preset=uct simulations=10"));
  REQUIRE(draw.exact);
  CHECK(draw.exact->score == 0);
  CHECK(draw.simulations == 10);
  const Report plain =
      tests::searched(*start, tests::options_of("preset=uct exact=false simulations=10"));
  CHECK_FALSE(plain.exact);
  CHECK(plain.simulations == 10);
}

}  // namespace
}  // namespace pitboss::engine
