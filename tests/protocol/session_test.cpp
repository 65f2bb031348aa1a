#include "protocol/session.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/protocol/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace std::chrono_literals;
using namespace std::string_literals;
using Client = tests::Conversation;
using tests::contains;

TEST_CASE("session: administration") {
  Client c;
  CHECK(c.ask("protocol_version") == "2");
  CHECK(c.ask("name") == "Pitboss");
  CHECK_FALSE(c.ask("version").empty());
  CHECK(c.ask("known_command genmove") == "true");
  CHECK(c.ask("known_command flyingcarpet") == "false");
  CHECK(c.ask("known_command") == "false");  // never fails
  CHECK(contains(c.ask("list_commands"), "\nsetoption\n"));
  CHECK(contains(c.ask("help genmove"), "takes time"));
  CHECK(contains(c.ask("help"), "setoption name NAME value VALUE"));
  CHECK(contains(c.refused("help nothing"), "unknown command"));
  CHECK(c.refused("flyingcarpet") == "unknown command 'flyingcarpet'");
  CHECK(c.ask("komi 6.5").empty());
  CHECK(contains(c.refused("komi much"), "syntax error"));
}

TEST_CASE("session: ids, blank lines, comments") {
  Client c;
  CHECK(c.raw("17 protocol_version") == "=17 2\n\n");
  CHECK(c.raw("").empty());
  CHECK(c.raw("  \t ").empty());
  CHECK(c.raw("# play b d1").empty());
  CHECK(c.raw("5") == "?5 empty command\n\n");
  CHECK(c.raw("99999999999 name").starts_with("? syntax error"));
  CHECK(c.raw("3 nonsense") == "?3 unknown command 'nonsense'\n\n");
  CHECK(c.raw("4 genmove b # please").starts_with("=4 "));
  CHECK(c.status == Session::Status::ready);
  CHECK(c.raw("quit") == "= \n\n");
  CHECK(c.status == Session::Status::closed);
}

TEST_CASE("session: a game") {
  Client c;
  CHECK(c.ask("games") == "connect4\nothello\nbreakthrough\nknightthrough\natarigo\ngomoku");
  CHECK(c.ask("game") == "connect4");
  CHECK(c.ask("game othello") == "");
  CHECK(c.ask("game") == "othello size=8");
  CHECK(c.ask("legal_moves") == "c5 d6 e3 f4");
  CHECK(c.ask("play black e3").empty());
  CHECK(c.ask("play W F3").empty());
  CHECK(c.ask("moves") == "e3 f3");
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("moves") == "e3");
  CHECK(c.ask("undo").empty());
  CHECK(c.refused("undo") == "cannot undo");
  CHECK(c.ask("clear_board").empty());
  CHECK(contains(c.ask("showboard"), "black to move"));
  CHECK(c.ask("static_value") == "0.500000000000");
}

TEST_CASE("session: play refuses, and says why") {
  Client c;
  c.ask("play b d1");
  CHECK(contains(c.refused("play b e1"), "illegal move: it is white's turn"));
  CHECK(contains(c.refused("play w d1"), "illegal move: 'd1' is not legal here"));
  CHECK(contains(c.refused("play w d9"), "illegal move"));
  CHECK(contains(c.refused("play w pass"), "illegal move"));
  CHECK(c.refused("play w resign") == "illegal move: to resign is no move");
  CHECK(contains(c.refused("play w 77"), "syntax error"));
  CHECK(contains(c.refused("play w \xc3\xa9"), "syntax error"));
  CHECK(contains(c.refused("play green e1"), "syntax error: expected a colour"));
  CHECK(contains(c.refused("play w"), "syntax error: expected COLOUR MOVE"));
  CHECK(contains(c.refused("play w e1 e2"), "syntax error"));
  CHECK(c.ask("play w e").empty());  // a bare column
  CHECK(c.ask("moves") == "d1 e1");
}

TEST_CASE("session: game and boardsize refuse, and say why") {
  Client c;
  c.ask("game gomoku size=11 opening=free");
  c.ask("play b a1");
  CHECK(c.ask("game") == "gomoku size=11 opening=free line=five-or-more");
  CHECK(contains(c.refused("game chess"), "unknown game 'chess'"));
  CHECK(contains(c.refused("game gomoku size=99"), "size must be"));
  CHECK(contains(c.refused("game gomoku size=x"), "size must be"));
  CHECK(contains(c.refused("game gomoku colour=red"), "has no parameter 'colour'"));
  CHECK(contains(c.refused("game gomoku size"), "syntax error"));
  CHECK(contains(c.refused("game gomoku size=9 size=10"), "size is given twice"));
  CHECK(contains(c.refused("undo 3"), "syntax error: expected no arguments"));
  CHECK(contains(c.refused("boardsize 400"), "unacceptable size"));
  CHECK(contains(c.refused("boardsize"), "syntax error"));
  CHECK(contains(c.refused("boardsize 9 10"), "unacceptable size"));
  CHECK(c.ask("boardsize 9").empty());
  CHECK(c.ask("game") == "gomoku size=9 opening=free line=five-or-more");
  c.ask("game connect4");
  CHECK(contains(c.refused("boardsize 9"), "unacceptable size"));
  CHECK(c.ask("boardsize 7").empty());
  CHECK(c.ask("boardsize 7 6").empty());
  CHECK(c.ask("rectangular_boardsize 7 6").empty());
  CHECK(contains(c.refused("boardsize 7 7"), "unacceptable size: this game has 7 columns and 6"));
  CHECK(contains(c.refused("rectangular_boardsize 7"), "syntax error"));
  c.ask("game atarigo");
  CHECK(c.ask("boardsize 9 9").empty());
  CHECK(c.ask("game") == "atarigo size=9");
}

TEST_CASE("session: positions") {
  Client c;
  c.ask("game breakthrough");
  const std::string start = c.ask("get_position");
  c.ask("play b a2a3");
  const std::string later = c.ask("get_position");
  CHECK(later != start);
  c.ask("clear_board");
  CHECK(c.ask("position " + later).empty());
  CHECK(c.ask("get_position") == later);
  CHECK(c.ask("moves").empty());
  CHECK(c.refused("undo") == "cannot undo");
  CHECK(contains(c.refused("position nonsense b"), "rows"));
  CHECK(contains(c.refused("position"), "syntax error"));
  CHECK(contains(c.refused("position " + start + " 1"), "no third part"));
  c.ask("clear_board");
  CHECK(c.ask("get_position") == start);
}

TEST_CASE("session: genmove plays, reg_genmove does not") {
  Client c;
  c.ask("setoption seed 5");
  const std::string move = c.ask("reg_genmove b");
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("genmove b") == move);
  CHECK(c.ask("moves") == move);
  CHECK(contains(c.refused("genmove b"), "white's turn"));
  CHECK(contains(c.refused("genmove"), "syntax error"));
}

TEST_CASE("session: the same seed gives the same game") {
  const auto play = [](const std::string& game) {
    Client c;
    c.ask("game " + game);
    c.ask("setoption seed 77");
    c.ask("setoption simulations 200");
    c.ask("setoption novelty pseudocount");
    for (int ply = 0; ply < 30 && !c.ask("legal_moves").empty(); ++ply) {
      c.ask(ply % 2 == 0 ? "genmove b" : "genmove w");
    }
    return c.ask("moves");
  };
  for (const char* game :
       {"connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku"}) {
    CAPTURE(game);
    CHECK(play(game) == play(game));
  }
}

TEST_CASE("session: a finished game: score, and answers that end it for Go referees") {
  Client c;
  CHECK(contains(c.refused("final_score"), "cannot score"));
  for (const char* move : {"b d", "w e", "b d", "w e", "b d", "w e", "b d"}) {
    c.ask("play "s + move);
  }
  CHECK(c.ask("final_score") == "B+1");
  CHECK(c.ask("legal_moves").empty());
  CHECK(c.ask("genmove w") == "resign");
  CHECK(c.ask("genmove b") == "pass");
  CHECK(c.ask("static_value") == "1.000000000000");
  CHECK(contains(c.ask("showboard"), "game over"));
  CHECK(contains(c.refused("play w a"), "illegal move: the game is over"));
  CHECK(c.ask("moves").ends_with("d4 pass"));
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("reg_genmove b") == "pass");
  CHECK(c.ask("play w PASS").empty());  // by the other referee's player
  CHECK(c.ask("play b pass").empty());
  CHECK(c.ask("final_score") == "B+1");
  for (int i = 0; i < 3; ++i) CHECK(c.ask("undo").empty());
  CHECK(contains(c.refused("play b pass"), "illegal move"));
  CHECK(c.ask("genmove b") == "d4");
}

TEST_CASE("session: perft") {
  Client c;
  CHECK(c.ask("perft 0") == "1");
  CHECK(c.ask("perft 5") == "16807");
  CHECK(contains(c.refused("perft -1"), "syntax error"));
  CHECK(contains(c.refused("perft 65"), "syntax error"));
}

TEST_CASE("session: options") {
  Client c;
  CHECK(c.ask("setoption name Alpha value 0.5").empty());
  CHECK(c.ask("setoption beta 2").empty());
  CHECK(c.ask("getoption alpha") == "0.5");
  CHECK(c.ask("getoption BETA") == "2");
  CHECK(contains(c.refused("setoption alpha"), "syntax error"));
  CHECK(contains(c.refused("setoption name alpha value"), "syntax error"));
  CHECK(contains(c.refused("setoption alpha much"), "alpha must be a number from 0 to 1000"));
  CHECK(contains(c.refused("setoption gamma 2"), "gamma must be"));
  CHECK(contains(c.refused("setoption tree_mb 4096"), "at most 1024 on this server"));
  CHECK(contains(c.refused("setoption nothing 1"), "unknown option 'nothing'"));
  CHECK(contains(c.refused("getoption nothing"), "unknown option 'nothing'"));
  CHECK(contains(c.ask("list_options"), "option name alpha type spin default 0.01 min 0 max 1000"));
  // What does not fit the game is refused from either side.
  c.ask("setoption novelty pseudocount-features");
  CHECK(contains(c.refused("game atarigo"), "no evaluation features"));
  c.ask("setoption novelty none");
  c.ask("game atarigo");
  CHECK(contains(c.refused("setoption novelty pseudocount-features"), "no evaluation features"));
  // Without any bound there is no search.
  c.ask("setoption simulations 0");
  CHECK(contains(c.refused("genmove b"), "needs a bound"));
  CHECK(c.ask("time_settings 1 0 0").empty());
  CHECK_FALSE(c.ask("genmove b").empty());
}

TEST_CASE("session: options by the names that other engines gave their commands") {
  Client c;
  CHECK(c.ask("kata-list-params").starts_with("simulations movetime "));
  CHECK(c.ask("kata-set-param alpha 0.5").empty());
  CHECK(c.ask("kata-get-param alpha") == "0.5");
  CHECK(c.ask("lz-setoption name Beta value 2").empty());
  CHECK(c.ask("getoption beta") == "2");
  CHECK(c.ask("lz-setoption") == c.ask("list_options"));
  CHECK(contains(c.refused("kata-get-param nothing"), "unknown option 'nothing'"));
  CHECK(contains(c.refused("kata-set-param k"), "syntax error"));
  CHECK(contains(c.refused("lz-setoption k"), "syntax error"));
  CHECK(contains(c.refused("setoption name novelty value pseudocount features"),
                 "not 'pseudocount features'"));  // all its words

  const auto all = nlohmann::json::parse(c.ask("kata-get-params"));
  CHECK(all["alpha"] == 0.5);
  CHECK(all["reuse_tree"] == false);
  CHECK(all["novelty"] == "none");
  CHECK(
      c.ask(R"(kata-set-params {"k": 0.7, "reuse_tree": true, "novelty": "evaluation"})").empty());
  CHECK(c.ask("getoption k") == "0.7");
  CHECK(c.ask("getoption reuse_tree") == "true");
  CHECK(c.ask("getoption novelty") == "evaluation");
  // What it tells can be given back.
  CHECK(c.ask("kata-set-params " + all.dump()).empty());
  CHECK(nlohmann::json::parse(c.ask("kata-get-params")) == all);
  // A preset does not undo what stands beside it.
  CHECK(c.ask(R"(kata-set-params {"reuse_tree": true, "preset": "reference"})").empty());
  CHECK(c.ask("getoption reuse_tree") == "true");

  CHECK(c.refused(R"(kata-set-params {"k": 0.1, "more": 1, "alpha": 0.2, "less": 2})") ==
        "unknown options: more, less");
  CHECK(contains(c.refused(R"(kata-set-params {"k": 0.1, "alpha": -1})"), "alpha must be"));
  CHECK(contains(c.refused(R"(kata-set-params {"k": [0.1]})"), "the value of 'k' must be"));
  CHECK(contains(c.refused(R"(kata-set-params {"tree_mb": 4096})"), "at most 1024"));
  for (const char* text : {"", "{", "[]", "1", "{\"k\": 1} 2", "{k: 1}", "{\"k\"}"}) {
    CHECK(contains(c.refused("kata-set-params "s + text), "syntax error: expected {"));
  }
  CHECK(contains(c.refused("kata-set-params " + std::string(1 << 20, '[')), "syntax error"));
}

TEST_CASE("session: last_search") {
  Client c;
  CHECK(contains(c.refused("last_search"), "no search yet"));
  c.ask("setoption novelty threshold");
  c.ask("setoption simulations 400");
  const std::string move = c.ask("genmove b");
  const auto json = nlohmann::json::parse(c.ask("last_search"));
  CHECK(json["simulations"] == 400);
  CHECK(json["moves"].size() == 7);
  CHECK(json["moves"][0]["move"] == move);
  CHECK(json["move"] == move);
  CHECK(json["pv"][0] == move);
  CHECK(json["tree_full"] == false);
  CHECK(json["options"]["novelty"] == "threshold");
  CHECK(json["options"]["simulations"] == "400");
  CHECK_FALSE(json["options"].contains("alpha"));
  // What is set afterwards was not the search's.
  c.ask("setoption alpha 0.5");
  CHECK_FALSE(nlohmann::json::parse(c.ask("last_search"))["options"].contains("alpha"));
  c.ask("clear_board");
  CHECK(contains(c.refused("last_search"), "no search yet"));
}

TEST_CASE("session: the clock") {
  Client c;
  CHECK(contains(c.refused("time_settings 1 2"), "syntax error"));
  CHECK(contains(c.refused("time_settings -1 0 0"), "syntax error"));
  CHECK(contains(c.refused("time_left b -1 0"), "syntax error"));
  CHECK(contains(c.refused("time_left b 1 -1"), "syntax error"));
  for (const char* settings : {"none", "absolute 60", "canadian 60.5 10 5", "byoyomi 60 10 3"}) {
    CHECK(c.ask("kgs-time_settings "s + settings).empty());
    CHECK(c.ask("kata-time_settings "s + settings).empty());
  }
  CHECK(contains(c.refused("kgs-time_settings"), "none | absolute | byoyomi | canadian"));
  CHECK(contains(c.refused("kgs-time_settings fischer 60 5"), "syntax error"));
  CHECK(contains(c.refused("kgs-time_settings canadian 60 5"), "canadian MAIN PERIOD STONES"));
  CHECK(contains(c.refused("kgs-time_settings byoyomi 60 5 0"), "syntax error"));
  CHECK(c.ask("kata-time_settings fischer 60 2.5").empty());
  CHECK(c.ask("kata-time_settings fischer-capped 60 2.5 120 -1").empty());
  CHECK(contains(c.refused("kata-time_settings fischer-capped 60 2 59 -1"), "below MAIN"));
  CHECK(c.ask("kata-list_time_settings") ==
        "none absolute byoyomi canadian fischer fischer-capped");
  CHECK(c.ask("cputime") == "0.000");
  CHECK(c.ask("kata-time_settings none").empty());
  c.ask("setoption simulations 0");
  c.ask("time_settings 0 2 5");
  c.ask("time_left b 1.5 5");
  const auto begun = std::chrono::steady_clock::now();
  c.ask("genmove b");
  const auto used = std::chrono::steady_clock::now() - begun;
  CHECK(used > 100ms);
  CHECK(used < 1s);
  const double counted = std::stod(c.ask("cputime"));
  CHECK(counted > 0.02);  // the processor may be busy elsewhere
  CHECK(counted <= std::chrono::duration<double>(used).count());
  CHECK(c.ask("gomill-cpu_time") == c.ask("cputime"));
}

TEST_CASE("session: interrupt") {
  CHECK(Session::is_interrupt("# interrupt"));
  CHECK(Session::is_interrupt("  #interrupt \r"));
  CHECK_FALSE(Session::is_interrupt("interrupt"));
  CHECK_FALSE(Session::is_interrupt("# interrupted"));
  CHECK_FALSE(Session::is_interrupt("name # interrupt"));

  Client c;
  c.session.interrupt();  // nothing runs: nothing happens
  c.ask("setoption simulations 0");
  c.ask("setoption movetime 60000");
  for (const char* command : {"genmove b", "perft 30"}) {
    CAPTURE(command);
    std::string out;
    auto status = c.session.handle(command, out);
    REQUIRE(status == Session::Status::working);
    std::jthread other([&] {
      std::this_thread::sleep_for(20ms);
      c.session.interrupt();
    });
    const auto begun = std::chrono::steady_clock::now();
    while (status == Session::Status::working) status = c.session.work(2ms, out);
    CHECK(std::chrono::steady_clock::now() - begun < 5s);
    CHECK((out.starts_with("= ") || out == "? interrupted\n\n"));
  }
  CHECK(c.ask("moves").size() == 2);  // the interrupted genmove has played
}

TEST_CASE("session: setoption while a search runs") {
  Client c;
  c.ask("setoption simulations 0");
  c.ask("setoption movetime 60000");
  std::string out;
  REQUIRE(c.session.handle("9 genmove b", out) == Session::Status::working);
  REQUIRE(c.session.work(1ms, out) == Session::Status::working);
  CHECK_FALSE(c.session.handle_while_working("name").has_value());
  CHECK_FALSE(c.session.handle_while_working("").has_value());
  CHECK(c.session.handle_while_working("10 setoption alpha 0.7") ==
        "=10 in force in the running search\n\n");
  CHECK(c.session.handle_while_working("setoption name novelty value evaluation") ==
        "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_working("setoption alpha -1")->starts_with("? alpha must be"));
  CHECK(out.empty());
  CHECK(c.session.handle_while_working("setoption movetime 5").has_value());  // ends it
  auto status = Session::Status::working;
  while (status == Session::Status::working) status = c.session.work(2ms, out);
  CHECK(out.starts_with("=9 "));
  CHECK(c.ask("getoption alpha") == "0.7");
  CHECK(c.ask("getoption novelty") == "evaluation");
}

TEST_CASE("session: a search that runs is not left without a bound, nor ruled by a preset") {
  Client c;
  c.ask("setoption movetime 0");
  c.ask("setoption simulations 1000000000");
  c.ask("setoption novelty pseudocount");
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == Session::Status::working);
  CHECK(c.session.handle_while_working("setoption simulations 0")->starts_with("? a search needs"));
  CHECK(c.session.handle_while_working("setoption preset control") ==
        "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_working("setoption beta 3").has_value());
  REQUIRE(c.session.work(1ms, out) == Session::Status::working);
  c.session.interrupt();
  auto status = Session::Status::working;
  while (status == Session::Status::working) status = c.session.work(2ms, out);
  const auto options = nlohmann::json::parse(c.ask("last_search"))["options"];
  CHECK_FALSE(options.contains("alpha"));  // the running search kept its own
  CHECK(options["beta"] == "3");
  CHECK(c.ask("getoption alpha") == "0");
  CHECK(c.ask("getoption simulations") == "1000000000");
}

TEST_CASE("session: any bytes get an answer or none, never more") {
  games::Random random(3);
  Client c;
  c.ask("setoption simulations 10");
  const std::vector<std::string> stems{"play b ",   "game ",      "setoption ",
                                       "position ", "boardsize ", "",
                                       "1 ",        "time_left ", "known_command "};
  for (int i = 0; i < 3000; ++i) {
    std::string line = stems[random.below(static_cast<int>(stems.size()))];
    for (int n = random.below(30); n > 0; --n) line += static_cast<char>(random.below(256));
    if (line.find('\n') != std::string::npos) continue;  // two lines
    const std::string answer = c.raw(line);
    CAPTURE(line);
    if (answer.empty()) continue;
    CHECK((answer[0] == '=' || answer[0] == '?'));
    CHECK(answer.find("\n\n") == answer.size() - 2);
  }
  CHECK(c.raw(std::string(1 << 20, 'x')).size() < 400);
  CHECK(c.raw("position " + std::string(1 << 20, '/')).size() < 400);
  CHECK(c.ask("name") == "Pitboss");
}

TEST_CASE("session: loadsgf and printsgf") {
  const clients::ScratchFolder folder;
  clients::write_text(folder / "race.sgf",
                      "(;SZ[8]RU[breakthrough size=8];B[dg];B[df];W[ab];W[ac])");
  clients::write_text(folder / "broken.sgf", "(;SZ[8]RU[breakthrough size=8];B[dg];W[df])");
  Client without;
  CHECK(without.refused("loadsgf race.sgf") ==
        "cannot load file: this server has no folder of games (--sgf)");
  SessionConfig config;
  config.sgf_folder = folder.path();
  Client c(config);
  c.ask("play b d");
  CHECK(contains(c.refused("loadsgf nothing.sgf"), "cannot load file: there is no file"));
  CHECK(contains(c.refused("loadsgf /etc/passwd"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf ../race.sgf"), "cannot load file"));
  CHECK(contains(c.refused("loadsgf broken.sgf"), "cannot load file: move 2"));
  CHECK(contains(c.refused("loadsgf"), "syntax error"));
  CHECK(contains(c.refused("loadsgf race.sgf 0"), "syntax error"));
  CHECK(contains(c.refused("printsgf file.sgf"), "expected no arguments"));
  CHECK(c.ask("printsgf") == "(;FF[4]AP[Pitboss]SZ[7]RU[connect4]\n;B[dg])");
  CHECK(c.ask("loadsgf race.sgf").empty());
  CHECK(c.ask("game") == "breakthrough size=8");
  CHECK(c.ask("moves") == "d2d3 a7a6");
  CHECK(c.ask("undo").empty());
  CHECK(c.ask("moves") == "d2d3");
  CHECK(c.ask("loadsgf race.sgf 3").empty());
  CHECK(c.ask("moves") == "d2d3");
  // What the game does not fit is refused here, too.
  c.ask("game connect4");
  c.ask("setoption novelty pseudocount-features");
  clients::write_text(folder / "go.sgf", "(;SZ[7]RU[atarigo size=7];B[aa])");
  CHECK(contains(c.refused("loadsgf go.sgf"), "no evaluation features"));
}

TEST_CASE("session: handicap") {
  Client c;
  c.ask("game atarigo size=9");
  CHECK(c.ask("fixed_handicap 5") == "c3 g7 c7 g3 e5");
  CHECK(c.ask("get_position") ==
        "........./........./..X...X../........./....X..../........./..X...X../........./......... "
        "w");
  CHECK(c.refused("fixed_handicap 2") == "board not empty");
  CHECK(c.refused("undo") == "cannot undo");  // they are no moves
  CHECK(contains(c.refused("play b a1"), "white's turn"));
  CHECK(c.ask("play w a1").empty());
  CHECK(c.ask("clear_board").empty());
  CHECK(c.ask("place_free_handicap 80") == "c3 g7 c7 g3 c5 g5 e3 e7 e5");
  CHECK(c.ask("clear_board").empty());
  for (const char* stones : {"0", "1", "10", "361"}) {
    CHECK(c.refused("fixed_handicap "s + stones) == "invalid number of stones");
  }
  for (const char* stones : {"0", "1", "81"}) {
    CHECK(c.refused("place_free_handicap "s + stones) == "invalid number of stones");
  }
  CHECK(contains(c.refused("fixed_handicap"), "syntax error"));
  CHECK(contains(c.refused("fixed_handicap two"), "syntax error"));
  CHECK(contains(c.refused("set_free_handicap"), "bad vertex list"));
  CHECK(contains(c.refused("set_free_handicap d4"), "bad vertex list"));
  CHECK(contains(c.refused("set_free_handicap d4 d4"), "bad vertex list: d4 is there twice"));
  CHECK(contains(c.refused("set_free_handicap d4 pass"), "bad vertex list: not a point"));
  CHECK(contains(c.refused("set_free_handicap d4 k1"), "bad vertex list: 'k1' is not on"));
  CHECK(c.ask("set_free_handicap D4 a9 e1").empty());
  CHECK(contains(c.ask("showboard"), "white to move"));
  CHECK(c.refused("set_free_handicap a1 a2") == "board not empty");
  // Small and even boards have four such points at most, very small ones none.
  for (const char* size : {"7", "8", "10"}) {
    c.ask("boardsize "s + size);
    CHECK(c.refused("fixed_handicap 5") == "invalid number of stones");
    CHECK_FALSE(c.ask("fixed_handicap 4").empty());
  }
  c.ask("boardsize 6");
  CHECK(c.refused("fixed_handicap 2") == "invalid number of stones");
  // Other games have none, and say so.
  c.ask("game gomoku");
  CHECK(contains(c.refused("fixed_handicap 2"), "gomoku has no handicap"));
  c.ask("game othello");
  CHECK(c.refused("fixed_handicap 2") == "board not empty");
}

TEST_CASE("session: set_position") {
  Client c;
  c.ask("game gomoku");
  c.ask("play b e5");
  CHECK(c.ask("set_position b a1 w B1").empty());
  CHECK(c.ask("get_position").ends_with("/XO....... b"));
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("set_position b a1 w b1 b c1").empty());
  CHECK(c.ask("get_position").ends_with("/XOX...... w"));  // black cannot be to move
  CHECK(contains(c.refused("set_position b a1 w"), "syntax error"));
  CHECK(contains(c.refused("set_position b a1 w a1"), "a1 is there twice"));
  CHECK(contains(c.refused("set_position b k1"), "not on the board"));
  CHECK(contains(c.refused("set_position b pass"), "not a point"));
  CHECK(contains(c.refused("set_position green a1"), "syntax error"));
  CHECK_FALSE(c.refused("set_position w a1 w b1").empty());
  CHECK(c.ask("set_position").empty());
  CHECK(c.ask("legal_moves") == "e5");
}

TEST_CASE("session: final_status_list and clear_cache") {
  Client c;
  c.ask("play b d");
  c.ask("play w d");
  CHECK(c.ask("final_status_list alive") == "d1\nd2");
  CHECK(c.ask("final_status_list dead").empty());
  CHECK(c.ask("final_status_list seki").empty());
  CHECK(contains(c.refused("final_status_list"), "syntax error"));
  CHECK(contains(c.refused("final_status_list undead"), "syntax error"));

  CHECK(c.ask("clear_cache").empty());
  c.ask("setoption reuse_tree true");
  c.ask("genmove b");
  c.ask("clear_cache");
  CHECK(contains(c.refused("last_search"), "no search yet"));
  c.ask("play w a");
  c.ask("genmove b");
  CHECK(nlohmann::json::parse(c.ask("last_search"))["reused"] == 0);
}
