#include "server/session/analysis.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "server/session/picture_times.hpp"
#include "server/session/session.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/session/conversation.hpp"
#include "tests/text.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

using Status = tests::SteppedSession::Status;

/// A line to a session, which is interrupted after some slices of the command that takes time.
std::string stream(tests::SteppedSession& session, std::string_view line, int slices = 30) {
  std::string out;
  Status status = session.handle(line, out);
  for (int i = 0; status == Status::running; ++i) {
    if (i == slices) session.interrupt();
    status = session.step(1ms, out);
  }
  return out;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

using tests::contains;
using tests::count;

/// The words of the first info block of a line.
std::vector<std::string> first_block(const std::string& line) {
  std::istringstream in(line.substr(0, line.find(" info ", 1)));
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string value_of(const std::vector<std::string>& words, std::string_view key) {
  const auto found = std::ranges::find(words, key);
  return found == words.end() || found + 1 == words.end() ? std::string() : *(found + 1);
}

}  // namespace

TEST_CASE("analysis: the frame is GTP's, with a header before the first line") {
  tests::SteppedSession session{SessionConfig{}};
  const std::string out = stream(session, "12 lz-analyze b 1");
  const auto lines = lines_of(out);
  CHECK(lines.front() == "=12 ");
  CHECK(lines.size() >= 4);
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) CHECK(lines[i].starts_with("info move "));
  CHECK(lines.back().empty());
  CHECK(out.ends_with("\n\n"));
  CHECK(count(out, "\n\n") == 1);
}

TEST_CASE("analysis: one line at least, however early the end") {
  tests::SteppedSession session{SessionConfig{}};
  for (const char* command : {"analyze", "lz-analyze 1000", "kata-analyze interval 100000"}) {
    std::string out;
    REQUIRE(session.handle(command, out) == Status::running);
    CHECK(out == "= \n");
    session.interrupt();
    while (session.step(1ms, out) == Status::running) {
    }
    CHECK(lines_of(out).size() == 3);
    CHECK(contains(out, "info move "));
  }
}

TEST_CASE("analysis: the forms write shares as their readers expect") {
  tests::SteppedSession session{SessionConfig{}};
  SUBCASE("Leela Zero's: ten thousandths") {
    const auto words = first_block(lines_of(stream(session, "lz-analyze 1"))[1]);
    for (const char* key : {"winrate", "lcb"}) {
      const int value = std::stoi(value_of(words, key));
      CHECK(value_of(words, key) == std::to_string(value));
      CHECK(value >= 0);
      CHECK(value <= 10000);
    }
    CHECK(std::stoi(value_of(words, "winrate")) > 4000);
  }
  SUBCASE("KataGo's: from 0 to 1") {
    const auto words = first_block(lines_of(stream(session, "kata-analyze 1"))[1]);
    const double winrate = std::stod(value_of(words, "winrate"));
    CHECK(contains(value_of(words, "winrate"), "."));
    CHECK(winrate > 0.4);
    CHECK(winrate <= 1);
    CHECK(std::stod(value_of(words, "lcb")) <= winrate);
    CHECK(std::stod(value_of(words, "utility")) == doctest::Approx(2 * winrate - 1).epsilon(1e-4));
  }
  SUBCASE("Sabaki's: a point, and the variation last") {
    const auto words = first_block(lines_of(stream(session, "analyze 1"))[1]);
    CHECK(contains(value_of(words, "winrate"), "."));
    const auto pv = std::ranges::find(words, "pv");
    REQUIRE(pv != words.end());
    CHECK(std::all_of(pv + 1, words.end(), [](const std::string& w) { return w.size() == 2; }));
    CHECK(*(pv + 1) == value_of(words, "move"));
  }
}

TEST_CASE("analysis: arguments in any order, and what they do") {
  tests::SteppedSession session{SessionConfig{}};
  const auto last_line = [&](std::string_view command) {
    const auto lines = lines_of(stream(session, command));
    return lines[lines.size() - 2];
  };
  CHECK(count(last_line("kata-analyze 1 maxmoves 2 b"), "info move ") == 2);
  CHECK(count(last_line("kata-analyze maxmoves 3 interval 1"), "info move ") == 3);
  const auto with_root = last_line("kata-analyze rootInfo true 1 pvVisits true ownership true");
  CHECK(contains(with_root, " rootInfo visits "));
  CHECK(count(with_root, " pvVisits ") == count(with_root, "info move "));
  CHECK_FALSE(contains(with_root, "ownership"));
  CHECK_FALSE(contains(last_line("kata-analyze rootInfo false 1"), "rootInfo"));

  const auto without = last_line("lz-analyze b 1 avoid b d1,c1 1");
  CHECK_FALSE(contains(without, "move d1 "));
  CHECK_FALSE(contains(without, "move c1 "));
  CHECK(count(without, "info move ") == 5);
  const auto only = last_line("lz-analyze 1 allow b a1,g1 1 b");
  CHECK(count(only, "info move ") == 2);
  CHECK(contains(only, "move a1 "));
  // What white must not do is no matter of this move.
  CHECK(count(last_line("lz-analyze 1 avoid w d1 1"), "info move ") == 7);
}

TEST_CASE("analysis: the interval is told in hundredths of a second, wherever it stands") {
  const Table table{SessionConfig{}};
  const auto interval = [&](const std::vector<std::string>& words) {
    return read_analysis(AnalysisForm::kata, {words, ""}, table).interval;
  };
  CHECK(interval({}) == 1s);
  CHECK(interval({"50"}) == 500ms);
  CHECK(interval({"b", "7"}) == 70ms);
  CHECK(interval({"rootInfo", "true", "interval", "300", "b"}) == 3s);
  CHECK(interval({"20", "maxmoves", "3", "interval", "30"}) == 300ms);  // the last counts
  CHECK(interval({"0"}) == 10ms);                                       // the shortest there is
}

TEST_CASE("analysis: moves without visits, if so many are asked for") {
  tests::SteppedSession session{SessionConfig{}};
  std::string out;
  session.handle("lz-analyze minmoves 5", out);
  session.interrupt();
  while (session.step(1ms, out) == Status::running) {
  }
  CHECK(count(out, "info move ") == 5);
  CHECK(count(out, " visits 0 winrate 5000 lcb 0 ") == 4);
}

TEST_CASE("analysis: the variation of a move without visits is itself") {
  tests::SteppedSession session{SessionConfig{}};
  static_cast<void>(stream(session, "setoption simulations 1"));
  const std::string few = stream(session, "kata-genmove_analyze b 1000 pvVisits true minmoves 3");
  CHECK(count(few, "info move ") == 3);
  CHECK(count(few, " visits 0 ") == 2);
  CHECK(count(few, " pvVisits 0 pv ") == 2);
}

TEST_CASE("analysis: what is refused, with nothing begun") {
  tests::SteppedSession session{SessionConfig{}};
  const auto refused = [&](std::string_view line) {
    const std::string out = stream(session, line);
    CAPTURE(line);
    CHECK(out.starts_with("? "));
    return out;
  };
  CHECK(contains(refused("lz-analyze w 50"), "it is black's turn"));
  CHECK(contains(refused("lz-analyze fast"), "unknown key 'fast'"));
  CHECK(contains(refused("kata-analyze interval"), "expected a value after 'interval'"));
  CHECK(contains(refused("kata-analyze interval -5"), "syntax error"));
  CHECK(contains(refused("kata-analyze maxmoves 0"), "syntax error"));
  CHECK(contains(refused("kata-analyze rootInfo maybe"), "true or false"));
  CHECK(contains(refused("lz-analyze avoid b d1 7"), "depth 1"));
  CHECK(contains(refused("lz-analyze avoid b a1,b1,c1,d1,e1,f1,g1 1"), "leave no move to analyse"));
  CHECK(contains(refused("lz-analyze allow b d5 1"), "leave no move to analyse"));
  CHECK(contains(refused("lz-analyze avoid b %% 1"), "syntax error"));
  CHECK(contains(refused("genmove_analyze fast"), "unknown key 'fast'"));
  for (const char* move : {"b a1", "w b1", "b a2", "w b2", "b a3", "w b3", "b a4"}) {
    CHECK(stream(session, std::string("play ") + move) == "= \n\n");
  }
  CHECK(contains(refused("kata-analyze 1"), "the game is over"));
  CHECK(stream(session, "lz-genmove_analyze w") == "= \nplay resign\n\n");
  CHECK(stream(session, "lz-genmove_analyze") == "= \nplay resign\n\n");
}

TEST_CASE("analysis: a genmove that tells what it thinks plays its move") {
  SessionConfig config;
  config.options.simulations = 3000;
  tests::SteppedSession session(config);
  const auto lines = lines_of(stream(session, "4 kata-genmove_analyze b 1", 1'000'000));
  REQUIRE(lines.size() >= 4);
  CHECK(lines[0] == "=4 ");
  const std::string& played = lines[lines.size() - 2];
  CHECK(played.starts_with("play "));
  CHECK(value_of(first_block(lines[lines.size() - 3]), "move") == played.substr(5));
  CHECK(stream(session, "moves") == "= " + played.substr(5) + "\n\n");
  const auto avoiding = lines_of(stream(session, "lz-genmove_analyze w avoid w d1,d2 1", 1 << 30));
  CHECK(avoiding[avoiding.size() - 2] != "play d2");
}

TEST_CASE("analysis: a genmove that tells what it thinks plays none of the moves it is to avoid") {
  SessionConfig config;
  config.options.simulations = 50;
  config.options.tree_mb = 16;
  for (const char* command : {"genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze"}) {
    for (char column = 'a'; column <= 'g'; ++column) {
      CAPTURE(command);
      CAPTURE(column);
      const std::string move = column + std::string("1");
      tests::SteppedSession session(config);
      const auto played = [&](const std::string& restriction) {
        const auto line = command + std::string(" b 1 ") + restriction;
        const auto lines = lines_of(stream(session, line, 1 << 30));
        return lines[lines.size() - 2];
      };
      CHECK(played("allow b " + move + " 1") == "play " + move);
      CHECK(stream(session, "undo") == "= \n\n");
      CHECK(played("avoid b " + move + " 1") != "play " + move);
    }
  }
}

TEST_CASE("analysis: bounds of the options do not end it") {
  SessionConfig config;
  config.options.simulations = 10;
  config.options.movetime_ms = 1;
  tests::SteppedSession session(config);
  std::string out;
  REQUIRE(session.handle("lz-analyze 1", out) == Status::running);
  for (int i = 0; i < 20; ++i) {
    CHECK(session.step(1ms, out) == Status::running);
    session.handle_while_running("setoption simulations 5");
  }
}

TEST_CASE("analysis: without updates nothing is told until the end") {
  tests::SteppedSession session{SessionConfig{}};
  std::string out;
  session.handle("lz-analyze 1", out);
  CHECK(out == "= \n");
  for (int i = 0; i < 30; ++i) session.step(1ms, out, false);
  CHECK(out == "= \n");
  session.step(1ms, out);
  CHECK(count(out, "\n") == 2);
}

TEST_CASE("analysis: its own bound ends it, and another one goes on in its tree") {
  tests::SteppedSession session{SessionConfig{}};
  const auto last_report = [&session](std::string_view line) {
    const auto lines = lines_of(stream(session, line, 100'000));
    REQUIRE(lines.size() >= 2);
    return json::parse(lines[lines.size() - 2]);
  };
  for (const int interval : {1, 100'000}) {  // with lines before the last one, and without
    CAPTURE(interval);
    const std::string analyze = "analyze json " + std::to_string(interval);
    stream(session, "clear_cache");
    CHECK(last_report(analyze + " simulations 2345")["simulations"] == 2345);
    CHECK(last_report(analyze + " simulations 100 goesOn true")["simulations"] == 2445);
    const json anew = last_report(analyze + " simulations 100");
    CHECK(anew["simulations"] == 100);
    CHECK(anew["reused"] == 0);
  }
  CHECK(contains(stream(session, "genmove_analyze json simulations 100"), "? syntax error"));
  CHECK(contains(stream(session, "genmove_analyze json goesOn true"), "? syntax error"));
  CHECK(contains(stream(session, "analyze json simulations 0"), "? syntax error"));
}

TEST_CASE("analysis: a bound of time ends it, with a line of all that was found") {
  tests::SteppedSession session{SessionConfig{}};
  for (const std::string bound : {" movetime 30", " movetime 30 simulations 4000000000"}) {
    const auto lines = lines_of(stream(session, "analyze json 100000" + bound, 100'000));
    REQUIRE(lines.size() >= 2);
    const json last = json::parse(lines[lines.size() - 2]);
    CHECK(last["elapsed"].get<double>() >= 0.03);
    CHECK(last["simulations"].get<std::int64_t>() > 0);
  }
  CHECK(contains(stream(session, "analyze json movetime 0"), "? syntax error"));
  CHECK(contains(stream(session, "genmove_analyze json movetime 30"), "? syntax error"));
}

TEST_CASE("analysis as JSON: an object a line, with the keys of last_search") {
  tests::SteppedSession session{SessionConfig{}};
  stream(session, "setoption novelty pseudocount");
  const auto lines = lines_of(stream(session, "9 analyze json 1 pvVisits true maxmoves 3"));
  CHECK(lines.front() == "=9 ");
  REQUIRE(lines.size() >= 4);
  std::int64_t sequence = 0;
  double elapsed = 0;
  json report;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    report = json::parse(lines[i]);
    CHECK(report["version"] == 1);
    CHECK(report["sequence"] == ++sequence);
    CHECK(report["elapsed"] > elapsed);
    CHECK(report["changed"] == json::object());
    CHECK_FALSE(report["moves"].empty());
    CHECK(report["moves"].size() <= 3);
    elapsed = report["elapsed"];
  }
  CHECK(report["to_move"] == "black");
  const double value = report["value"];
  CHECK(report["values"] == json{{"black", value}, {"white", 1 - value}});
  CHECK(report["options"]["novelty"] == "pseudocount");
  const json& best = report["moves"][0];
  CHECK(best["move"] == report["move"]);
  CHECK(best["value"] == report["value"]);
  CHECK(best["pv"][0] == best["move"]);
  CHECK(best["pv_visits"].size() == best["pv"].size());
  CHECK(best["pv_visits"][0] == best["visits"]);
  CHECK(best["interval"][0] < best["value"]);
  CHECK(best["interval"][1] > best["value"]);
  CHECK(best["b"] > 0);
  CHECK(best["exploration"] > 0);
  CHECK(best["bound"] > best["exploration"]);
  CHECK(best["prior"] == json());

  const std::string answer = stream(session, "last_search");
  const json last = json::parse(answer.substr(2));
  for (const auto& [key, ignored] : last.items()) CHECK(report.contains(key));
  for (const auto& [key, ignored] : last["moves"][0].items()) CHECK(best.contains(key));
  CHECK(last["moves"].size() == 7);
}

TEST_CASE("analysis as JSON: the tree, once a second and not to those who do not ask") {
  tests::SteppedSession session{SessionConfig{}};
  stream(session, "analyze simulations 1000", 100'000);
  const auto lines = lines_of(stream(session, "analyze json 1 goesOn true tree 30", 100));
  const json first = json::parse(lines.at(1));
  REQUIRE(first["tree"].size() == 30);
  CHECK(first["tree"][0]["path"] == json::array());
  CHECK(first["tree"][0]["move"] == first["moves"][0]["move"]);
  CHECK(first["tree"][0]["visits"] == first["moves"][0]["visits"]);
  CHECK(first["tree"][0]["bound"] == first["moves"][0]["bound"]);
  CHECK_FALSE(json::parse(lines.at(2)).contains("tree"));
  CHECK_FALSE(json::parse(lines_of(stream(session, "analyze json 1")).at(1)).contains("tree"));
  CHECK_FALSE(
      json::parse(lines_of(stream(session, "analyze json 1 tree 0")).at(1)).contains("tree"));
  CHECK(contains(stream(session, "analyze json tree 1001"), "? syntax error"));
  CHECK(contains(stream(session, "analyze json tree"), "? syntax error"));
  stream(session, "setoption threads 2");
  CHECK_FALSE(
      json::parse(lines_of(stream(session, "analyze json 1 tree 30")).at(1)).contains("tree"));
}

TEST_CASE("analysis as JSON: what has changed since the line before, and only that") {
  tests::SteppedSession session{SessionConfig{}};
  std::string out;
  session.handle("analyze json 1", out);
  out.clear();
  const auto next = [&] {
    while (!contains(out, "\n")) session.step(1ms, out);
    const json line = json::parse(out);
    out.clear();
    return line;
  };
  CHECK(next()["changed"] == json::object());
  session.handle_while_running("setoption alpha 0.75");
  session.handle_while_running("setoption k 0.5");
  session.step(1ms, out, false);  // a client that is too slow is told nothing, and later all
  json line = next();
  CHECK(line["changed"] == json{{"alpha", "0.75"}, {"k", "0.5"}});
  CHECK(line["options"]["alpha"] == "0.75");
  CHECK(next()["changed"] == json::object());
  session.handle_while_running("setoption alpha 0.01");
  line = next();
  CHECK(line["changed"] == json{{"alpha", "0.01"}});
  CHECK_FALSE(line["options"].contains("alpha"));
  CHECK(line["sequence"] == 4);
}

TEST_CASE("analysis as JSON: arguments as in the other forms") {
  tests::SteppedSession session{SessionConfig{}};
  const auto last_of = [&](std::string_view line) {
    const auto lines = lines_of(stream(session, line));
    return json::parse(lines[lines.size() - 2]);
  };
  CHECK(last_of("analyze b 1 JSON avoid b d1,c1 1 rootInfo true")["moves"].size() == 5);
  CHECK(last_of("analyze json 100000")["sequence"] == 1);  // one line at least
  CHECK(contains(stream(session, "lz-analyze json"), "unknown key 'json'"));
  CHECK(contains(stream(session, "kata-analyze json"), "unknown key 'json'"));
  CHECK(contains(stream(session, "analyze json fast"), "unknown key 'fast'"));

  std::string out;
  session.handle("analyze json minmoves 5", out);
  session.interrupt();
  while (session.step(1ms, out) == Status::running) {
  }
  const json report = json::parse(lines_of(out)[1]);
  REQUIRE(report["moves"].size() == 5);
  const json& unvisited = report["moves"][4];
  CHECK(unvisited["visits"] == 0);
  CHECK(unvisited["interval"] == json());
  CHECK(unvisited["pv"] == json{unvisited["move"]});
}

TEST_CASE(
    "analysis as JSON: genmove_analyze ends with the move; of rolit the mover's value is known") {
  SessionConfig config;
  config.options.simulations = 300;
  config.options.evaluation = engine::EvaluatorKind::playout;
  tests::SteppedSession session(config);
  stream(session, "game rolit players=3");
  const auto lines = lines_of(stream(session, "genmove_analyze json r 1", 1 << 30));
  REQUIRE(lines.size() >= 4);
  const json report = json::parse(lines[lines.size() - 3]);
  CHECK(lines[lines.size() - 2] == "play " + report["move"].get<std::string>());
  CHECK(report["to_move"] == "red");
  CHECK(report["values"] ==
        json{{"red", report["value"]}, {"yellow", nullptr}, {"green", nullptr}});
}

TEST_CASE("live graphics come before the answer, when they are wanted") {
  SessionConfig config;
  config.options.simulations = 20000;
  tests::SteppedSession session(config);
  CHECK(stream(session, "reg_genmove b", 1 << 30).starts_with("= "));
  CHECK(stream(session, "pitboss-live_graphics") == "= off\n\n");
  CHECK(stream(session, "pitboss-live_graphics on") == "= \n\n");
  const std::string out = stream(session, "reg_genmove b", 1 << 30);
  CHECK(out.starts_with("gogui-gfx:\n"));
  CHECK(contains(out, "\n\n= "));
  CHECK(stream(session, "pitboss-live_graphics maybe").starts_with("? syntax error"));
}

TEST_CASE("live graphics: a search that is over at once shows what it has found") {
  SessionConfig config;
  config.options.simulations = 50;
  tests::SteppedSession session(config);
  stream(session, "pitboss-live_graphics on");
  const std::string out = stream(session, "genmove b", 1 << 30);
  CHECK(contains(out, "TEXT 50 simulations"));
  // In a slow build there is time for another picture.
  if (!tests::sanitized) CHECK(out.find("gogui-gfx:") == out.rfind("gogui-gfx:"));
}

TEST_CASE("PictureTimes") {
  using namespace std::chrono_literals;
  const auto begun = PictureTimes::SteadyClock::now();
  PictureTimes times(begun);
  for (const auto due : {100ms, 200ms, 400ms, 900ms, 1400ms, 1900ms}) {
    CHECK_FALSE(times.is_due(begun + due - 1ms));
    CHECK(times.is_due(begun + due));
    CHECK(times.next() == begun + due);
    times.made(begun + due);
  }
  // A late one stands for all it has missed, and does not put off the others.
  times.made(begun + 3s);
  CHECK(times.next() == begun + 3400ms);
  PictureTimes late(begun);
  late.made(begun + 250ms);
  CHECK(late.next() == begun + 400ms);
  // One that was made early, at the end of a search, changes nothing.
  late.made(begun + 399ms);
  CHECK(late.next() == begun + 400ms);
}
