#include "games/records/game_record.hpp"

#include <doctest/doctest.h>

#include "games/random.hpp"
#include "games/records/sgf.hpp"
#include "tests/games/set_up.hpp"

using namespace pitboss;
using namespace pitboss::games;

namespace {

const auto game = games::game_of;

std::string moves_of(const Record& record) { return games::joined(record.moves); }

Record read_record(std::string_view sgf, const AnyGame& now, std::optional<int> before = {}) {
  return record_from_sgf(read_sgf(sgf).front(), now, before);
}

}  // namespace

TEST_CASE("a record written is the record read, for every game") {
  games::Random random(11);
  for (const auto name : games::game_names()) {
    for (int round = 0; round < 20; ++round) {
      auto position = games::make_game(name);
      // Half of them begin somewhere in the middle.
      for (int i = round % 2 == 0 ? 0 : random.below(12); i > 0; --i) {
        if (!position->result().finished()) position->play(position->random_move(random));
      }
      if (position->colours().front() != "black") {
        CHECK_THROWS_AS(record_to_sgf(*position, {}), BadSgf);
        continue;
      }
      Record record{position->clone(), {}};
      for (int i = round == 0 ? 1000 : random.below(40); i > 0; --i) {
        if (position->result().finished()) break;
        record.moves.push_back(position->random_move(random));
        position->play(record.moves.back());
      }
      const std::string sgf = record_to_sgf(*record.start, record.moves);
      CAPTURE(sgf);
      CHECK(sgf.find("\n\n") == std::string::npos);
      // Whatever game there is on the table.
      const Record read = read_record(sgf, *game("othello"));
      CHECK(read.start->name() == name);
      CHECK(read.start->parameters() == record.start->parameters());
      CHECK(read.start->position() == record.start->position());
      CHECK(read.moves == record.moves);
    }
  }
}

TEST_CASE("record_to_sgf") {
  CHECK(record_to_sgf(*game("connect4"), {"d1", "e1"}) ==
        "(;FF[4]AP[Pitboss]SZ[7]RU[connect4]\n;B[dg];W[eg])");
  CHECK(record_to_sgf(*game("breakthrough"), {"d2e3"}) ==
        "(;FF[4]AP[Pitboss]SZ[8]RU[breakthrough size=8]\n;B[dg];B[ef])");
  auto position = game("othello");
  position->set_position(
      "......../......../...X..../...XX.../...XO.../......../......../........ w");
  CHECK(record_to_sgf(*position, {}) ==
        "(;FF[4]AP[Pitboss]SZ[8]RU[othello size=8]AB[dd][dc]PL[W])");
  const auto connect4 = game("connect4");
  const std::string won = record_to_sgf(*connect4, {"a1", "b1", "a2", "b2", "a3", "b3", "a4"});
  CHECK(won.find("RE[B+1]") != std::string::npos);
  // Passes behind a game's end are none of its moves.
  CHECK(record_to_sgf(*connect4, {"a1", "b1", "a2", "b2", "a3", "b3", "a4", "pass", "pass"}) ==
        won);
}

TEST_CASE("record_from_sgf: records of other programs") {
  struct Row {
    const char* game;
    const char* sgf;
    const char* moves;
  };
  const Row rows[] = {
      {"atarigo", "(;GM[1]FF[4]CA[UTF-8]AP[GoGui:1.6.0]SZ[7];B[dd];W[de])", "d4 d3"},
      {"gomoku", "(;SZ[9]C[a \\] comment\n\nof lines];B[ee](;W[aa];B[ih])(;W[bb]))", "e5 a9 j2"},
      {"breakthrough", "(;SZ[8];B[dg];B[df];W[ab];W[ac])", "d2d3 a7a6"},  // GoGui's half moves
      {"breakthrough", "(;SZ[8];B[d2d3];W[A7-A6])", "d2d3 a7a6"},         // as texts
      {"connect4", "(;SZ[7];B[dg];W[df])", "d1 d2"},                      // a square, as GoGui's
      {"connect4", "(;SZ[7:6];B[df];W[de])", "d1 d2"},
      {"connect4", "(;SZ[7];B[d1];W[d])", "d1 d2"},
      {"othello", "(;SZ[8];AB[ah]AE[ah];B[dc])", "d6"},
      {"othello", "(;FF[4]RU[breakthrough size=8];B[d2d3])", "d2d3"},
      {"atarigo", "(;SZ[9]HA[2]AB[gc][cg];W[ee];B[ef])", "e5 e4"},  // handicap, without PL
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    CHECK(moves_of(read_record(r.sgf, *game(r.game))) == r.moves);
  }
  CHECK(read_record("(;SZ[19])", *game("gomoku")).start->parameters().text("size") == "19");
  CHECK(read_record("(;)", *game("gomoku")).start->parameters().text("size") == "19");
}

TEST_CASE("record_from_sgf: stones set up before the first move") {
  const auto start = [](const char* sgf) {
    return read_record(sgf, *game("atarigo")).start->position();
  };
  CHECK(start("(;SZ[5]AB[aa]AW[ee])") == "X..../...../...../...../....O b");
  CHECK(start("(;SZ[5]AB[aa][bb]AW[ee]PL[W])") == "X..../.X.../...../...../....O w");
  CHECK(start("(;SZ[5]AB[aa:bb]AE[ba]AW[ad:ae]AW[de]PL[black])") ==
        "X..../XX.../...../O..../O..O. b");
  CHECK(start("(;SZ[5];AB[aa];AW[ee];C[not yet];B[ab])") == "X..../...../...../...../....O b");
}

TEST_CASE("record_from_sgf: up to before a move") {
  constexpr auto sgf = "(;SZ[8];B[dg];B[df];W[ab];W[ac])";
  const auto moves = [&](int before) {
    return moves_of(read_record(sgf, *game("breakthrough"), before));
  };
  CHECK(moves(1).empty());
  CHECK(moves(3) == "d2d3");
  CHECK(moves(5) == "d2d3 a7a6");
  CHECK(moves(1000) == "d2d3 a7a6");
  CHECK_THROWS_WITH_AS((void)moves(2), doctest::Contains("ends within a move"), BadSgf);
}

TEST_CASE("record_from_sgf: what is no game is refused") {
  struct Row {
    const char* game;
    const char* sgf;
    const char* says;
  };
  const Row rows[] = {
      {"atarigo", "nonsense", "expected '('"},
      {"atarigo", "(;SZ[9];B[jj])", "'jj' is not a point"},
      {"atarigo", "(;SZ[9];B[aa];B[bb])", "move 2 ('bb') is by the side that is not to move"},
      {"atarigo", "(;SZ[9];B[aa];W[aa])", "move 2 ('aa') is not legal"},
      {"atarigo", "(;SZ[9];B[])", "move 1 ('') is not legal"},
      {"atarigo", "(;SZ[9];B[tt])", "is not legal"},
      {"atarigo", "(;SZ[9];B[whatever\x01])", "is not legal"},
      {"atarigo", "(;SZ[9];B[aa];AB[bb])", "behind the first move"},
      {"atarigo", "(;SZ[9]PL[nobody])", "the side to move"},
      {"atarigo", "(;SZ[9]AB[aa]AW[bb][cc][dd])", "black has"},
      {"atarigo", "(;SZ[99])", "from 1 to 52"},
      {"atarigo", "(;SZ[0])", "from 1 to 52"},
      {"atarigo", "(;SZ[])", "from 1 to 52"},
      {"atarigo", "(;SZ[9:])", "from 1 to 52"},
      {"atarigo", "(;SZ[9:8])", "9 columns and 8 rows"},
      {"atarigo", "(;)", "size must be"},  // SGF's usual size is 19
      {"connect4", "(;)", "19 columns and 19 rows, that of connect4 7 and 6"},
      {"connect4", "(;RU[othello size=7])", "size must be"},
      {"connect4", "(;RU[othello colour=red])", "no parameter 'colour'"},
      {"connect4", "(;RU[othello size])", "'size' is not of the form key=value"},
      {"connect4", "(;SZ[7];B[da])", "is not a point"},
      {"breakthrough", "(;SZ[8];B[dg];W[ab])", "is by the side"},
      {"breakthrough", "(;SZ[8];B[dg];B[dd])", "move 2 ('dd') does not go on with the move"},
      {"breakthrough", "(;SZ[8];B[dg];B[d2d3])", "move 2 ('d2d3') does not go on with the move"},
      {"breakthrough", "(;SZ[8];B[dg])", "ends within a move"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    CHECK_THROWS_WITH_AS((void)read_record(r.sgf, *game(r.game)), doctest::Contains(r.says),
                         BadSgf);
  }
}
