#include "clients/players/move_notation.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace pitboss::clients {

using games::Notation;
using protocol::Dialect;

namespace {

std::unique_ptr<games::AnyGame> game(const std::string& name, const std::string& size = "") {
  games::Parameters parameters;
  if (!size.empty()) parameters.set("size", size);
  return games::make_game(name, parameters);
}

}  // namespace

TEST_CASE("to_program() and from_program()") {
  const Notation top_with_i{true, 10};
  struct Row {
    const char* ours;
    MoveStyle style;
    const char* theirs;
  };
  const Row rows[] = {{"d2e3", {}, "d9e8"},
                      {"j2k3", {true}, "I9J8"},
                      {"d2e3", {false, "-", "-"}, "d9-e8"},
                      {"d2e3a", {true, " ", " "}, "D9 E8A"},
                      {"d1d7g7", {false, "x", "x"}, "d10xd4xg4"},
                      {"d1d7g7", {false, "-", "/"}, "d10-d4/g4"},
                      {"d1d7g7", {false, "-", "(", ")"}, "d10-d4(g4)"},
                      {"k10", {false, "-", "-"}, "j1"},
                      {"pass", {true}, "PASS"}};
  for (const Row& row : rows) {
    CHECK(to_program(row.ours, top_with_i, row.style) == row.theirs);
    const auto position = game("amazons");
    const std::string back = from_program(row.theirs, top_with_i);
    CHECK((back == row.ours || back == "d1xd7xg7"));  // which `games` reads
  }
  // A cannon's shot has an x of its own.
  CHECK(to_program("e6xe8", {}) == "e6xe8");
  CHECK(to_program("e6xe8", {}, {false, "-", "-"}) == "e6-e8");

  CHECK(from_program("Null", {}) == "pass");
  CHECK(from_program("--", {}) == "pass");
  CHECK(from_program("RESIGN", {}) == "resign");
  CHECK(from_program("swap-pieces", top_with_i) == "swap");
  CHECK(from_program("SWAP-SIDES", {}) == "swap");
  CHECK(from_program("no move", {}) == "no move");
  CHECK(from_program("", {}).empty());
}

TEST_CASE("NotationCandidates: as many as lead to different games") {
  struct Row {
    const char* game;
    const char* size;
    const char* text;
  };
  const Row rows[] = {
      {"othello", "", "plain or hexgui"},
      {"breakthrough", "", "plain or hexgui"},
      {"connect4", "", "plain or hexgui"},
      {"amazons", "", "plain or hexgui or plain with row 1 on top or plain with column i"},
      {"hex", "8", ""},
      {"hex", "9", "plain or hexgui"},
      {"gomoku", "7", ""},
      {"gomoku", "15", "plain or hexgui"},
      {"atarigo", "7", ""},
      {"teeko", "", ""},
  };
  for (const Row& row : rows) {
    CAPTURE(row.game);
    const NotationCandidates all(*game(row.game, row.size));
    CHECK(all.text() == row.text);
    CHECK(all.is_open() == (std::string(row.text) != ""));
  }
  const NotationCandidates named(Dialect::hexgui, game("othello")->shape());
  CHECK_FALSE(named.is_open());
  CHECK_FALSE(named.is_unsure("e3"));
  CHECK(named.to_program("e3") == "e6");
  CHECK(named.from_program("E6") == "e3");
}

TEST_CASE("NotationCandidates: a refusal rules out") {
  const auto othello = game("othello");
  NotationCandidates all(*othello);
  const auto first = all.next_question(*othello);
  REQUIRE(first);
  CHECK(first->line.empty());
  CHECK(first->text == "c5");
  CHECK(all.refuse(*othello, "c5"));
  CHECK(all.text() == "hexgui");
  const auto second = all.next_question(*othello);
  REQUIRE(second);
  CHECK(second->text == "c4");
  all.accept("c4");
  CHECK_FALSE(all.next_question(*othello));
  CHECK_FALSE(all.is_unsure("c5"));

  // Who refuses all may read no small letters; who refuses those, too, tells nothing.
  NotationCandidates none(*othello);
  CHECK(none.refuse(*othello, "c5"));
  CHECK(none.refuse(*othello, "c4"));
  CHECK(none.to_program("c5") == "C5");
  CHECK(none.refuse(*othello, "C5"));
  CHECK_FALSE(none.refuse(*othello, "C4"));
  CHECK(none.text() == "plain or hexgui");
}

TEST_CASE("NotationCandidates: a question where the first moves tell nothing") {
  const auto gomoku = game("gomoku", "15");  // black's first stone goes to the centre
  NotationCandidates all(*gomoku);
  const auto question = all.next_question(*gomoku);
  REQUIRE(question);
  CHECK(question->line == std::vector<std::string>{"h8"});
  CHECK(question->text == "p1");
}

TEST_CASE("NotationCandidates: a move is held open until another decides") {
  const auto hex = game("hex", "11");
  const auto position = hex->clone();
  NotationCandidates all(*hex);
  std::vector<std::string> moves;
  const auto play = [&](const std::string& move) {
    moves.push_back(move);
    position->play(move);
  };
  CHECK_FALSE(all.hear(*position, moves, "c3"));  // the same in both
  CHECK(all.is_open());
  play("c3");
  CHECK_FALSE(all.hear(*position, moves, "J4"));  // i or j
  CHECK(all.from_program("J4") == "j4");
  play("j4");
  CHECK(all.is_open());
  SUBCASE("it is another than was thought: the program has to be told the game anew") {
    CHECK(all.hear(*position, moves, "I5"));
    CHECK(all.text() == "hexgui");
    CHECK(all.from_program("I5") == "j5");
  }
  SUBCASE("it is as was thought") {
    CHECK_FALSE(all.hear(*position, moves, "L5"));
    CHECK(all.from_program("L5") == "l5");
  }
  SUBCASE("an illegal move may be of another game") {
    CHECK(all.hear(*position, moves, "c3"));
    CHECK(all.text() == "hexgui");
    CHECK_FALSE(all.hear(*position, moves, "c3"));
    CHECK(all.text() == "hexgui");
  }
}

TEST_CASE("NotationCandidates: what a program lists and draws puts in order") {
  const auto hex = game("hex", "9");
  NotationCandidates all(*hex);
  all.prefer_by_moves(*hex, "A1 B2 I9");
  CHECK(all.text() == "hexgui or plain, in capitals");
  NotationCandidates drawn(*hex);
  drawn.prefer_by_board("  A B C D E F G H I\n 1 . . .\n 2 . . .\n");
  CHECK(drawn.text() == "hexgui or plain");
  const auto othello = game("othello");
  NotationCandidates rows(*othello);
  rows.prefer_by_board("  A B C D E F G H\n 8 . . .\n 7 . . .\n");
  CHECK(rows.text() == "plain or hexgui");
  rows.prefer_by_board("\n  a b c d e f g h\n 1 . . .\n 2 . . .\n");
  CHECK(rows.text() == "hexgui or plain");
  for (const char* nonsense : {"", "what?", "no 1 2 3"}) rows.prefer_by_board(nonsense);
  CHECK(rows.text() == "hexgui or plain");
  rows.prefer_by_moves(*othello, "e3 f4 c5 d6");
  CHECK(rows.text() == "plain or hexgui");
  for (const char* nonsense : {"", "what?", "e3 e4", "E3 d3"}) {
    rows.prefer_by_moves(*othello, nonsense);
  }
  CHECK(rows.text() == "plain or hexgui");
}

}  // namespace pitboss::clients
