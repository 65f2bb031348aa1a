// GTP version 2, rule by rule: the numbers are those of the list of rules that this project keeps.
// What concerns sockets (6, 10, 11) stands in tests/server/conformance_test.cpp, too.

#include <doctest/doctest.h>

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "protocol/line.hpp"
#include "server/commands/commands.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace std::string_literals;
using server::Session;
using tests::contains;
using tests::Conversation;

namespace {

/// Commands with arguments, one a line, that cover every kind of answer: none, short, long,
/// failures, and answers that come from work.
const std::vector<std::string> varied{
    "name",         "list_commands",   "help",         "showboard",      "nonsense",
    "play b d",     "play b d",        "genmove w",    "legal_moves",    "moves",
    "undo",         "last_search",     "list_options", "perft 2",        "play x y",
    "final_score",  "kata-get-params", "printsgf",     "komi 6.5",       "boardsize 99",
    "get_position", "cputime",         "static_value", "help showboard", "known_command x"};

}  // namespace

TEST_CASE("rule 1: control characters go, then comments, then tabs become blanks") {
  Conversation c;
  const std::string answer = c.raw("1 known_command name");
  CHECK(answer == "=1 true\n\n");
  for (const std::string& line : {"1 known_command name\r"s, "1\tknown_command\tname"s,
                                  "1 known_command name # and more"s, "1 known_command name#"s,
                                  "\x01"
                                  "1 kno\x02wn_com\0mand na\x7fme"s,
                                  "\x1b"
                                  "1 known_command name\x08"s,
                                  "1 known_command name #\x01#\r"s, "1 known_command na\rme"s}) {
    CAPTURE(line);
    CHECK(c.raw(line) == answer);
  }
  // Bytes above 127 are no control characters.
  CHECK(c.raw("1 \xc3\xa9") == "?1 unknown command '\xc3\xa9'\n\n");
}

TEST_CASE("rule 1: blank lines and comments get no answer") {
  Conversation c;
  for (const std::string& line : {""s, " "s, "\t \t"s, "\r"s, "\x01\x02"s, "#"s, "# name"s,
                                  "  # name"s, "#name\r"s, "\x7f#"s, "# interrupt"s}) {
    CAPTURE(line);
    CHECK(c.raw(line).empty());
    CHECK(c.status == tests::SteppedSession::Status::ready);
  }
}

TEST_CASE("rule 1: '# interrupt' is seen though it is a comment") {
  for (const char* line : {"# interrupt", "#interrupt", "  # interrupt  ", "# interrupt\r"}) {
    CAPTURE(line);
    CHECK(protocol::Line(line).is_interrupt());
  }
  for (const char* line : {"interrupt", "# interrupts", "name # interrupt", "#"}) {
    CAPTURE(line);
    CHECK_FALSE(protocol::Line(line).is_interrupt());
  }
}

TEST_CASE("rule 2: an id stands before the command, and its answer repeats it") {
  Conversation c;
  for (const std::string& id : {"0"s, "1"s, "007"s, "2147483647"s}) {
    CAPTURE(id);
    CHECK(c.raw(id + " protocol_version") == "=" + id + " 2\n\n");
    CHECK(c.raw(id + " nonsense") == "?" + id + " unknown command 'nonsense'\n\n");
    CHECK(c.raw(id + " reg_genmove b").starts_with("=" + id + " "));  // from work
    CHECK(c.raw(id + " perft x").starts_with("?" + id + " syntax error"));
  }
}

TEST_CASE("rule 2: an id alone, or one that is none, gets a failure and ends nothing") {
  Conversation c;
  CHECK(c.raw("5") == "?5 empty command\n\n");
  CHECK(c.raw("5 # name") == "?5 empty command\n\n");
  for (const char* line : {"2147483648 name", "99999999999999999999999 name", "-1 name", "1.5 name",
                           "+1 name", "0x1 name", "1name", "1, name"}) {
    CAPTURE(line);
    CHECK(c.raw(line).starts_with("? "));
    CHECK(c.status == tests::SteppedSession::Status::ready);
  }
  CHECK(c.ask("protocol_version") == "2");
}

TEST_CASE("rule 3: names of commands are matched exactly, blanks before and behind do not count") {
  Conversation c;
  for (const char* line : {"Name", "NAME", "nam", "names", "na me"}) {
    CAPTURE(line);
    CHECK(c.raw(line).starts_with("? unknown command"));
  }
  for (const char* line : {"1 play b d1", "  1   play  b   d1   ", "\t1\tplay\tb\td1\t"}) {
    CAPTURE(line);
    CHECK(c.raw(line) == "=1 \n\n");
    CHECK(c.ask("moves") == "d1");
    c.ask("undo");
  }
}

TEST_CASE("rule 4: lines may be long") {
  Conversation c;
  std::string json = "{\"seed\": 7";
  for (int i = 0; i < 300; ++i) json += ", \"k\": 0.25";
  CHECK(c.ask("kata-set-params " + json + "}").empty());
  CHECK(c.ask("getoption k") == "0.25");
  c.ask("game atarigo size=11");
  std::string points;
  for (const char column : "abcdefghjkl"s) {
    for (int row = 1; row <= 11; row += 2) points += " b " + (column + std::to_string(row));
  }
  CHECK(c.ask("set_position" + points).empty());
  CHECK(contains(c.ask("get_position"), "XXXXXXXXXXX/.........../XXXXXXXXXXX"));
  CHECK(c.raw(std::string(4'000'000, ' ') + "protocol_version") == "= 2\n\n");
  CHECK(c.raw(std::string(4'000'000, 'x')).starts_with("? unknown command"));
}

TEST_CASE("rule 5: many lines are answered in order, one answer each") {
  Conversation c;
  std::string out;
  for (int id = 1; id <= 200; ++id) {
    const std::string& line = varied[id % varied.size()];
    out += c.raw(std::to_string(id) + " " + line);
  }
  std::size_t at = 0;
  for (int id = 1; id <= 200; ++id) {
    CAPTURE(id);
    const auto end = out.find("\n\n", at);
    REQUIRE(end != std::string::npos);
    const std::string head = std::to_string(id) + " ";
    CHECK((out[at] == '=' || out[at] == '?'));
    CHECK(out.compare(at + 1, head.size(), head) == 0);
    at = end + 2;
  }
  CHECK(at == out.size());
}

TEST_CASE("rule 7: an answer ends with one empty line and has none inside") {
  Conversation c;
  for (const std::string& line : varied) {
    CAPTURE(line);
    const std::string answer = c.raw(line);
    CHECK((answer.front() == '=' || answer.front() == '?'));
    CHECK(answer.find("\n\n") == answer.size() - 2);
  }
  CHECK(protocol::success("", "\n\na\n\n\nb\n\n").find("\n\n") ==
        protocol::success("", "\n\na\n\n\nb\n\n").size() - 2);
  CHECK(protocol::failure("1", "a\n\nb").find("\n\n") ==
        protocol::failure("1", "a\n\nb").size() - 2);
}

TEST_CASE("rule 8: a blank follows the status, also before an empty text") {
  Conversation c;
  CHECK(c.raw("clear_board") == "= \n\n");
  CHECK(c.raw("17 clear_board") == "=17 \n\n");
  CHECK(protocol::failure("17", "") == "?17 \n\n");
  for (const std::string& line : varied) {
    CAPTURE(line);
    CHECK(c.raw(line).substr(1, 1) == " ");
    const std::string answer = c.raw("42 " + line);
    CHECK(answer.substr(1, 3) == "42 ");
  }
}

TEST_CASE("rule 9: nothing but answers is written") {
  Conversation c;
  for (const std::string& line : varied) {
    CAPTURE(line);
    std::string out;
    auto status = c.session.handle(line, out);
    if (status == tests::SteppedSession::Status::running) CHECK(out.empty());
    while (status == tests::SteppedSession::Status::running) {
      CHECK(out.empty());
      status = c.session.step(std::chrono::milliseconds(1), out);
    }
    CHECK((out.starts_with("= ") || out.starts_with("? ")));
    CHECK(out.find("\n\n") == out.size() - 2);  // one answer
  }
}

TEST_CASE("rule 10: lines end with a line feed alone") {
  Conversation c;
  for (const std::string& line : varied) {
    CAPTURE(line);
    CHECK(c.raw(line + "\r").find('\r') == std::string::npos);
  }
}

TEST_CASE("rule 11: quit is answered, and then the session is over") {
  for (const char* line : {"quit", "  quit ", "quit # goodbye"}) {
    Conversation c;
    CHECK(c.raw(line) == "= \n\n");
    CHECK(c.status == tests::SteppedSession::Status::closed);
  }
  Conversation c;
  CHECK(c.raw("3 quit") == "=3 \n\n");
  CHECK(c.status == tests::SteppedSession::Status::closed);
}

TEST_CASE("rule 12: whole numbers have 31 bits and no sign") {
  Conversation c;
  CHECK(c.ask("time_settings 2147483647 2147483647 1").empty());
  for (const char* n : {"-1", "2147483648", "1.5", "1e3", "+1", "0x10", "", "one", "1a"}) {
    CAPTURE(n);
    CHECK(c.raw("time_settings "s + n + " 0 0").starts_with("? syntax error"));
  }
}

TEST_CASE("rule 12: floats") {
  Conversation c;
  for (const char* x : {"0", "6.5", "-6.5", ".5", "5.", "1e3", "-0"}) {
    CAPTURE(x);
    CHECK(c.ask("komi "s + x).empty());
  }
  for (const char* x : {"", "6,5", "much", "nan", "inf", "6.5.1", "1e999", "0x1p3x"}) {
    CAPTURE(x);
    CHECK(c.raw("komi "s + x).starts_with("? syntax error"));
  }
}

TEST_CASE("rule 12: booleans are true and false") {
  Conversation c;
  CHECK(c.ask("known_command name") == "true");
  CHECK(c.ask("known_command nonsense") == "false");
  CHECK(c.ask("getoption reuse_tree") == "false");
  c.ask("setoption reuse_tree true");
  CHECK(c.ask("getoption reuse_tree") == "true");
}

TEST_CASE("rule 12: colours, in either case") {
  Conversation c;
  for (const char* colour : {"b", "B", "black", "BLACK", "Black"}) {
    CAPTURE(colour);
    CHECK(c.ask("play "s + colour + " d1").empty());
    c.ask("undo");
  }
  c.ask("play b d1");
  for (const char* colour : {"w", "W", "white", "WHITE", "White"}) {
    CAPTURE(colour);
    CHECK(c.ask("play "s + colour + " d2").empty());
    c.ask("undo");
  }
  for (const char* colour : {"x", "bl", "blackwhite", "1", "red"}) {
    CAPTURE(colour);
    CHECK(c.refused("play "s + colour + " d2").starts_with("syntax error"));
  }
}

TEST_CASE("rule 12: points, in either case, without the letter i, row 1 at the bottom") {
  Conversation c;
  c.ask("game gomoku size=19 opening=free");
  CHECK(c.ask("play b a1").empty());
  CHECK(c.ask("play w T19").empty());
  CHECK(c.ask("play b J10").empty());
  CHECK(c.ask("moves") == "a1 t19 j10");
  const std::string position = c.ask("get_position");
  CHECK(position.starts_with("..................O/"));
  CHECK(contains(position, "/X.................. w"));
  for (const char* point : {"i5", "I5", "a0", "a20", "u1", "5a", "a", "1", "aa1", "a1b"}) {
    CAPTURE(point);
    const std::string why = c.refused("play w "s + point);
    CHECK((why.starts_with("illegal move") || why.starts_with("syntax error")));
  }
  CHECK(contains(c.refused("play w pass"), "illegal move"));  // this game has none
  c.ask("game othello size=4");
  c.ask("position OXXX/XXXX/XXXX/XXX. b");
  CHECK(c.ask("play b PASS").empty());
}

TEST_CASE("rule 12: lists of several lines have one item a line") {
  Conversation c;
  std::istringstream names(c.ask("list_commands"));
  std::size_t count = 0;
  for (std::string name; std::getline(names, name); ++count) {
    CAPTURE(name);
    CHECK(name.find(' ') == std::string::npos);
    CHECK(c.ask("known_command " + name) == "true");
  }
  CHECK(count == server::commands().size());
}

TEST_CASE("rule 13: genmove answers a move that it has played") {
  Conversation c;
  const std::string move = c.ask("genmove b");
  CHECK(c.ask("moves") == move);
  c.ask("game othello size=4");
  c.ask("position OXXX/XXXX/XXXX/XXX. b");  // black cannot turn a disc
  CHECK(c.ask("genmove b") == "pass");
  CHECK(c.ask("moves") == "pass");
}

TEST_CASE("rule 13: to resign is no move and changes nothing") {
  Conversation c;
  for (const char* move : {"b d", "w e", "b d", "w e", "b d", "w e", "b d"}) {
    c.ask("play "s + move);
  }
  const std::string before = c.state();
  CHECK(c.ask("genmove w") == "resign");
  CHECK(c.ask("reg_genmove w") == "resign");
  CHECK(c.state() == before);
  CHECK(c.ask("genmove b") == "pass");  // the winner; two passes end a game of Go
  CHECK(c.ask("undo").empty());
  CHECK(c.state() == before);
  CHECK(c.ask("undo").empty());  // takes back the last stone
  CHECK(c.ask("moves") == "d1 e1 d2 e2 d3 e3");
  CHECK(c.refused("play b resign") == "illegal move: resign is not a move to play");
}

TEST_CASE("rule 14: scores") {
  Conversation c;
  const auto score = [&](const std::string& game, const std::string& position) {
    c.ask("game " + game);
    c.ask("position " + position);
    return c.ask("final_score");
  };
  CHECK(score("connect4", "......./......./......./......./OOO..../XXXX... w") == "B+1");
  CHECK(score("connect4", "......./......./O....../O....../O....../OXX.XX. b") == "W+1");
  CHECK(score("othello size=4", "XXXX/XXXX/OOOO/OOOO b") == "0");
  CHECK(score("othello size=4", "XXXX/XXXX/OOOO/XOOO b") == "B+2");
  CHECK(score("othello size=4", "XXXX/XXOX/OOOO/OOOO b") == "W+2");
}
