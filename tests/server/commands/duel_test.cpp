#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace std::chrono_literals;
using tests::contains;
using tests::Conversation;
using tests::words_of;

namespace {

/// A line of an answer, from 0; "" if there is none.
std::string line_of(std::string answer, int number) {
  for (; number > 0; --number) {
    const auto end = answer.find('\n');
    answer = end == std::string::npos ? "" : answer.substr(end + 1);
  }
  return answer.substr(0, answer.find('\n'));
}

/// The moves in an answer to `duel`.
std::string moves_in(const std::string& answer) { return line_of(answer, 1); }

/// Two sessions play a game for two to its end, as a referee has them do: the moves, and in a
/// second line what they were worth.
std::string played_in_turn(Conversation& first, Conversation& second, const std::string& engines) {
  std::string moves;
  std::string values;
  for (int ply = 0; !first.ask("legal_moves").empty(); ++ply) {
    const std::string colour = ply % 2 == 0 ? "b" : "w";
    const bool is_first = engines[ply % 2] == '1';
    const std::string move = (is_first ? first : second).ask("genmove " + colour);
    values += (values.empty() ? "" : " ") + (is_first ? first : second).ask("last_value");
    (is_first ? second : first).ask("play " + colour + " " + move);
    moves += (moves.empty() ? "" : " ") + move;
  }
  return moves + "\n" + values;
}

/// The moves of a game for two, as `gogui-play_sequence` wants them.
std::string with_colours(const std::string& moves) {
  std::string text;
  bool is_black = true;
  for (const std::string& move : words_of(moves)) {
    text += (is_black ? " b " : " w ") + move;
    is_black = !is_black;
  }
  return text;
}

/// A duel that is being worked on ends with its first move.
void check_that_one_move_is_made(tests::SteppedSession& session, std::string& out) {
  while (session.step(1ms, out) == tests::SteppedSession::Status::running) {
  }
  CHECK(words_of(out).size() == 12);  // "=", the times, a move, its value, effort and proof
  session.end_job();
  out.clear();
  session.handle("moves", out);
  CHECK(words_of(out).size() == 2);
}

}  // namespace

TEST_CASE("duel: the game that two sessions play in turn") {
  for (const std::string game : {"connect4", "othello", "breakthrough", "amazons", "teeko"}) {
    for (const std::string engines : {"12", "21", "11"}) {
      CAPTURE(game);
      CAPTURE(engines);
      Conversation first;
      Conversation second;
      Conversation alone;
      for (Conversation* session : {&first, &alone}) {
        session->ask("game " + game);
        session->ask("setoption name simulations value 40");
        session->ask("setoption name seed value 5");
        session->ask("setoption name reuse_tree value true");
      }
      second.ask("game " + game);
      second.ask("setoption name simulations value 30");
      second.ask("setoption name novelty value pseudocount");
      second.ask("setoption name seed value 6");
      const std::string duel =
          alone.ask("duel " + engines + " 1000 60 simulations=30 novelty=pseudocount seed=6");
      const std::string moves = moves_in(duel);
      CHECK(moves + "\n" + line_of(duel, 2) == played_in_turn(first, second, engines));
      CHECK(alone.ask("moves") == moves);
      CHECK(alone.ask("legal_moves").empty());
      CHECK(alone.ask("get_position") == first.ask("get_position"));
      CHECK(alone.ask("getoption novelty") == "none");  // the opponent's are not the table's
    }
  }
}

TEST_CASE("duel: it tells what each move has taken, as last_effort does in turn") {
  Conversation duellist;
  duellist.ask("setoption name simulations value 40");
  duellist.ask("setoption name seed value 5");
  const std::string duel = duellist.ask("duel 12 3 60 simulations=30 seed=6");
  CHECK(line_of(duel, 3) == "40 30 40");
  Conversation first;
  first.ask("setoption name simulations value 40");
  first.ask("setoption name seed value 5");
  first.ask("genmove b");
  const auto effort = words_of(first.ask("last_effort"));
  REQUIRE(effort.size() == 4);
  CHECK(effort[0] == "40");
  CHECK(effort[1] == words_of(line_of(duel, 4))[0]);  // depth
  CHECK(std::stoi(effort[1]) > 1);
  for (const int line : {5, 6}) {  // processor time, time
    const auto seconds = words_of(line_of(duel, line));
    REQUIRE(seconds.size() == 3);
    for (const std::string& time : seconds) CHECK(std::stod(time) > 0);
  }
  CHECK(std::stod(effort[2]) > 0);
  CHECK(std::stod(effort[3]) > 0);
  CHECK(contains(Conversation().raw("last_effort"), "no search yet in this game"));
}

TEST_CASE("duel: it tells which moves an exact solver has found") {
  Conversation session;
  session.ask("game othello size=4");
  session.ask("setoption name simulations value 2000");
  session.ask("setoption name exact value true");
  const std::string duel = session.ask("duel 12 4 60 simulations=30 seed=6");
  CHECK(line_of(duel, 3) == "0 30 0 30");
  CHECK(line_of(duel, 7) == "exact - exact -");
  CHECK(line_of(duel, 8).empty());
}

TEST_CASE("duel: in parts it is the same game, and the next one is, too") {
  for (const bool reuse : {false, true}) {
    Conversation session;
    session.ask("setoption name simulations value 50");
    session.ask("setoption name seed value 5");
    session.ask("setoption name reuse_tree value " + std::string(reuse ? "true" : "false"));
    const std::string opponent =
        " simulations=50 k=0.2 seed=6 reuse_tree=" + std::string(reuse ? "true" : "false");
    const std::string whole = moves_in(session.ask("duel 12 1000 60" + opponent));
    REQUIRE(words_of(whole).size() > 8);
    for (int game = 0; game < 2; ++game) {
      session.ask("clear_board");
      std::string parts;
      while (!session.ask("legal_moves").empty()) {
        const std::string part = moves_in(session.ask("duel 12 3 60" + opponent));
        CHECK(words_of(part).size() <= 3);
        parts += (parts.empty() ? "" : " ") + part;
      }
      CHECK(parts == whole);
    }
  }
}

TEST_CASE("duel: the opponent has the options that it is given with each part, and no others") {
  const std::string parts[] = {" simulations=40 k=0.2 seed=6", " simulations=30 seed=7",
                               " simulations=50 novelty=pseudocount seed=6"};
  const auto prepare = [](Conversation& session) {
    session.ask("setoption name simulations value 40");
    session.ask("setoption name seed value 5");
  };
  Conversation session;
  prepare(session);
  for (const std::string& options : parts) {
    CAPTURE(options);
    Conversation fresh;
    prepare(fresh);
    fresh.ask("gogui-play_sequence" + with_colours(session.ask("moves")));
    const std::string expected = fresh.ask("duel 12 4 60" + options);
    const std::string told = session.ask("duel 12 4 60" + options);
    CHECK(line_of(told, 1) == line_of(expected, 1));
    CHECK(line_of(told, 2) == line_of(expected, 2));
  }
}

TEST_CASE("duel: in a game for three, from a position, after taking back") {
  Conversation session;
  session.ask("game rolit players=3");
  session.ask("setoption name simulations value 20");
  const auto first = words_of(moves_in(session.ask("duel 122 5 60 simulations=20 seed=3")));
  CHECK(first.size() == 5);
  session.ask("undo");
  session.ask("undo");
  CHECK(words_of(moves_in(session.ask("duel 122 2 60 simulations=20 seed=3"))).size() == 2);
  CHECK(words_of(session.ask("moves")).size() == 5);

  session.ask("game connect4");
  session.ask("position ......./......./......./......./...O.../...X... b");
  CHECK(words_of(moves_in(session.ask("duel 12 4 60 simulations=20"))).size() == 4);
  session.ask("attach somewhere");
  CHECK(words_of(moves_in(session.ask("duel 21 2 60 simulations=20"))).size() == 2);
}

TEST_CASE("duel: no other move is begun when its time is over, and none when the game is") {
  Conversation session;
  session.ask("setoption name simulations value 20");
  const auto one = session.ask("duel 12 1000 0 simulations=20");
  CHECK(words_of(one).size() == 11);  // the times, a move, its value, what it took
  session.ask("duel 12 1000 60 simulations=20");
  const std::string moves = session.ask("moves");
  CHECK(session.ask("duel 12 1000 60 simulations=20") == "0 0 0 0");
  CHECK(session.ask("moves") == moves);
  // What is wrong is told all the same.
  for (const char* wrong : {"nonsense=1", "k=9999", "threads=2", "simulations=0 movetime=0",
                            "evaluation=static relative_bonus=true"}) {
    session.refused("duel 12 1000 60 " + std::string(wrong));
  }
  session.ask("play w pass");  // noted: referees that know only Go
  CHECK(session.ask("duel 12 1000 60 simulations=20") == "0 0 0 0");
}

TEST_CASE("duel: what cannot be is refused, and nothing has changed") {
  Conversation session;
  session.ask("play b d1");
  for (const char* line : {"duel",
                           "duel 12",
                           "duel 12 1",
                           "duel 1 1 1",
                           "duel 123 1 1",
                           "duel 13 1 1",
                           "duel 12 0 1",
                           "duel 12 -1 1",
                           "duel 12 1 -1",
                           "duel 12 1 soon",
                           "duel 12 1 1 k",
                           "duel 12 1 1 k=",
                           "duel 12 1 1 k=9999",
                           "duel 12 1 1 nonsense=1",
                           "duel 12 1 1 =",
                           "duel 12 1 1 threads=2",
                           "duel 12 1 1 reuse_tree=true ponder=true",
                           "duel 12 1 1 simulations=0 movetime=0",
                           "duel 12 1 1 tree_mb=100000",
                           "duel 12 1 1 evaluation=static_value relative_bonus=true"}) {
    CAPTURE(line);
    session.refused(line);
  }
  session.ask("setoption name threads value 2");
  CHECK(contains(session.refused("duel 12 1 1 simulations=10"), "set threads to 1"));
  session.ask("duel 22 1 1 simulations=10");  // those of an engine that does not play do not matter
  session.ask("setoption name threads value 1");
  session.ask("setoption name simulations value 10");
  session.ask("duel 11 1 1 threads=2");
  CHECK(words_of(session.ask("duel 12 1 1 simulations=10")).size() == 11);
}

TEST_CASE("duel: interrupted before it has made a move it fails, and changes nothing") {
  tests::SteppedSession session;
  std::string out;
  session.handle("setoption name simulations value 0", out);
  session.handle("setoption name movetime value 60000", out);
  out.clear();
  auto status = session.handle("duel 12 1000 60 simulations=10", out);
  REQUIRE(status == tests::SteppedSession::Status::running);
  status = session.step(1ms, out);
  REQUIRE(status == tests::SteppedSession::Status::running);
  session.interrupt();
  while (status == tests::SteppedSession::Status::running) status = session.step(1ms, out);
  session.end_job();
  CHECK(out == "? interrupted\n\n");
  out.clear();
  session.handle("moves", out);
  CHECK(out == "= \n\n");
  session.handle("setoption name movetime value 1", out);
  out.clear();
  status = session.handle("duel 12 2 60 simulations=10", out);
  while (status == tests::SteppedSession::Status::running) status = session.step(1ms, out);
  CHECK(words_of(out).size() == 19);
}

TEST_CASE(
    "duel: a search that has begun has its end when the time is over, not if it is interrupted") {
  for (const bool interrupts : {false, true}) {
    tests::SteppedSession session;
    std::string out;
    session.handle("setoption name simulations value 10", out);
    out.clear();
    const auto begun = std::chrono::steady_clock::now();
    const std::string seconds = interrupts ? "60" : "1";
    auto status = session.handle(
        "duel 12 4 " + seconds + " simulations=0 movetime=" + (interrupts ? "60000" : "1500"), out);
    // In so many slices the first engine has made its move, and the second one searches.
    constexpr int some = 50;
    for (int slices = 0; status == tests::SteppedSession::Status::running; ++slices) {
      if (interrupts) REQUIRE(slices <= some);
      if (interrupts && slices == some) session.interrupt();
      status = session.step(1ms, out);
    }
    const auto took = std::chrono::steady_clock::now() - begun;
    CHECK(words_of(out).size() ==
          (interrupts ? 12U : 19U));  // "=", the times, the moves, their figures
    if (!interrupts) CHECK(took >= 1500ms);
    session.end_job();
    out.clear();
    CHECK(session.handle("last_search", out) == tests::SteppedSession::Status::running);
    CHECK(session.step(1ms, out) == tests::SteppedSession::Status::ready);
    CHECK(contains(out, "\"simulations\":10,"));
  }
}

TEST_CASE("duel: when time cuts it into parts it is the same game") {
  const auto play = [](const std::string& seconds) {
    Conversation session;
    session.ask("game breakthrough");
    session.ask("setoption name simulations value 20000");
    session.ask("setoption name seed value 5");
    session.ask("setoption name reuse_tree value true");
    std::string moves;
    for (int part = 0; !session.ask("legal_moves").empty(); ++part) {
      const std::string answer =
          session.ask("duel 12 12 " + seconds + " simulations=15000 seed=6 reuse_tree=true");
      moves += (part == 0 ? "" : " ") + moves_in(answer);
    }
    return moves;
  };
  const std::string whole = play("60");
  CHECK(play("0") == whole);
  CHECK(play("0.005") == whole);
  CHECK(play("0.02") == whole);
}

TEST_CASE("duel: options that are changed meanwhile end it with the moves it has made") {
  tests::SteppedSession session;
  std::string out;
  session.handle("setoption name simulations value 10", out);
  out.clear();
  auto status = session.handle("duel 21 1000 60 simulations=0 movetime=500", out);
  REQUIRE(status == tests::SteppedSession::Status::running);
  status = session.step(1ms, out);
  REQUIRE(status == tests::SteppedSession::Status::running);  // the opponent searches
  session.handle_while_running("setoption name movetime value 0");
  const auto answer = session.handle_while_running("setoption name simulations value 0");
  REQUIRE(answer.has_value());
  CHECK(answer->starts_with("= "));
  check_that_one_move_is_made(session, out);
  out.clear();
  status = session.handle("duel 12 1000 60 simulations=10", out);
  CHECK(out.starts_with("? "));
}

TEST_CASE("duel: engines that the session's own options would not allow, moves half made") {
  server::SessionConfig config;
  config.options.novelty = engine::Novelty::pseudocount_features;
  config.options.simulations = 20;
  Conversation session(config);
  session.ask("setoption name novelty value none");
  session.ask("game amazons");  // has no features
  CHECK(contains(session.refused("duel 12 2 60"), "features"));
  CHECK(words_of(moves_in(session.ask("duel 12 2 60 novelty=none"))).size() == 2);

  session.ask("game breakthrough");
  session.ask("dialect gogui");
  session.ask("play b a2");
  CHECK(contains(session.raw("duel 21 2 60"), "a move of a2 has begun"));
  session.ask("undo");
  CHECK(words_of(moves_in(session.ask("duel 21 2 60"))).size() == 2);
}

TEST_CASE("duel: cputime counts both engines") {
  Conversation session;
  session.ask("setoption name simulations value 1");
  session.ask("duel 12 2 60 simulations=200000");
  CHECK(std::stod(session.ask("cputime")) > 0.005);
}
