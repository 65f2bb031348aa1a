#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "server/session/findings.hpp"
#include "server/session/pondering.hpp"
#include "tests/server/session/conversation.hpp"
#include "tests/server/session/named_tables.hpp"

// `last_search MOVE ...`, `last_tree`, `earlier_search`, `simulate`, `evaluate`, `evaluate_many`
// and `truth`.

using namespace pitboss;
using namespace pitboss::server;
using nlohmann::json;
using tests::contains;
using tests::Conversation;

namespace {

json told(Conversation& c, const std::string& line) { return json::parse(c.ask(line)); }

int sum_of_visits(const json& search) {
  int sum = 0;
  for (const json& move : search["moves"]) sum += move["visits"].get<int>();
  return sum;
}

std::string words(const json& moves) {
  std::string text;
  for (const json& move : moves) text += " " + move.get<std::string>();
  return text;
}

}  // namespace

TEST_CASE("last_search MOVE ...: every game, to the end of the principal variation") {
  Conversation c;
  for (const std::string& game : tests::words_of(c.ask("games"))) {
    for (const std::string split : {"false", "true"}) {
      if (split == "true" && game != "amazons") continue;
      CAPTURE(game);
      CAPTURE(split);
      c.ask("game " + game);
      c.ask("setoption split_moves " + split);
      c.ask("setoption simulations 2000");
      c.ask("reg_genmove");
      json above = told(c, "last_search");
      CHECK(above["path"] == json::array());
      CHECK(above["visits"] == 2000);
      CHECK(sum_of_visits(above) == 2000);
      std::string line;
      const json pv = above["pv"];
      for (const json& move : pv) {
        const auto entry =
            std::ranges::find(above["moves"], move, [](const json& m) { return m["move"]; });
        REQUIRE(entry != above["moves"].end());
        line += " " + move.get<std::string>();
        const json below = told(c, "last_search" + line);
        CHECK(words(below["path"]) == line);
        CHECK(below["visits"] == (*entry)["visits"]);
        CHECK(sum_of_visits(below) == std::max(below["visits"].get<int>() - 1, 0));
        for (const auto& [key, value] : above.items()) CHECK(below.contains(key));
        above = below;
      }
      c.ask("setoption split_moves false");
    }
  }
}

TEST_CASE("last_search MOVE ...: below the position searched, whatever has been played since") {
  Conversation c;
  c.ask("game othello");
  const std::string best = c.ask("genmove");
  const json root = told(c, "last_search");
  const json below = told(c, "last_search " + best);
  CHECK(root["to_move"] == "black");
  CHECK(below["to_move"] == "white");
  CHECK(below["move"] == root["pv"][1]);
  CHECK(below["values"]["white"] == below["value"]);
  c.ask("play w " + root["pv"][1].get<std::string>());
  CHECK(told(c, "last_search " + best) == below);
  // Moves as last_search writes them, in every dialect.
  c.ask("dialect hexgui");
  CHECK(told(c, "last_search " + best) == below);
}

TEST_CASE("last_search MOVE ...: failures") {
  Conversation c;
  CHECK(contains(c.refused("last_search d1"), "no search yet"));
  c.ask("setoption simulations 50");
  c.ask("reg_genmove");
  CHECK(c.refused("last_search z9") ==
        "illegal move: 'z9' is not legal here (see the command legal_moves)");
  CHECK(c.refused("last_search d1 d1").starts_with("illegal move: 'd1' is not legal here"));
  CHECK(c.refused("last_search d1 %") == "syntax error: not a move: '%'");
  CHECK(c.refused("last_search d1 d2 d3 d4 d5 d6 c1") ==
        "the tree of the last search has no position after d1 d2 d3 d4 d5 d6 c1");
  // The same sentence as that of `play`.
  CHECK(c.refused("play b z9") == c.refused("last_search z9"));
  c.ask("error_codes on");
  CHECK(c.refused("last_search z9").starts_with("illegal-move: "));
  CHECK(c.refused("last_search %").starts_with("bad-argument: "));
  CHECK(c.refused("last_search a1 b1 c1 e1 f1 g1").starts_with("wrong-state: "));
  c.ask("clear_board");
  CHECK(contains(c.refused("last_search d1"), "no search yet"));
}

TEST_CASE("last_search MOVE ...: behind the end of a game there is nothing") {
  Conversation c;
  c.ask("position ......./......./......./......./OOO..../XXX.... b");
  c.ask("setoption simulations 300");
  c.ask("reg_genmove");
  const json end = told(c, "last_search d1");
  CHECK(end["to_move"].is_null());
  CHECK(end["moves"] == json::array());
  CHECK(end["move"].is_null());
  CHECK(end["value"].is_null());
  CHECK(contains(c.refused("last_search d1 d2"), "illegal move: "));
}

TEST_CASE("last_search MOVE ...: not when pondering has taken the tree") {
  auto config = tests::with_tables();
  config.options.seed = 1;
  config.options.ponder = config.options.reuse_tree = true;
  tests::SteppedSession session(config);
  tests::ask(session, "genmove b");
  const auto pondering = session.ponder();
  REQUIRE(pondering != nullptr);
  CHECK(pondering->run(std::chrono::milliseconds(1)) == engine::Progress::runnable);
  pondering->end();
  CHECK(tests::ask(session, "last_search").starts_with("= {"));
  CHECK(tests::ask(session, "last_search d1")
            .starts_with("? the tree of the last search has gone: pondering or"));
  // It stands at the position to be searched, and pondering's tree is searched on.
  const json on = json::parse(tests::ask(session, "simulate").substr(2));
  CHECK(on["simulations"] > 1);
}

TEST_CASE("last_tree: the most visited moves of the tree, each as last_search tells it") {
  Conversation c;
  for (const std::string& game : tests::words_of(c.ask("games"))) {
    CAPTURE(game);
    c.ask("game " + game);
    c.ask("setoption novelty pseudocount");
    c.ask("setoption simulations 1000");
    c.ask("reg_genmove");
    const json tree = told(c, "last_tree 40");
    CHECK(tree.size() == 40);
    CHECK(told(c, "last_tree 3") == json(tree.begin(), tree.begin() + 3));
    CHECK(told(c, "last_tree").size() == 200);
    int visits = 1000;
    std::vector<json> known{json::array()};
    for (const json& move : tree) {
      CHECK(move["visits"] <= visits);
      visits = move["visits"];
      CHECK(std::ranges::count(known, move["path"]) == 1);  // what leads there comes before it
      known.push_back(move["path"]);
      known.back().push_back(move["move"]);
      json same = move;
      same.erase("path");
      const json all = told(c, "last_search" + words(move["path"]))["moves"];
      CHECK(std::ranges::count(all, same) == 1);
    }
    // None that is left out has more visits.
    const json all = told(c, "last_search");
    for (const json& move : all["moves"]) {
      if (move["visits"] <= visits) continue;
      CHECK(std::ranges::any_of(tree, [&](const json& other) {
        return other["path"].empty() && other["move"] == move["move"];
      }));
    }
  }
}

TEST_CASE("last_tree: failures") {
  Conversation c;
  CHECK(c.raw("last_tree").starts_with("? no search yet"));
  c.ask("setoption simulations 10");
  c.ask("reg_genmove");
  CHECK(c.raw("last_tree 1001").starts_with("? syntax error"));
  CHECK(c.raw("last_tree 0").starts_with("? syntax error"));
  CHECK(c.raw("last_tree 1 2").starts_with("? syntax error"));
  CHECK(told(c, "last_tree 1000").size() <= 10);
}

namespace {

/// Sessions of a server that has findings.
SessionConfig with_findings(std::shared_ptr<Findings> findings, const std::string& token = "") {
  SessionConfig config;
  config.options.seed = 1;
  config.shared.findings = std::move(findings);
  config.client.name = token;
  return config;
}

}  // namespace

TEST_CASE("earlier_search: what was found in a position, by whom and however it came about") {
  const auto findings = std::make_shared<Findings>();
  Conversation a(with_findings(findings));
  CHECK(a.ask("earlier_search") == "null");
  a.ask("game othello");
  for (const char* move : {"b e3", "w f3", "b f4"}) a.ask(std::string("play ") + move);
  CHECK(a.ask("earlier_search") == "null");
  a.ask("simulate 300");
  const json found = told(a, "earlier_search");
  CHECK(found["simulations"] == 300);
  const json last = told(a, "last_search");
  CHECK(found["move"] == last["move"]);
  CHECK(found["value"] == last["value"]);
  CHECK(found["moves"][0]["pv"] == last["pv"]);

  // Another table, another way there, and live options that a tree outlives.
  Conversation b(with_findings(findings));
  b.ask("game othello");
  b.ask("setoption k 0.9");
  b.ask("position " + a.ask("get_position"));
  CHECK(told(b, "earlier_search") == found);
  b.ask("setoption novelty pseudocount");
  CHECK(b.ask("earlier_search") == "null");
  b.ask("simulate 10");
  CHECK(told(b, "earlier_search")["simulations"] == 10);
  b.ask("setoption novelty none");
  CHECK(told(b, "earlier_search") == found);

  // The one with the most visits is kept.
  b.ask("clear_cache");
  b.ask("simulate 100");
  CHECK(told(b, "earlier_search") == found);
  b.ask("simulate 201");  // not much more
  CHECK(told(b, "earlier_search") == found);
  b.ask("simulate 100");
  const json more = told(b, "earlier_search");
  CHECK(more["simulations"].get<int>() + more["reused"].get<int>() == 401);

  // Another token's client, another game and a session without a server know nothing of it.
  Conversation alice(with_findings(findings, "alice"));
  alice.ask("game othello");
  alice.ask("position " + a.ask("get_position"));
  CHECK(alice.ask("earlier_search") == "null");
  b.ask("play w " + tests::words_of(b.ask("legal_moves")).front());
  CHECK(b.ask("earlier_search") == "null");
  Conversation alone;
  alone.ask("simulate 10");
  CHECK(alone.ask("earlier_search") == "null");
  CHECK(a.raw("earlier_search e3").starts_with("? syntax error"));
}

TEST_CASE("earlier_search: an analysis leaves what it has found, unless it was to avoid moves") {
  const auto findings = std::make_shared<Findings>();
  Conversation c(with_findings(findings));
  c.ask("analyze json avoid b d1 1 simulations 50");
  CHECK(c.ask("earlier_search") == "null");
  CHECK(told(c, "simulate 10")["reused"] == 50);  // in the tree that knows too little of d1
  CHECK(c.ask("earlier_search") == "null");
  c.ask("analyze json simulations 50 maxmoves 1");
  const json found = told(c, "earlier_search");
  CHECK(found["moves"].size() == 7);
  CHECK(found["moves"][0].contains("pv"));
  c.ask("setoption simulations 200");
  c.ask("genmove_analyze json");
  CHECK(c.ask("earlier_search") == "null");
  c.ask("undo");
  CHECK(told(c, "earlier_search")["simulations"] == 200);
}

TEST_CASE("simulate: every game, one by one and many at once") {
  Conversation c;
  for (const std::string& game : tests::words_of(c.ask("games"))) {
    CAPTURE(game);
    for (const std::string split : {"false", "true"}) {
      if (split == "true" && game != "amazons") continue;
      c.ask("game " + game);
      c.ask("setoption split_moves " + split);
      c.ask("setoption threads " + std::string(split == "true" ? "3" : "1"));
      const std::string state = c.state();
      for (int i = 1; i <= 4; ++i) {
        const json step = told(c, "simulate");
        CHECK(step["simulations"] == i);
        REQUIRE(step["paths"].size() == 1);
        const json& path = step["paths"][0];
        CHECK(path["expanded"] == true);
        CHECK(path["moves"].size() >= 1);
        double sum = 0;
        for (const auto& [colour, value] : path["values"].items()) sum += value.get<double>();
        CHECK(sum == doctest::Approx(1));
        CHECK(told(c, "last_search" + words(path["moves"]))["visits"] == 1);
      }
      const json many = told(c, "simulate 1000");
      CHECK(many["simulations"] == 1004);
      CHECK(many["visits"] == 1004);
      CHECK(sum_of_visits(many) == 1004);
      CHECK(many["paths"].size() == 100);
      for (const json& path : many["paths"]) {
        CHECK(told(c, "last_search" + words(path["moves"]))["visits"] > 0);
      }
      CHECK(c.state() == state);
      const json last = told(c, "last_search");
      CHECK_FALSE(last.contains("paths"));
      CHECK(last["moves"] == many["moves"]);
    }
  }
}

TEST_CASE("simulate: goes on with what a search or an analysis has left") {
  Conversation c;
  c.ask("game othello");
  c.ask("setoption simulations 300");
  c.ask("setoption seed 5");
  c.ask("reg_genmove");
  CHECK(told(c, "simulate 10")["visits"] == 310);
  c.raw("analyze 1");
  const int analysed = told(c, "last_search")["visits"];
  CHECK(told(c, "simulate 2")["visits"] == analysed + 2);
  // With options that act at once, too; what a search is set up by begins another one in its tree.
  c.ask("setoption alpha 0.5");
  CHECK(told(c, "simulate")["reused"] == 0);
  CHECK(told(c, "last_search")["visits"] == analysed + 3);
  c.ask("setoption seed 6");
  CHECK(told(c, "simulate")["reused"] == analysed + 3);
  c.ask("setoption novelty pseudocount");
  CHECK(told(c, "simulate")["visits"] == 1);
  c.ask("play e3");
  CHECK(told(c, "simulate")["visits"] == 1);
  CHECK(told(c, "last_search")["to_move"] == "white");
  c.ask("clear_cache");
  CHECK(told(c, "simulate")["visits"] == 1);
}

TEST_CASE("simulate: a genmove with a seed is the same behind it") {
  const auto searched = [](const std::vector<std::string>& before) {
    Conversation c;
    c.ask("game breakthrough");
    c.ask("setoption seed 3");
    c.ask("setoption simulations 500");
    for (const std::string& line : before) c.ask(line);
    c.ask("genmove");
    return told(c, "last_search")["moves"];
  };
  CHECK(searched({"simulate 77", "simulate"}) == searched({}));
  CHECK(searched({"setoption threads 2", "simulate 9", "setoption threads 1"}) == searched({}));
  CHECK(searched({"setoption reuse_tree true", "simulate 77"}) != searched({}));
}

TEST_CASE("simulate: failures change nothing") {
  Conversation c;
  for (const std::string count : {"0", "-1", "1001", "x", "1.5", "99999999999999999999"}) {
    CHECK(c.refused("simulate " + count) ==
          "syntax error: expected a whole number from 1 to 1000, not '" + count + "'");
  }
  CHECK(c.refused("simulate 1 2") == "syntax error: expected [COUNT]");
  CHECK(contains(c.refused("last_search"), "no search yet"));
  c.ask("simulate 7");
  c.refused("simulate 0");
  CHECK(told(c, "last_search")["simulations"] == 7);
  c.ask("position ......./......./......./......./OOO..../XXX.... b");
  c.ask("play d1");
  CHECK(c.refused("simulate") == "the game is over: there is nothing to search");
  c.ask("error_codes on");
  CHECK(c.refused("simulate").starts_with("wrong-state: "));
  CHECK(c.refused("simulate no").starts_with("bad-argument: "));
}

TEST_CASE("simulate: an interruption ends it with what it has found") {
  Conversation c;
  c.ask("setoption evaluation playout");
  std::string out;
  REQUIRE(c.session.handle("simulate 1000", out) == tests::SteppedSession::Status::running);
  c.session.interrupt();
  while (c.session.step(std::chrono::milliseconds(1), out) ==
         tests::SteppedSession::Status::running) {
  }
  REQUIRE(out.starts_with("= {"));
  CHECK(json::parse(out.substr(2))["simulations"] < 1000);
}

TEST_CASE("truth: what is known of each move, in a game that goes on as it was") {
  Conversation c;
  for (const std::string& move :
       tests::words_of("d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 e3 a1 a2 g1 g2")) {
    c.ask("play " + move);
  }
  const std::string position = c.ask("get_position");
  const json truth = told(c, "truth 1000");
  CHECK(truth["complete"] == true);
  CHECK(truth["exact"] != "unknown");
  CHECK_FALSE(truth.contains("points"));
  CHECK(truth["to_move"] == "black");
  CHECK(truth["moves"].size() == tests::words_of(c.ask("legal_moves")).size());
  for (const json& move : truth["moves"]) {
    CHECK(move["exact"] != "unknown");
    CHECK_FALSE(move.contains("points"));
  }
  CHECK(c.ask("get_position") == position);
  c.ask("game othello size=4");
  const json othello = told(c, "truth 100");
  CHECK(othello["exact"] == "loss");
  CHECK(othello["points"] == -10);
  for (const json& move : othello["moves"]) {
    CHECK(move["exact"] == "loss");
    CHECK(move["points"] == -10);  // white wins by 11 to 3, with two points left
  }
}

TEST_CASE("truth: what the position comes to is known before all moves are, and tells of them") {
  Conversation c;
  c.ask("game breakthrough");
  c.ask("position OOOOOOO./OOOOOOOX/......../......../......../......../XXXXXXXX/XXXXXXX. b");
  const json won = told(c, "truth 0.5");
  CHECK(won["exact"] == "win");
  CHECK(won["complete"] == false);
  CHECK(won["moves"].size() == 24);
  for (const json& move : won["moves"]) {
    CHECK(move["exact"] == (move["move"] == "h7g8" ? "win" : "unknown"));
  }
  // All moves of a lost position lose. To prove each of them takes more than a minute.
  c.ask("game atarigo size=5");
  c.ask("play c3");
  const json lost = told(c, "truth 60");
  CHECK(lost["exact"] == "loss");
  CHECK(lost["complete"] == true);
  for (const json& move : lost["moves"]) CHECK(move["exact"] == "loss");
}

TEST_CASE("exact: a search that has proven its move says so") {
  Conversation c;
  c.ask("setoption exact true");
  c.ask("setoption simulations 2000");
  for (const std::string& move :
       tests::words_of("d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 e3 a1 a2 g1 g2")) {
    c.ask("play " + move);
  }
  const json truth = told(c, "truth 1000");
  const std::string move = c.ask("reg_genmove");
  const json search = told(c, "last_search");
  CHECK(search["simulations"] == 0);
  CHECK(search["move"] == move);
  const auto is_played = [&](const json& one) { return one["move"] == search["move"]; };
  const auto& moves = truth["moves"];
  const json played = *std::ranges::find_if(moves, is_played);
  CHECK(search["exact"] == played["exact"]);
  CHECK_FALSE(search.contains("points"));
  const json& first = search["moves"][0];
  CHECK(first["move"] == search["move"]);
  CHECK(first["proven"] == search["exact"]);
  const bool is_win_known =
      std::ranges::any_of(moves, [](const json& m) { return m["exact"] == "win"; });
  CHECK((search["exact"] == "win") == is_win_known);
  CHECK(c.ask("last_effort").find(" exact") != std::string::npos);
  const std::string value = search["exact"] == "win"    ? "1"
                            : search["exact"] == "loss" ? "0"
                                                        : "0.5";
  CHECK(c.ask("last_value").starts_with(value));
  const std::string line = c.ask("lz-genmove_analyze");
  CHECK(line.find(" proven " + search["exact"].get<std::string>()) != std::string::npos);
  c.ask("undo");
  const std::string analysis = c.ask("analyze 100000 minmoves 1");
  CHECK(analysis.find(" proven " + search["exact"].get<std::string>()) != std::string::npos);
  c.ask("setoption exact false");
  c.ask("reg_genmove");
  CHECK_FALSE(told(c, "last_search").contains("exact"));
  CHECK(c.ask("last_effort").find("exact") == std::string::npos);
  c.ask("game othello size=4");
  c.ask("setoption exact true");
  c.ask("reg_genmove");
  CHECK(told(c, "last_search")["points"] == -10);
}

TEST_CASE("truth: refusals, no time, too little memory and an interruption") {
  Conversation c;
  CHECK(c.refused("truth x").starts_with("syntax error: "));
  CHECK(c.refused("truth 1 2") == "syntax error: expected [MOVETIME]");
  const json hasty = told(c, "truth 0");
  for (const json& move : hasty["moves"]) CHECK(move["exact"] == "unknown");
  std::string out;
  REQUIRE(c.session.handle("truth 3600", out) == tests::SteppedSession::Status::running);
  c.session.interrupt();
  while (c.session.step(std::chrono::milliseconds(1), out) ==
         tests::SteppedSession::Status::running) {
  }
  REQUIRE(out.starts_with("= {"));
  CHECK(json::parse(out.substr(2))["complete"] == false);
  c.ask("game fanorona");
  CHECK(c.refused("truth") ==
        "there is no exact solver for fanorona, which can come back to a position: there are those "
        "for amazons, atarigo, breakthrough, connect4, gomoku, hex, knightthrough, othello, "
        "pentalath, rolit, teeko, yavalath");
  c.ask("game rolit players=3");
  CHECK(c.refused("truth") == "rolit has an exact solver for two players only");
  c.ask("game connect4");
  c.ask("position ......./......./......./......./OOO..../XXX.... b");
  c.ask("play d1");
  CHECK(c.refused("truth") == "the game is over: no move has a result");
}

TEST_CASE("evaluate_many: what evaluate says of each position; the table stays as it is") {
  Conversation c;
  for (const std::string& game : tests::words_of(c.ask("games"))) {
    CAPTURE(game);
    c.ask("game " + game);
    std::string line = "evaluate_many";
    json alone = json::array();
    for (int ply = 0; ply < 40 && c.ask("legal_moves") != ""; ++ply) {
      line += (ply == 0 ? " " : ";  ") + c.ask("get_position");
      alone.push_back(told(c, "evaluate"));
      c.ask("play " + tests::words_of(c.ask("legal_moves")).back());
    }
    const std::string moves = c.ask("moves");
    CHECK(told(c, line)["positions"] == alone);
    CHECK(c.ask("moves") == moves);
  }
}

TEST_CASE("evaluate_many: what it refuses") {
  Conversation c;
  const std::string start = c.ask("get_position");
  CHECK(contains(c.refused("evaluate_many"), "expected POSITION; POSITION"));
  CHECK(contains(c.refused("evaluate_many " + start + "; nonsense"), "position 2: "));
  CHECK(contains(c.refused("evaluate_many " + start + "; ;" + start), "position 2: "));
  c.ask("gogui-play_sequence b d w e b d w e b d w e b d");
  const std::string over = c.ask("get_position");
  CHECK(c.refused("evaluate_many " + start + ";" + over) ==
        "position 2: the game is over: there is nothing to evaluate");
  std::string many = "evaluate_many " + start;
  for (int i = 1; i < 256; ++i) many += ";" + start;
  CHECK(told(c, many)["positions"].size() == 256);
  CHECK(contains(c.refused(many + ";" + start), "no more than 256 positions"));
}
