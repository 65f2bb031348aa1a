#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/protocol/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace std::string_literals;
using Client = tests::Conversation;
using tests::contains;

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
        "unknown options: less, more");
  CHECK(c.refused(R"(kata-set-params {"k": 0.1, "": 1})") == "unknown options: ");
  CHECK(contains(c.refused(R"(kata-set-params {"k": 0.1, "alpha": -1})"), "alpha must be"));
  CHECK(contains(c.refused(R"(kata-set-params {"k": [0.1]})"), "the value of 'k' must be"));
  CHECK(contains(c.refused(R"(kata-set-params {"tree_mb": 4096})"), "at most 1024"));
  for (const char* text : {"", "{", "[]", "1", "{\"k\": 1} 2", "{k: 1}", "{\"k\"}"}) {
    CHECK(contains(c.refused("kata-set-params "s + text), "syntax error: expected {"));
  }
  CHECK(contains(c.refused("kata-set-params " + std::string(1 << 20, '[')), "syntax error"));
}

TEST_CASE("session: options by other names while a search runs") {
  Client c;
  c.ask("setoption simulations 1000000000");
  std::string out;
  REQUIRE(c.session.handle("genmove b", out) == Session::Status::working);
  CHECK(c.session.handle_while_working(R"(1 kata-set-params {"alpha": 0.7, "k": 0.4})") ==
        "=1 in force in the running search\n\n");
  CHECK(
      c.session.handle_while_working(R"(kata-set-params {"alpha": 0.8, "novelty": "threshold"})") ==
      "= in force from the next search on\n\n");
  CHECK(c.session.handle_while_working("kata-set-param beta 3") ==
        "= in force in the running search\n\n");
  CHECK(c.session.handle_while_working("lz-setoption name gamma value 0.5") ==
        "= in force in the running search\n\n");
  CHECK(c.session.handle_while_working("kata-get-param beta") == "= 3\n\n");
  CHECK(c.session.handle_while_working("kata-set-params {")->starts_with("? syntax error"));
  c.session.interrupt();
  auto status = Session::Status::working;
  while (status == Session::Status::working) {
    status = c.session.work(std::chrono::milliseconds(2), out);
  }
  // The running search has seen what is live, and nothing else.
  const auto options = nlohmann::json::parse(c.ask("last_search"))["options"];
  CHECK(options["alpha"] == "0.8");
  CHECK(options["beta"] == "3");
  CHECK(options["gamma"] == "0.5");
  CHECK(options["k"] == "0.4");
  CHECK_FALSE(options.contains("novelty"));
}
