#include "games/records/game_record.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "games/random.hpp"
#include "games/records/record_file.hpp"
#include "tests/folders.hpp"
#include "tests/games/set_up.hpp"

using namespace pitboss;
using namespace pitboss::games;

namespace {

const auto game = games::game_of;

std::string moves_of(const Record& record) { return games::joined(record.moves); }

Record read_record(std::string_view sgf, const AnyGame& now, const RecordReading& reading = {}) {
  return record_from_sgf(read_sgf(sgf).front(), now, reading).game;
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
        CHECK_THROWS_AS(record_to_sgf(*position, {}), BadRecord);
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
        "(;FF[4]CA[UTF-8]AP[Pitboss:2]SZ[7]RU[connect4]\n;B[dg];W[eg])");
  CHECK(record_to_sgf(*game("breakthrough"), {"d2e3"}) ==
        "(;FF[4]CA[UTF-8]AP[Pitboss:2]SZ[8]RU[breakthrough size=8]\n;B[dg];B[ef])");
  auto position = game("othello");
  position->set_position(
      "......../......../...X..../...XX.../...XO.../......../......../........ w");
  CHECK(record_to_sgf(*position, {}) ==
        "(;FF[4]CA[UTF-8]AP[Pitboss:2]SZ[8]RU[othello size=8]AB[dd][dc]PL[W])");
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
      {"breakthrough", "(;SZ[8];B[dgdf];W[abac])", "d2d3 a7a6"},
      {"breakthrough", "(;RU[breakthrough];B[d2d3];W[A7-A6])", "d2d3 a7a6"},  // as texts
      {"connect4", "(;SZ[7];B[dg];W[df])", "d1 d2"},  // a square, as GoGui's
      {"connect4", "(;SZ[7:6];B[df];W[de])", "d1 d2"},
      {"connect4", "(;SZ[7];B[d];W[d])", "d1 d2"},
      {"connect4", "(;AP[gogui-twogtp:1.6]SZ[7];B[d1];W[d])", "d1 d2"},
      {"othello", "(;SZ[8];AB[ah]AE[ah];B[dc])", "d6"},
      {"othello", "(;SZ[8]AB[]AW[]AE[];B[dc])", "d6"},
      // Passes behind the end, as gogui-twogtp writes them, and resigning.
      {"connect4",
       "(;AP[gogui-twogtp:1.6]SZ[7];B[ag];W[bg];B[af];W[bf];B[ae];W[be];B[ad];W[];B[];W[tt])",
       "a1 b1 a2 b2 a3 b3 a4"},
      {"connect4", "(;SZ[7];B[ag];W[Resign])", "a1"},
      // By the game's number, whatever is on the table.
      {"othello", "(;GM[18];B[djddgd];W[addgad])", "d1d7g7 a7d4a7"},
      {"connect4", "(;GM[4]SZ[15];B[hh])", "h8"},
      {"othello", "(;FF[4]RU[breakthrough size=8];B[d2d3])", "d2d3"},
      {"atarigo", "(;SZ[9]HA[2]AB[gc][cg];W[ee];B[ef])", "e5 e4"},  // handicap, without PL
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    CHECK(moves_of(read_record(r.sgf, *game(r.game))) == r.moves);
  }
  // The game's number chooses the board, too.
  CHECK(read_record("(;GM[11])", *game("gomoku")).start->parameters().line() == "size=11 swap=off");
  CHECK(read_record("(;GM[2])", *game("gomoku")).start->name() == "othello");
  CHECK(read_record("(;GM[18]AB[aa][bb][cc][dd]AW[jj][ii][hh][gg]AA[ab][cd])", *game("amazons"))
            .start->position()
            .starts_with("X........./*X......../..X......./..*X....../........"));
  CHECK(read_record("(;SZ[19])", *game("gomoku")).start->parameters().text("size") == "19");
  // Without a size the board is that of the game that is set, if the points lie on it.
  CHECK(read_record("(;B[ii])", *game("gomoku opening=free")).start->parameters().text("size") ==
        "9");
  CHECK(read_record("(;B[jj])", *game("gomoku opening=free")).start->parameters().text("size") ==
        "19");
  CHECK(moves_of(read_record("(;B[dg];W[df])", *game("connect4"))) == "d1 d2");
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
    return moves_of(read_record(sgf, *game("breakthrough"), {.before = before}));
  };
  CHECK(moves(1).empty());
  CHECK(moves(3) == "d2d3");
  CHECK(moves(5) == "d2d3 a7a6");
  CHECK(moves(1000) == "d2d3 a7a6");
  CHECK_THROWS_WITH_AS((void)moves(2), doctest::Contains("ends within a move"), BadRecord);
}

TEST_CASE("record_from_sgf: what is no game is refused") {
  struct Row {
    const char* game;
    const char* sgf;
    const char* says;
  };
  const Row rows[] = {
      {"atarigo", "nonsense", "the text holds no game of SGF"},
      {"atarigo", "(;SZ[9];B[jj])", "'jj' is not a point"},
      {"atarigo", "(;SZ[9];B[aa];B[bb])", "move 2 ('bb') is by the side that is not to move"},
      {"atarigo", "(;SZ[9];B[aa];W[aa])", "move 2 ('aa') is not legal"},
      {"atarigo", "(;SZ[9];B[])", "move 1 ('') is not legal"},
      {"atarigo", "(;SZ[9];B[tt])", "is not legal"},
      {"atarigo", "(;SZ[9];B[whatever\x01])", "is not legal"},
      {"atarigo", "(;SZ[9];B[aa];AB[bb])", "behind the first move"},
      {"atarigo", "(;SZ[9]PL[nobody])", "the side to move"},
      {"atarigo", "(;SZ[9]AB[aa]AW[bb][cc][dd])", "black must have"},
      {"atarigo", "(;SZ[99])", "from 1 to 52"},
      {"atarigo", "(;SZ[0])", "from 1 to 52"},
      {"atarigo", "(;SZ[])", "from 1 to 52"},
      {"atarigo", "(;SZ[9:])", "from 1 to 52"},
      {"atarigo", "(;SZ[9:8])", "9 columns and 8 rows"},
      {"atarigo", "(;B[aa];W[ss])", "size must be"},  // SGF's usual size is 19
      {"connect4", "(;B[ss])", "19 columns and 19 rows, that of connect4 7 and 6"},
      {"connect4", "(;RU[othello size=7])", "size must be"},
      {"connect4", "(;RU[othello colour=red])", "no parameter 'colour'"},
      {"connect4", "(;RU[othello size])", "'size' is not of the form key=value"},
      {"connect4", "(;SZ[7];B[da])", "is not a point"},
      {"breakthrough", "(;SZ[8];B[dg];W[ab])", "is by the side"},
      {"breakthrough", "(;SZ[8];B[dg];B[dd])", "move 2 ('dd') does not go on with the move"},
      {"breakthrough", "(;RU[breakthrough];B[dg];B[d2d3])",
       "move 2 ('d2d3') does not go on with the move"},
      {"breakthrough", "(;SZ[8];B[dg])", "ends within a move"},
      {"connect4", "(;SZ[7];B[ag];W[resign];B[ag])", "move 3 ('ag') follows the game's end"},
      {"connect4", "(;SZ[7];B[ag];W[bg];B[af];W[bf];B[ae];W[be];B[ad];W[bd])",
       "move 8 ('bd') follows the game's end"},
      {"othello", "(;GM[9]SZ[8])", "number 9 of SGF (GM), is none of these games"},
      {"atarigo", "(;SZ[9];AA[aa])", "'*'"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    CHECK_THROWS_WITH_AS((void)read_record(r.sgf, *game(r.game)), doctest::Contains(r.says),
                         BadRecord);
  }
}

TEST_CASE("record_from_sgf: in the notation of who wrote it") {
  struct Row {
    const char* sgf;
    std::optional<Dialect> told;
    const char* moves;
  };
  const Row rows[] = {
      // HexGui has column i and row 1 on top, and reads Little Golem's letters.
      {"(;FF[4]AP[HexGui:0.9]GM[11]SZ[11];B[j5];W[c5])", {}, "k5 c5"},
      {"(;FF[4]AP[HexGui:0.9]GM[11]SZ[11];B[j5];W[c5])", Dialect::plain, "k5 c5"},
      {"(;AP[HexGui:1.0.]SZ[11];B[i1];W[K11];B[ac];W[ja])", {}, "j1 l11 a3 k1"},
      {"(;GM[11];B[aa];W[kk])", {}, "a1 l11"},
      {"(;SZ[11];B[ab];W[i1])", Dialect::hexgui, "a2 j1"},
      // GoGui draws hex with row 1 on top.
      {"(;AP[GoGui:1.6.0]SZ[11];B[ab];W[ba])", Dialect::plain, "a2 b1"},
      {"(;AP[GoGui:1.6.0]SZ[11];B[K11])", {}, "k1"},
      {"(;SZ[11];B[ab];W[ba])", Dialect::gogui, "a2 b1"},
      // gogui-twogtp writes points as the programs do.
      {"(;AP[gogui-twogtp:1.6.0]SZ[11];B[ab];W[ba])", {}, "a10 b11"},
      {"(;AP[gogui-twogtp:1.6.0]SZ[11];B[ab];W[ba])", Dialect::gogui, "a2 b1"},
      // Our own, of before they named a version, too.
      {"(;AP[Pitboss]RU[hex];B[ab];W[ba])", Dialect::hexgui, "a10 b11"},
      {"(;AP[Pitboss:2]RU[hex];B[ab];W[ba])", {}, "a2 b1"},
      {"(;SZ[11];B[ab];W[j1])", Dialect::plain, "a10 j1"},
      // What is the same in all.
      {"(;SZ[11];B[a1];W[H11])", {}, "a1 h11"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    CHECK(moves_of(read_record(r.sgf, *game("hex"), {.dialect = r.told})) == r.moves);
  }
  const auto position = [](const char* sgf) {
    return read_record(sgf, *game("hex size=3")).start->position();
  };
  CHECK(position("(;AP[HexGui:1.0.]FF[4]GM[11]SZ[3];AB[a2][b3]AW[a1]PL[W])") == ".X./X../O.. w");
  CHECK(position("(;AP[GoGui:1.6.0]SZ[3]AB[ab][bc]AW[aa]PL[W])") == ".X./X../O.. w");

  // Who wrote it is unknown, and matters.
  for (const char* sgf : {"(;SZ[11];B[ab])", "(;SZ[11];B[i1])", "(;SZ[11]AB[ab])",
                          "(;SZ[11]AB[i1])", "(;AP[other]SZ[11];B[j11])"}) {
    CAPTURE(sgf);
    CHECK_THROWS_WITH_AS((void)read_record(sgf, *game("hex")),
                         doctest::Contains("does not name the program that wrote it"), BadRecord);
  }
  // A record that names its game by number is not told that it does not.
  CHECK_THROWS_WITH_AS(
      (void)read_record("(;GM[18]FF[4]SZ[10];B[d1d7g7])", *game("amazons")),
      "'d1d7g7' is another point in another notation, and the record does not name the program "
      "that "
      "wrote it (AP); `dialect plain`, `dialect gogui` or `dialect hexgui` tells which is meant",
      BadRecord);
  CHECK_THROWS_WITH_AS((void)read_record("(;SZ[8];B[d2d3])", *game("breakthrough")),
                       doctest::Contains("'d2d3' is another point in another notation"), BadRecord);
}

TEST_CASE("record_from_sgf: hex's words for the swap rule") {
  struct Row {
    const char* sgf;
    const char* start;  ///< of the whole position
    const char* moves;
  };
  const Row rows[] = {
      // The same colour moves again: the players have swapped, not the stones.
      {"(;AP[HexGui:0.9.GIT]GM[11]SZ[3];B[c1];W[swap-pieces];W[b2])", ".../.../... b", "c1 b2"},
      {"(;AP[HexGui:1.0]GM[11]SZ[3];B[c1];W[swap-sides];W[b2])", ".../.../... b", "c1 b2"},
      {"(;GM[11]SZ[3];B[ca];W[Swap];W[bb];B[resign])", ".../.../... b", "c1 b2"},
      {"(;GM[11]SZ[3];B[c1];W[swap-pieces])", ".../.../... b", "c1"},
      // The other colour moves: the stone is white's, by the long diagonal.
      {"(;AP[HexGui:1.0]GM[11]SZ[3];B[c1];W[swap-pieces];B[b2])", ".../.../... b", "c1 swap b2"},
      {"(;GM[11]SZ[3];B[b2];W[swap-pieces];C[well];B[c1])", ".../.../... b", "b2 swap c1"},
      // Ours: the stone keeps its place.
      {"(;AP[HexGui:0.9]GM[11]SZ[3]AB[aa:bb]AW[ca:cc][ac]PL[B])", "O.O/XXO/XXO b", ""},
      {"(;AP[Pitboss:2]RU[hex size=3 swap=on];B[ca];W[swap];B[bb])", ".../.../... b", "c1 swap b2"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.sgf);
    const Record record = read_record(r.sgf, *game("hex"));
    CHECK(record.start->position() == r.start);
    CHECK(moves_of(record) == r.moves);
    const Record again = read_record(record_to_sgf(*record.start, record.moves), *game("connect4"));
    CHECK(again.start->position() == r.start);
    CHECK(moves_of(again) == r.moves);
  }
  for (const char* sgf :
       {"(;GM[11]SZ[3];B[c1];W[c2];B[swap-pieces];W[b2])", "(;GM[2]SZ[8];B[swap-pieces];W[dc])"}) {
    CHECK_THROWS_WITH_AS((void)read_record(sgf, *game("hex")),
                         doctest::Contains("swaps pieces where there is not one stone"), BadRecord);
  }
}

TEST_CASE("docs/dialects.md: what the reader forgives has an example that is read") {
  std::ifstream page(tests::docs_folder() + "/dialects.md");
  std::string line;
  while (line != "| the file has | is read as | example |" && std::getline(page, line)) {
  }
  REQUIRE(std::getline(page, line));
  int rows = 0;
  for (; std::getline(page, line) && line.starts_with('|'); ++rows) {
    const auto end = line.rfind('`');
    const auto begin = line.rfind('`', end - 1) + 1;
    const std::string name = line.substr(begin, end - begin);
    CAPTURE(name);
    std::ifstream file(tests::tests_folder() + "/fuzz/corpus/sgf/" + name, std::ios::binary);
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    const auto is_read = [&](const char* now) {
      try {
        for (const SgfGame& each : read_records(text.str())) {
          static_cast<void>(record_from_sgf(each, *game(now)));
          return true;
        }
      } catch (const BadRecord&) {
      }
      return false;
    };
    CHECK((is_read("connect4") || is_read("atarigo") || is_read("gomoku opening=free") ||
           is_read("amazons") || is_read("hex")));
  }
  CHECK(rows == 31);
}

TEST_CASE(
    "what is said of positions is read as it was written, for every game of black and white") {
  games::Random random(5);
  for (const auto name : games::game_names()) {
    const auto start = games::make_game(name);
    if (start->colours().front() != "black") continue;
    for (const std::size_t length : {0U, 1U, 2U, 9U}) {
      const auto position = start->clone();
      std::vector<std::string> moves;
      std::vector<Annotation> said;
      for (std::size_t ply = 0; ply <= length; ++ply) {
        Annotation of{.ply = static_cast<int>(ply),
                      .comment = "a ] \\ b\nply " + std::to_string(ply),
                      .value = static_cast<double>(ply) / 10,
                      .is_mistake = ply % 2 == 1,
                      .is_turning_point = ply % 3 == 1};
        // Two variations of up to three moves at some positions.
        const bool is_last = ply == length || position->result().finished();
        for (int v = 0; ply % 2 == 0 && !is_last && v < 2; ++v) {
          const auto other = position->clone();
          auto& line = of.variations.emplace_back();
          for (int i = 0; i < 1 + v * 2 && !other->result().finished(); ++i) {
            line.push_back(other->random_move(random));
            other->play(line.back());
          }
        }
        said.push_back(std::move(of));
        if (is_last) break;
        moves.push_back(position->random_move(random));
        position->play(moves.back());
      }
      const std::string sgf = record_to_sgf(*start, moves, {}, said);
      CAPTURE(sgf);
      const auto all = read_sgf(sgf + sgf);
      REQUIRE(all.size() == 2);
      for (const SgfGame& one : all) {
        const ReadRecord read = record_from_sgf(one, *game("othello"));
        CHECK(read.game.moves == moves);
        REQUIRE(read.annotations.size() == said.size());
        for (std::size_t i = 0; i < said.size(); ++i) {
          CHECK(read.annotations[i].comment == said[i].comment);
          CHECK(*read.annotations[i].value == doctest::Approx(*said[i].value));
          CHECK(read.annotations[i].is_mistake == said[i].is_mistake);
          CHECK(read.annotations[i].is_turning_point == said[i].is_turning_point);
          CHECK(read.annotations[i].variations == said[i].variations);
        }
      }
    }
  }
}

TEST_CASE("annotations of other programs: variations up to what is legal, colours as the game's") {
  const auto now = game("othello");
  const auto of = [&](std::string_view sgf) {
    return record_from_sgf(read_sgf(sgf).front(), *now).annotations;
  };
  // A variation to the first move, one with a move that is not legal, one of the other colour.
  const auto said =
      of("(;GM[2]C[start](;B[fe]C[one](;W[ff](;B[ef])(;B[aa];W[bb]))(;W[fd];B[hh];W[aa]))"
         "(;B[ef];W[dg](;B[cc])(;B[dd]))(;W[aa]))");
  REQUIRE(said.size() == 2);
  CHECK(said[0].comment == "start");
  CHECK(said[0].variations == std::vector<std::vector<std::string>>{{"e3"}});
  CHECK(said[1].comment == "one");
  CHECK(said[1].variations == std::vector<std::vector<std::string>>{{"f5"}});
  // White begins: its colours, value and result are the other's.
  const auto exchanged =
      record_from_sgf(read_sgf("(;GM[2]RE[W+6];W[fe]SBKV[30]BM[1];B[ff]SBKV[101])").front(), *now);
  CHECK(exchanged.result == "B+6");
  REQUIRE(exchanged.annotations.size() == 1);
  CHECK(*exchanged.annotations[0].value == doctest::Approx(0.7));
  CHECK(exchanged.annotations[0].is_mistake);
  // Setup before the variations.
  const auto set_up = of("(;GM[2]AB[fe]PL[W](;W[fd])(;W[df]))");
  REQUIRE(set_up.size() == 1);
  CHECK(set_up[0].ply == 0);
  CHECK(set_up[0].variations == std::vector<std::vector<std::string>>{{"d3"}});
}

TEST_CASE("what is said within a move of several nodes is said of that move") {
  const auto of = [](std::string_view sgf) {
    return record_from_sgf(read_sgf(sgf).front(), *game("amazons")).annotations;
  };
  const auto said = of("(;GM[18];B[dj]BM[1]C[queen];B[dd]C[there];B[gd];W[ad]HO[1];W[dg];W[ad])");
  REQUIRE(said.size() == 2);
  CHECK(said[1].ply == 2);
  CHECK(said[1].is_turning_point);
  CHECK(said[0].ply == 1);
  CHECK(said[0].is_mistake);
  CHECK(said[0].comment == "queen\nthere");
  // The end of the move is missing: so is what was said of it.
  CHECK(of("(;GM[18];B[dj]BM[1];B[dd]").empty());
}

TEST_CASE("a handicap record without PL keeps the variations to its first move") {
  const auto read = record_from_sgf(
      read_sgf("(;SZ[9]HA[2]AB[gc][cg](;W[ee];B[ef])(;W[ef])(;B[ef]))").front(), *game("atarigo"));
  REQUIRE(read.annotations.size() == 1);
  CHECK(read.annotations[0].variations == std::vector<std::vector<std::string>>{{"e4"}});
}

TEST_CASE("a result is exchanged where the players are") {
  const auto result = [](std::string_view sgf) {
    return record_from_sgf(read_sgf(sgf).front(), *game("hex")).result;
  };
  CHECK(result("(;GM[11]SZ[5]RE[B+R];W[aa];B[bb])") == "W+R");
  CHECK(result("(;GM[11]SZ[5]RE[B];W[aa];B[bb])") == "W");
  CHECK(result("(;GM[11]SZ[5]RE[W];W[aa];B[bb])") == "B");
  CHECK(result("(;GM[11]SZ[5]RE[0];W[aa];B[bb])") == "0");
  CHECK(result("(;FF[4]EV[hex]SZ[5]SO[http://www.littlegolem.com]RE[B+R]GM[11];W[aa];B[bb])") ==
        "B+R");
}

TEST_CASE("whether a record names its game") {
  const auto names = [](std::string_view sgf) { return names_game(read_sgf(sgf).front()); };
  CHECK(names("(;GM[2];B[dc])"));
  CHECK(names("(;GM[1]RU[connect4];B[dg])"));
  CHECK_FALSE(names("(;GM[1]RU[Japanese];B[dg])"));
  CHECK_FALSE(names("(;B[dg])"));
  CHECK_THROWS_AS((void)names("(;GM[3];B[dg])"), BadRecord);
}
