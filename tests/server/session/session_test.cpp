#include "server/session/session.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "games/random.hpp"
#include "protocol/line.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using namespace std::string_literals;
using tests::contains;
using tests::Conversation;

TEST_CASE("session: administration") {
  Conversation c;
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
  Conversation c;
  CHECK(c.raw("17 protocol_version") == "=17 2\n\n");
  CHECK(c.raw("").empty());
  CHECK(c.raw("  \t ").empty());
  CHECK(c.raw("# play b d1").empty());
  CHECK(c.raw("5") == "?5 empty command\n\n");
  CHECK(c.raw("99999999999 name").starts_with("? syntax error"));
  CHECK(c.raw("3 nonsense") == "?3 unknown command 'nonsense'\n\n");
  CHECK(c.raw("4 genmove b # please").starts_with("=4 "));
  CHECK(c.status == tests::SteppedSession::Status::ready);
  CHECK(c.raw("quit") == "= \n\n");
  CHECK(c.status == tests::SteppedSession::Status::closed);
}

TEST_CASE("session: a game") {
  Conversation c;
  CHECK(c.ask("games") ==
        "connect4\nothello\nbreakthrough\nknightthrough\natarigo\ngomoku\namazons\ncannon\n"
        "chinesecheckers\npentalath\nfanorona\nhex\nteeko\nyavalath\nrolit");
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
  Conversation c;
  c.ask("play b d1");
  CHECK(contains(c.refused("play b e1"), "illegal move: it is white's turn"));
  CHECK(contains(c.refused("play w d1"), "illegal move: 'd1' is not legal here"));
  CHECK(contains(c.refused("play w d9"), "illegal move"));
  CHECK(contains(c.refused("play w pass"), "illegal move"));
  CHECK(c.refused("play w resign") == "illegal move: resign is not a move to play");
  CHECK(contains(c.refused("play w 77"), "syntax error"));
  CHECK(contains(c.refused("play w \xc3\xa9"), "syntax error"));
  CHECK(contains(c.refused("play green e1"), "syntax error: expected a colour"));
  CHECK(contains(c.refused("play w"), "syntax error: expected [COLOUR] MOVE"));
  CHECK(contains(c.refused("play w e1 e2"), "syntax error"));
  CHECK(c.ask("play w e").empty());  // a bare column
  CHECK(c.ask("moves") == "d1 e1");
}

TEST_CASE("session: game and boardsize refuse, and say why") {
  Conversation c;
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
  Conversation c;
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
  Conversation c;
  c.ask("setoption seed 5");
  const std::string move = c.ask("reg_genmove b");
  CHECK(c.ask("moves").empty());
  CHECK(c.ask("genmove b") == move);
  CHECK(c.ask("moves") == move);
  CHECK(contains(c.refused("genmove b"), "white's turn"));
  CHECK(c.ask("genmove").size() == 2);  // for the side to move
}

TEST_CASE("session: the same seed gives the same game") {
  const auto play = [](const std::string& game) {
    Conversation c;
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
  Conversation c;
  CHECK(contains(c.refused("final_score"), "cannot score"));
  for (const char* move : {"b d", "w e", "b d", "w e", "b d", "w e", "b d"}) {
    c.ask("play "s + move);
  }
  CHECK(c.ask("final_score") == "B+1");
  CHECK(c.ask("legal_moves").empty());
  CHECK(c.ask("genmove w") == "resign");
  CHECK(c.ask("genmove b") == "pass");
  CHECK(c.ask("static_value") == "1.000000000000");
  CHECK(c.ask("showboard").ends_with("X black, O white\ngame over: black wins"));
  CHECK(c.refused("to_move") == "the game is over: black wins");
  CHECK(c.ask("reg_genmove") == "resign");
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
  Conversation c;
  CHECK(c.ask("perft 0") == "1");
  CHECK(c.ask("perft 5") == "16807");
  CHECK(contains(c.refused("perft -1"), "syntax error"));
  CHECK(contains(c.refused("perft 65"), "syntax error"));
}

TEST_CASE("session: last_search") {
  Conversation c;
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

TEST_CASE("session: interrupt") {
  CHECK(protocol::Line("# interrupt").is_interrupt());
  CHECK(protocol::Line("  #interrupt \r").is_interrupt());
  CHECK_FALSE(protocol::Line("interrupt").is_interrupt());
  CHECK_FALSE(protocol::Line("# interrupted").is_interrupt());
  CHECK_FALSE(protocol::Line("name # interrupt").is_interrupt());

  Conversation c;
  c.session.interrupt();  // nothing runs: nothing happens
  c.ask("setoption simulations 0");
  c.ask("setoption movetime 60000");
  for (const char* command : {"genmove b", "perft 30"}) {
    CAPTURE(command);
    std::string out;
    auto status = c.session.handle(command, out);
    REQUIRE(status == tests::SteppedSession::Status::running);
    std::atomic<bool> is_interrupted = false;
    std::jthread other([&] {
      std::this_thread::sleep_for(20ms);
      c.session.interrupt();
      is_interrupted = true;
    });
    while (status == tests::SteppedSession::Status::running) {
      const bool is_last = is_interrupted;
      status = c.session.step(2ms, out);
      REQUIRE((status == tests::SteppedSession::Status::ready || !is_last));
    }
    CHECK((out.starts_with("= ") || out == "? interrupted\n\n"));
  }
  CHECK(c.ask("moves").size() == 2);  // the interrupted genmove has played
}

TEST_CASE("session: setoption while a search runs") {
  Conversation c;
  c.ask("setoption simulations 0");
  c.ask("setoption movetime 60000");
  std::string out;
  REQUIRE(c.session.handle("9 genmove b", out) == tests::SteppedSession::Status::running);
  REQUIRE(c.session.step(1ms, out) == tests::SteppedSession::Status::running);
  CHECK_FALSE(c.session.handle_while_running("name").has_value());
  CHECK_FALSE(c.session.handle_while_running("").has_value());
  CHECK(c.session.handle_while_running("10 setoption alpha 0.7") ==
        "=10 in force in the running search\n\n");
  CHECK(c.session.handle_while_running("setoption name novelty value evaluation") ==
        "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_running("setoption alpha -1")->starts_with("? alpha must be"));
  CHECK(out.empty());
  CHECK(c.session.handle_while_running("setoption movetime 5").has_value());  // ends it
  auto status = tests::SteppedSession::Status::running;
  while (status == tests::SteppedSession::Status::running) status = c.session.step(2ms, out);
  CHECK(out.starts_with("=9 "));
  CHECK(c.ask("getoption alpha") == "0.7");
  CHECK(c.ask("getoption novelty") == "evaluation");
}

TEST_CASE("session: a search that runs is not left without a bound, nor ruled by a preset") {
  Conversation c;
  c.ask("setoption movetime 0");
  c.ask("setoption simulations 1000000000");
  c.ask("setoption novelty pseudocount");
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == tests::SteppedSession::Status::running);
  CHECK(c.session.handle_while_running("setoption simulations 0")->starts_with("? a search needs"));
  CHECK(c.session.handle_while_running("setoption preset control") ==
        "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_running("setoption beta 3").has_value());
  REQUIRE(c.session.step(1ms, out) == tests::SteppedSession::Status::running);
  c.session.interrupt();
  auto status = tests::SteppedSession::Status::running;
  while (status == tests::SteppedSession::Status::running) status = c.session.step(2ms, out);
  const auto options = nlohmann::json::parse(c.ask("last_search"))["options"];
  CHECK_FALSE(options.contains("alpha"));  // the running search kept its own
  CHECK(options["beta"] == "3");
  CHECK(c.ask("getoption alpha") == "0");
  CHECK(c.ask("getoption simulations") == "1000000000");
}

TEST_CASE("session: any bytes get an answer or none, never more") {
  games::Random random(3);
  Conversation c;
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

TEST_CASE("session: the job of a long line may be destroyed after its table") {
  std::shared_ptr<RunningJob> job;
  {
    SessionConfig config;
    config.commands = commands();
    Session session{config};
    std::string points = "a1";
    for (int i = 0; i < 1000; ++i) points += ",a1";
    job = std::get<std::shared_ptr<RunningJob>>(
        session.handle(protocol::Line("analyze avoid b " + points + " 1")));
    while (job->run(1ms) != engine::Progress::done) {
    }
    REQUIRE(job->take_text().empty());  // the line was no failure: the analysis comes next
    job->drop_job();
    session.leave();
  }
  job.reset();  // the address sanitizer sees an analysis that ends its search at a table that is
                // gone
}
