#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::string_literals;
using tests::contains;
using tests::Conversation;

TEST_CASE("session: options") {
  Conversation c;
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
  CHECK(c.refused("setoption Simulatons 1") ==
        "unknown option 'Simulatons'; did you mean 'simulations'?");
  CHECK(c.refused("genmov b") == "unknown command 'genmov'; did you mean 'genmove'?");
  CHECK(c.refused("game Hxe") == "unknown game 'Hxe'; did you mean 'hex'?");
  CHECK(c.ask("setoption ponder true") == "ponder has no effect until reuse_tree is true");
  CHECK(c.ask("setoption reuse_tree true").empty());
  CHECK(c.ask("setoption reuse_tree false") == "ponder has no effect until reuse_tree is true");
  CHECK(c.ask("setoption k 0.3").empty());
  CHECK(c.ask("setoption virtual_value 0.3").empty());
  CHECK(c.ask("setoption virtual_samples false") ==
        "virtual_value has no effect until virtual_samples is true and estimators is none");
  CHECK(c.ask("setoption virtual_samples true").empty());
  CHECK(contains(c.ask("setoption estimators history"), "virtual_value has no effect"));
  CHECK(c.ask("setoption estimators none").empty());
  CHECK(c.ask("setoption virtual_value 0.5").empty());
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

TEST_CASE("session: time lifts the default bound of simulations, whichever way it is set") {
  const auto simulations = [](Conversation& c) {
    c.ask("genmove b");
    return nlohmann::json::parse(c.ask("last_search"))["simulations"].get<int>();
  };
  for (const char* line : {"setoption name movetime value 150", "lz-setoption movetime 150",
                           "kata-set-param movetime 150", R"(kata-set-params {"movetime": 150})",
                           "pitboss-param movetime 150", "time_settings 8 0 0",
                           "kata-time_settings fischer 1 0.3", "time_left b 8 0"}) {
    CAPTURE(line);
    Conversation c;
    CHECK(c.ask(line).empty());
    CHECK(simulations(c) > 5000);
    for (const char* bound : {"kata-set-param simulations 7", "setoption simulations 5000"}) {
      Conversation bounded;
      CHECK(bounded.ask(bound).empty());
      CHECK(bounded.ask(line).empty());
      CHECK(simulations(bounded) <= 5000);
    }
  }
  Conversation c;
  CHECK(simulations(c) == 5000);
  SessionConfig config;
  engine::set_option(config.options, "movetime", "150");  // a flag of the daemon
  Conversation timed(config);
  CHECK(simulations(timed) > 5000);
}

TEST_CASE("session: bonuses are refused where they mean nothing") {
  Conversation c;
  const auto is_refused = [&](std::string_view line, std::string_view sentence) {
    const std::string before = c.ask("kata-get-params");
    CHECK(contains(c.refused(line), sentence));
    CHECK(c.ask("kata-get-params") == before);
  };
  is_refused("setoption relative_bonus true", "set evaluation to playout");
  is_refused("setoption qualitative_bonus true", "set evaluation to playout");
  is_refused("setoption mast 0.5", "set evaluation to playout");
  c.ask("setoption evaluation playout");
  c.ask("setoption relative_bonus true");
  is_refused("setoption qualitative_bonus true", "connect4 has no quality of a finished game");
  is_refused("setoption playout informed", "connect4 has no informed playouts");
  is_refused("setoption evaluation static", "relative_bonus to false");
  is_refused("setoption evaluation tuned", "relative_bonus to false");
  is_refused("setoption kr -1", "kr must be a number from 0 to 100");
  is_refused("setoption kq 101", "kq must be a number from 0 to 100");
  is_refused("setoption kq nan", "kq must be");
  is_refused("setoption bonus_bound 1.5", "bonus_bound must be a number from 0 to 1");
  is_refused("setoption mast 2", "mast must be a number from 0 to 1");
  is_refused("setoption solver maybe", "solver must be true or false");
  c.ask("game breakthrough");
  c.ask("setoption preset quality-rewards");
  c.ask("setoption qualitative_bonus true");
  is_refused("game hex", "hex has no");
  c.ask("setoption simulations 300");
  CHECK_FALSE(c.ask("genmove b").empty());
  CHECK(contains(c.ask("last_search"), R"("qualitative_bonus":"true")"));
}

TEST_CASE("session: a won position is told as proven") {
  Conversation c;
  c.ask("setoption solver true");
  c.ask("position ......./......./......./......./OOO..../XXX.... b");
  CHECK(contains(c.ask("lz-genmove_analyze b 50"),
                 "\ninfo move d1 visits 0 winrate 10000 lcb 10000 novelty 0.000000 proven win "));
  c.ask("undo");
  CHECK(c.ask("genmove b") == "d1");
  const auto search = nlohmann::json::parse(c.ask("last_search"));
  CHECK(search["simulations"] == 0);
  CHECK(search["moves"].size() == 7);
  int won = 0;
  for (const auto& move : search["moves"]) {
    if (move["proven"] == "win") {
      CHECK(move["move"] == "d1");
      CHECK(move["value"] == 1);
      ++won;
    }
  }
  CHECK(won == 1);
}

TEST_CASE("session: the estimators of a search") {
  Conversation c;
  c.ask("game breakthrough");
  c.ask("setoption simulations 100");
  CHECK(c.ask("setoption estimators 3x3,history,global").empty());
  CHECK(c.ask("getoption estimators") == "history,global,3x3");
  c.ask("setoption bias_oma 0.3");  // not in use, and kept all the same
  CHECK(c.ask("getoption bias_oma") == "0.3");
  CHECK(nlohmann::json::parse(c.ask("kata-get-params"))["estimators"] == "history,global,3x3");
  c.ask("genmove b");
  const auto search = nlohmann::json::parse(c.ask("last_search"));
  CHECK(search["options"]["estimators"] == "history,global,3x3");
  REQUIRE(search["tables"].size() == 2);  // the history is the tree itself
  CHECK(search["tables"][0]["estimator"] == "global");
  CHECK(search["tables"][1]["estimator"] == "3x3");
  for (const auto& table : search["tables"]) {
    CHECK(table["entries"] > 0);
    CHECK(table["bytes"] >= 65536);
    CHECK(table["evictions"] >= 0);
  }
  // A list that cannot be changes nothing.
  for (const char* list :
       {"history,tree", "history,,global", "\"\"", "history,none", "global,global"}) {
    CAPTURE(list);
    CHECK(contains(c.refused("setoption estimators "s + list), "estimators must be"));
    CHECK(c.ask("getoption estimators") == "history,global,3x3");
  }
  CHECK(contains(c.refused("setoption estimators history, 3x3"), "without blanks"));
  CHECK(contains(c.refused("setoption name estimators value history, 3x3"), "without blanks"));
  CHECK(c.ask("setoption estimators none").empty());
  c.ask("genmove w");
  CHECK_FALSE(nlohmann::json::parse(c.ask("last_search")).contains("tables"));
}

TEST_CASE("session: the options as JSON say what the lines say, and more") {
  Conversation c;
  c.ask("setoption k 0.5");
  const std::string lines = c.ask("list_options");
  const auto all = nlohmann::json::parse(c.ask("list_options json"));
  CHECK(all["version"] == 1);
  nlohmann::json by_name;
  for (const auto& option : all["options"]) {
    const std::string name = option["name"];
    CAPTURE(name);
    const std::string type = option["type"];
    const std::string initial = option["default"];
    CHECK(contains(lines, "option name " + name + " type " + (type == "real" ? "spin" : type) +
                              " default " + initial));
    CHECK(option["value"] == c.ask("getoption " + name));
    CHECK_FALSE(option["help"].get<std::string>().empty());
    by_name[name] = option;
  }
  CHECK(by_name["k"]["type"] == "real");
  CHECK(by_name["k"]["max"] == 100);
  CHECK(by_name["k"]["value"] == "0.5");
  CHECK(by_name["k"]["live"] == true);
  CHECK(by_name["threads"]["live"] == false);
  CHECK(by_name["threads"]["keeps_tree"] == true);
  CHECK(by_name["novelty"]["keeps_tree"] == false);
  CHECK(by_name["selection"]["choices"][0] == "ucb1");
  const int most = by_name["tree_mb"]["max"];  // the session's, which may be less than the option's
  CHECK(contains(lines, "tree_mb type spin default 256 min 1 max " + std::to_string(most)));
  CHECK(c.ask("setoption tree_mb " + std::to_string(most)).empty());
  c.refused("setoption tree_mb " + std::to_string(most + 1));
}

TEST_CASE("session: options by the names that other engines gave their commands") {
  Conversation c;
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
        "unknown options: less, more");
  CHECK(c.refused(R"(kata-set-params {"k": 0.1, "": 1})") == "unknown options: ");
  CHECK(contains(c.refused(R"(kata-set-params {"k": 0.1, "alpha": -1})"), "alpha must be"));
  CHECK(contains(c.refused(R"(kata-set-params {"k": [0.1]})"), "the value of 'k' must be"));
  CHECK(
      contains(c.refused(R"(kata-set-params {"alpha": 1, "k": {"x": [1]}})"), "value of 'k' must"));
  CHECK(contains(c.refused(R"(kata-set-params [{"k": 1}])"), "syntax error: expected {"));
  for (const char* text :
       {R"({"alpha": "1\n\n= 2"})", R"({"\u001b[31mred": 1})", R"({"a\u0000": 1})"}) {
    CHECK(contains(c.refused("kata-set-params "s + text), "must not have control characters"));
  }
  CHECK(contains(c.refused(R"(kata-set-params {"tree_mb": 4096})"), "at most 1024"));
  for (const char* text : {"", "{", "[]", "1", "{\"k\": 1} 2", "{k: 1}", "{\"k\"}"}) {
    CHECK(contains(c.refused("kata-set-params "s + text), "syntax error: expected {"));
  }
  CHECK(contains(c.refused("kata-set-params " + std::string(4000, '[')), "syntax error"));
}

TEST_CASE("session: options by other names while a search runs") {
  Conversation c;
  c.ask("setoption simulations 1000000000");
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == tests::SteppedSession::Status::running);
  CHECK(c.session.handle_while_running(R"(1 kata-set-params {"alpha": 0.7, "k": 0.4})") ==
        "=1 in force in the running search\n\n");
  CHECK(
      c.session.handle_while_running(R"(kata-set-params {"alpha": 0.8, "novelty": "threshold"})") ==
      "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_running("kata-set-param beta 3") ==
        "= in force in the running search\n\n");
  CHECK(c.session.handle_while_running("lz-setoption name gamma value 0.5") ==
        "= in force in the running search\n\n");
  CHECK(c.session.handle_while_running("kata-get-param beta") == "= 3\n\n");
  CHECK(c.session.handle_while_running("kata-set-params {")->starts_with("? syntax error"));
  c.session.interrupt();
  auto status = tests::SteppedSession::Status::running;
  while (status == tests::SteppedSession::Status::running) {
    status = c.session.step(std::chrono::milliseconds(2), out);
  }
  // The running search has seen what is live, and nothing else.
  const auto options = nlohmann::json::parse(c.ask("last_search"))["options"];
  CHECK(options["alpha"] == "0.8");
  CHECK(options["beta"] == "3");
  CHECK(options["gamma"] == "0.5");
  CHECK(options["k"] == "0.4");
  CHECK_FALSE(options.contains("novelty"));
}

TEST_CASE("session: what a running search cannot take up waits for the next one") {
  Conversation c;
  c.ask("setoption simulations 1000000000");
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == tests::SteppedSession::Status::running);
  const auto say = [&](std::string_view line) { return *c.session.handle_while_running(line); };
  // It has begun with static values.
  CHECK(say("setoption relative_bonus true").starts_with("? the relative bonus needs playouts"));
  CHECK(say("setoption evaluation playout") == "= in force from the next search on\n\n");
  CHECK(say("setoption relative_bonus true") == "= in force from the next search on\n\n");
  CHECK(say("setoption solver true") == "= in force in the running search\n\n");
  c.session.interrupt();
  auto status = tests::SteppedSession::Status::running;
  while (status == tests::SteppedSession::Status::running) {
    status = c.session.step(std::chrono::milliseconds(2), out);
  }
  const auto options = nlohmann::json::parse(c.ask("last_search"))["options"];
  CHECK_FALSE(options.contains("relative_bonus"));
  CHECK(options["solver"] == "true");
  c.ask("setoption simulations 200");
  c.ask("genmove w");
  CHECK(nlohmann::json::parse(c.ask("last_search"))["options"]["relative_bonus"] == "true");
}

TEST_CASE("session: a running search takes no more memory than the server allows") {
  Conversation c;  // 1024 MiB
  c.ask("setoption simulations 1000000000");
  c.ask("setoption threads 8");
  c.ask("setoption estimators_mb 960");   // without estimators it takes nothing
  c.ask("setoption estimators history");  // nor with the tree alone
  c.ask("setoption estimators none");
  CHECK(contains(c.refused("setoption estimators history,global"),
                 "tree_mb plus threads times estimators_mb"));
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == tests::SteppedSession::Status::running);
  const auto say = [&](std::string_view line) { return *c.session.handle_while_running(line); };
  // The search that runs still has the old bound.
  CHECK(say("setoption estimators_mb 1") == "= in force from the next search on\n\n");
  CHECK(say("setoption estimators history,global") == "= in force from the next search on\n\n");
  CHECK(say("setoption k 0.3") == "= in force in the running search\n\n");
  c.session.interrupt();
  auto status = tests::SteppedSession::Status::running;
  while (status == tests::SteppedSession::Status::running) {
    status = c.session.step(std::chrono::milliseconds(2), out);
  }
  CHECK_FALSE(nlohmann::json::parse(c.ask("last_search")).contains("tables"));
}

TEST_CASE("session: what is too much for the server's memory is less from the start, or refused") {
  SessionConfig config;
  config.tree_mb_limit = 100;
  engine::set_option(config.options, "estimators", "history,global");
  for (const int threads : {1, 8, 64}) {
    CAPTURE(threads);
    config.options.threads = threads;
    tests::SteppedSession session{config};
    std::string out;
    session.handle("setoption c_global 0.3", out);
    CHECK(out.starts_with("="));
  }
  config.tree_mb_limit = 64;
  CHECK_THROWS_WITH_AS(Session{config},
                       doctest::Contains("estimators on 64 threads need more than"),
                       engine::BadOption);
}
