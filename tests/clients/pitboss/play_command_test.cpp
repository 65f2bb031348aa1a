#include <doctest/doctest.h>

#include <array>
#include <sstream>
#include <string>

#include "clients/pitboss/terminal_game.hpp"
#include "games/parameters.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/text.hpp"

// A game in the terminal: what a person types, and what it shows.

namespace pitboss::clients {

namespace {

/// What is shown when a person of that colour types these lines.
std::string shown(const std::string& game, games::Colour person, const std::string& typed,
                  const std::string& options = "simulations=200 seed=1") {
  std::istringstream in(typed);
  std::ostringstream out;
  const auto blank = game.find(' ');
  const std::string parameters = blank == std::string::npos ? "" : game.substr(blank + 1);
  TerminalGame({games::make_game(game.substr(0, blank), games::parse_parameters(parameters)), {}},
               person, tests::options_of(options), {}, in, out)
      .play();
  return out.str();
}

using tests::contains;
using tests::count;

constexpr auto black = games::Colour::black;
constexpr auto white = games::Colour::white;

}  // namespace

TEST_CASE("play: the engine answers, to the end of the input") {
  const std::string text = shown("connect4", black, "d\n");
  CHECK(contains(text, "four in a row"));
  CHECK(contains(text, "You play black."));
  CHECK(contains(text, "X black, O white\nblack to move\nblack> white thinks ... and plays "));
  CHECK(contains(text, "it expects to score "));
  CHECK(text.ends_with("black to move\nblack> \n"));
  CHECK(count(shown("connect4", white, "d\nd\nquit\nd\n"), "black thinks") == 3);
}

TEST_CASE("play: what is no move is told, and changes nothing") {
  const std::string text = shown("connect4", black, "hnit\nxyzzy\nd9\nd e\n\nboard\nmoves\n");
  CHECK(contains(text, "'hnit' is neither a move nor a command; did you mean 'hint'?\n"));
  CHECK(contains(text, "'xyzzy' is neither a move nor a command; help lists the commands"));
  CHECK(contains(text, "'d9' is not legal here; moves lists what is.\n"));
  CHECK(contains(text, "One word at a time"));
  CHECK(contains(text, "a1 b1 c1 d1 e1 f1 g1\n"));
  CHECK_FALSE(contains(text, "thinks"));
}

TEST_CASE("play: hint, undo, switch, new") {
  const std::string hint = shown("connect4", black, "hint\n");
  CHECK(contains(hint, "black> The engine would play d1 (you may expect to score "));
  CHECK_FALSE(contains(hint, "thinks"));
  const std::string undone = shown("connect4", black, "undo\nd\nundo\nmoves\n");
  CHECK(contains(undone, "There is no move of yours to take back."));
  CHECK(contains(undone, "a1 b1 c1 d1 e1 f1 g1\n"));
  const std::string switched = shown("connect4", black, "switch\n");
  CHECK(contains(switched, "You play white.\nblack thinks"));
  CHECK(contains(shown("connect4", black, "d\nnew\nmoves\n"), "a1 b1 c1 d1 e1 f1 g1\n"));
  CHECK(contains(shown("connect4", black, "help\n"), "  undo    takes back"));
}

TEST_CASE("play: who has won, and what is then left to do") {
  // Whoever begins hex on 2x2 wins by any move; on 1 point more there is something to lose.
  const std::string won = shown("hex size=3", black, "b2\na1\na2\na3\nb1\nb3\nc1\nc2\nc3\nhint\n",
                                "simulations=1 evaluation=playout seed=1");
  CHECK(contains(won, "game over: black wins\nYou have won.\nnew, undo or quit> "));
  CHECK(contains(won, "The game is over"));
  const std::string lost =
      shown("connect4", black, "a\nb\na\nb\na\nc\ne\nf\ng\ng\ng\nf\nf\ne\na\nc\n",
            "simulations=3000 seed=1");
  CHECK(contains(lost, "game over: white wins\nThe engine has won.\n"));
}

TEST_CASE("play: games for several, and of moves in several plies") {
  const std::string three = shown("rolit players=3", games::Colour{1}, "",
                                  "evaluation=playout "
                                  "simulations=20");
  CHECK(contains(three, "You play yellow."));
  CHECK(contains(three, "red thinks"));
  CHECK(three.ends_with("yellow> \n"));
}

TEST_CASE("pitboss play: the program finds the networks that come with it") {
  const std::string program = tests::bin_folder() + "/pitboss";
  peers::Process game({"/bin/sh", "-c",
                       "echo quit | " + program +
                           " play connect4 --as white --seconds 0.05 "
                           "--set seed=1"});
  CHECK(game.wait() == 0);
  CHECK(contains(game.output(), "black thinks ... and plays d1"));
}

TEST_CASE("pitboss play --record: goes on from the end of a record") {
  const ScratchFolder folder;
  const std::string program = tests::bin_folder() + "/pitboss play --seconds 0.05 --record ";
  const auto output = [&](const std::string& typed, const std::string& arguments, int code = 0) {
    peers::Process game({"/bin/sh", "-c",
                         "cd " + folder.path().string() + "; printf '" + typed + "' | " + program +
                             arguments + " 2>&1"});
    CHECK(game.wait() == code);
    return game.output();
  };
  write_text(folder / "one.psq", "Piskvorky 15x15, 1:1, 0\n8,8,0\n9,8,0\n-1\none.zip\ntwo.zip\n");
  const std::string gomoku = output("undo\nmoves\n", "one.psq");
  CHECK(contains(gomoku, "black: one.zip\nwhite: two.zip\ngomoku size=15 opening=free"));
  CHECK(contains(gomoku, "You play black."));
  CHECK(count(gomoku, " h8") == 1);  // free again
  write_text(folder / "two.sgf", "(;SZ[7];B[dg])\n(;SZ[7];B[cg];W[d");
  CHECK(contains(output("", "two.sgf:2 connect4"),
                 "Note: the record ends early: it is read to line 2."));
  CHECK(contains(output("", "two.sgf connect4", 2), "from two.sgf:1 to two.sgf:2"));
  CHECK(contains(output("", "no.sgf", 2), "no.sgf"));
}

}  // namespace pitboss::clients
