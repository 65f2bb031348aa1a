// `state` and `geometry`: games and boards as JSON.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "engine/leaf/network/network_interface.hpp"
#include "games/any_game.hpp"
#include "games/in_words.hpp"
#include "games/random.hpp"
#include "server/session/session.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::server;
using nlohmann::json;
using tests::Conversation;

namespace {

const std::vector<std::string>& all_games() {
  static const std::vector<std::string> lines = [] {
    std::vector<std::string> names{"hex size=3 swap=on", "yavalath swap=on",
                                   "rolit players=3",    "amazons size=8",
                                   "othello size=6",     "chinesecheckers board=full"};
    for (const auto name : games::game_names()) names.emplace_back(name);
    return names;
  }();
  return lines;
}

json state_of(Conversation& client, const std::string& words = "") {
  return json::parse(client.ask("state" + words));
}

/// A text in base64 as bits, the highest of each byte first.
std::vector<int> bits_of(const std::string& base64) {
  const std::string digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<int> bits;
  for (const char c : base64) {
    if (c == '=') break;
    const auto six = digits.find(c);
    REQUIRE(six != std::string::npos);
    for (int i = 5; i >= 0; --i) bits.push_back(static_cast<int>(six >> i & 1U));
  }
  return bits;
}

/// Whether all lists of a JSON array differ.
bool are_distinct(const json& lists) {
  return std::set<json>(lists.begin(), lists.end()).size() == lists.size();
}

/// Chooses part by part, as a client does, one that some move has; returns the only move that is
/// left.
std::string narrowed(const json& legal, const json& parts, games::Random& random) {
  std::vector<std::size_t> left(legal.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = i;
  for (std::size_t depth = 0;; ++depth) {
    const auto at = static_cast<std::size_t>(random.below(static_cast<int>(left.size())));
    if (left.size() == 1 && parts[left[0]].size() == depth) return legal[left[0]];
    REQUIRE(parts[left[at]].size() > depth);
    const json chosen = parts[left[at]][depth];
    std::erase_if(
        left, [&](std::size_t i) { return parts[i].size() <= depth || parts[i][depth] != chosen; });
  }
}

void check_position(const json& state, const games::AnyGame& game) {
  CHECK(state["version"] == 1);
  CHECK(state["game"] == game.name());
  CHECK(state["position"] == game.position());
  const bool is_over = game.result().finished();
  CHECK(state["over"] == is_over);
  CHECK(state["to_move"] == (is_over ? json() : json(game.name_of(game.to_move()))));
  CHECK(state["legal"] == json(game.legal_moves()));
  if (is_over) {
    double sum = 0;
    for (std::size_t c = 0; c < game.colours().size(); ++c) {
      const double share = state["shares"][std::string(game.colours()[c])];
      CHECK(share == game.result().share(static_cast<games::Colour>(c)));
      sum += share;
    }
    CHECK(sum == doctest::Approx(1));
    CHECK(state["score"] == games::score_text(game));
    CHECK(state["result"] == games::result_in_words(game));
  } else {
    for (const char* key : {"shares", "score", "result"}) CHECK(state[key] == json());
  }
}

void check_parts(const json& state, const games::AnyGame& game) {
  const std::vector<std::string> legal = state["legal"];
  std::map<std::string, std::vector<int>> expected;
  std::vector<games::PolicyMove> moves;
  game.policy_moves(moves);
  for (const auto& [move, parts] : moves) {
    expected[game.text(move)] = {parts.begin(), parts.end()};
  }
  CHECK(expected.size() == legal.size());
  REQUIRE(state["parts"].size() == legal.size());
  REQUIRE(state["steps"].size() == legal.size());
  for (std::size_t i = 0; i < legal.size(); ++i) {
    const std::vector<int> parts = state["parts"][i];
    CHECK(parts == expected[legal[i]]);
    CHECK(
        std::ranges::all_of(parts, [&](int part) { return 0 <= part && part < state["actions"]; }));
  }
  CHECK(are_distinct(state["parts"]));
  CHECK(are_distinct(state["steps"]));
}

void check_planes(const json& state, const games::AnyGame& game) {
  const auto sizes = engine::network_interface(game);
  CHECK(state["planes"]["shape"] == json{sizes.planes, sizes.rows, sizes.columns});
  const auto planes = game.planes();
  const auto bits = bits_of(state["planes"]["bits"]);
  REQUIRE(bits.size() >= planes.size());
  CHECK(std::equal(planes.begin(), planes.end(), bits.begin()));
}

/// Answers in a file of tests/golden/json, or written there (./dev update).
void check_golden(const std::string& game, const std::string& transcript) {
  const std::string path = tests::tests_folder() + "/golden/json/" + game + ".txt";
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  if (std::getenv("PITBOSS_UPDATE_DOCS") != nullptr) std::ofstream(path) << transcript;
  CHECK_MESSAGE(clients::read_text(path) == transcript,
                path << " has other answers: run ./dev update, and look at what has changed");
}

}  // namespace

TEST_CASE("commands: state and geometry answer as tests/golden/json has it, in every game") {
  for (const auto name : games::game_names()) {
    const auto played = games::make_game(name);
    games::Random random(7);
    std::vector<std::string> positions;
    std::vector<std::string> moves;
    while (!played->result().finished()) {
      positions.push_back(played->position());
      moves.push_back(played->random_move(random));
      played->play(moves.back());
    }
    Conversation client;
    std::string transcript;
    const auto note = [&](const std::string& line) {
      transcript += "> " + line + "\n" + client.raw(line);
    };
    note("game " + std::string(name));
    note("geometry");
    const std::size_t late = moves.size() - 3;
    note("position " + positions[late]);
    note("state planes steps");
    for (std::size_t i = late; i < moves.size(); ++i) note("play " + moves[i]);
    note("state");
    check_golden(std::string(name), transcript);
  }
}

TEST_CASE("state: tells what the game tells, at every ply of random games of every game") {
  games::Random random(3);
  for (const std::string& line : all_games()) {
    CAPTURE(line);
    Conversation client;
    client.ask("game " + line);
    const auto game = games::make_game(
        line.substr(0, line.find(' ')),
        games::parse_parameters(line.substr(std::min(line.find(' '), line.size()))));
    const std::string start = game->position();
    json history = json::array();
    constexpr int most_plies = 60;
    for (int ply = 0;; ++ply) {
      const json state = state_of(client, " planes steps");
      check_position(state, *game);
      check_parts(state, *game);
      check_planes(state, *game);
      CHECK(state["start"] == start);
      CHECK(state["moves"] == history);
      CHECK(state["rules"] == client.ask("game"));
      if (game->result().finished() || ply == most_plies) break;
      const std::string move =
          narrowed(state["legal"], state[ply % 2 == 0 ? "parts" : "steps"], random);
      history.push_back({{"colour", game->name_of(game->to_move())}, {"move", move}});
      client.ask("play " + move);
      game->play(move);
    }
    client.ask("undo");
    history.erase(history.size() - 1);
    CHECK(state_of(client)["moves"] == history);
  }
}

TEST_CASE("state: who has moved, where one colour moves twice, and after the end") {
  Conversation client;
  client.ask("game fanorona");
  const auto play = [&](const std::vector<std::string>& moves) {
    for (const auto& move : moves) client.ask("play " + move);
  };
  const auto colours = [&] {
    std::string text;
    const json state = state_of(client);
    for (const json& move : state["moves"]) {
      text += move["colour"].is_null() ? '-' : move["colour"].get<std::string>()[0];
    }
    return text;
  };
  SUBCASE("a chain") {
    client.ask("play " + state_of(client)["legal"][0].get<std::string>());
    while (state_of(client)["to_move"] == state_of(client)["moves"].back()["colour"])
      play({"pass"});
    int plies = 0;
    games::Random random(5);
    while (!state_of(client)["over"] && plies++ < 40) {
      const json before = state_of(client);
      const json& legal = before["legal"];
      play({legal[static_cast<std::size_t>(random.below(static_cast<int>(legal.size())))]});
      CHECK(state_of(client)["moves"].back()["colour"] == before["to_move"]);
    }
    CHECK(colours().find("bb") != std::string::npos);
  }
  SUBCASE("swap") {
    client.ask("game hex size=5 swap=on");
    play({"c3"});
    const json state = state_of(client);
    CHECK(state["actions"] == 26);
    CHECK(std::ranges::count(state["legal"], json("swap")) == 1);
    CHECK(state["parts"][state["legal"].size() - 1] == json{25});
    play({"swap", "a1"});
    CHECK(colours() == "bwb");
  }
  SUBCASE("passes after the end, which GoGui may play") {
    client.ask("game connect4");
    play({"d", "e", "d", "e", "d", "e", "d"});
    client.ask("gogui-play_sequence b pass w pass");
    CHECK(colours() == "bwbwbwb--");
    const json state = state_of(client);
    CHECK(state["over"] == true);
    CHECK(state["legal"] == json::array());
    CHECK(state["parts"] == json::array());
    CHECK(state["shares"] == json{{"black", 1.0}, {"white", 0.0}});
    client.ask("undo");
    CHECK(colours() == "bwbwbwb-");
  }
  SUBCASE("a forced pass") {
    client.ask("game othello");
    client.ask(
        "position OX....../......../......../...XX.../...XX.../......../......../........ b");
    const json state = state_of(client);
    CHECK(state["legal"] == json{"pass"});
    CHECK(state["parts"] == json{{64}});
    CHECK(state_of(client, " steps")["steps"] == json{{"pass"}});
  }
  SUBCASE("a sequence that fails is taken back whole") {
    play({state_of(client)["legal"][0]});
    const std::string before = client.ask("state");
    client.refused("gogui-play_sequence w " + state_of(client)["legal"][0].get<std::string>() +
                   " b a1a1");
    CHECK(client.ask("state") == before);
  }
}

TEST_CASE("state: the clock is that of the table, and null where there is none") {
  Conversation client;
  CHECK(state_of(client)["clock"] == json());
  client.ask("time_left b 20 0");
  CHECK(state_of(client)["clock"]["system"] == "none");
  CHECK(state_of(client)["clock"]["left"] == json{{"black", {{"seconds", 20.0}, {"count", 0}}},
                                                  {"white", {{"seconds", nullptr}, {"count", 0}}}});
  for (const std::string system : {"absolute 60", "byoyomi 600 30 3", "canadian 60 30 5",
                                   "fischer 60 2.5", "fischer-capped 60 2.5 120 -1"}) {
    client.ask("kata-time_settings " + system);
    const json clock = state_of(client)["clock"];
    CHECK(system.starts_with(clock["system"].get<std::string>()));
    CHECK(clock["main"] == (system.starts_with("byoyomi") ? 600 : 60));
    CHECK(clock["left"]["white"]["seconds"] == clock["main"]);
  }
  const json clock = state_of(client)["clock"];
  CHECK(clock["period"] == 2.5);
  CHECK(clock["most"] == 120);
  CHECK(clock["most_a_move"] == json());
}

TEST_CASE("state: words that it does not know change nothing; watchers may ask") {
  Conversation client;
  CHECK(client.refused("state plane") == "syntax error: expected [planes] [steps], not 'plane'");
  CHECK(client.refused("geometry planes") == "syntax error: expected no arguments");
  CHECK(client.ask("state STEPS Planes") == client.ask("state planes steps"));
  SessionConfig config;
  config.client.right = protocol::Right::watch;
  Conversation watcher(config);
  CHECK(json::parse(watcher.ask("state"))["version"] == 1);
  CHECK(json::parse(watcher.ask("geometry"))["version"] == 1);
}

TEST_CASE("state: the line or the chain that has decided a game") {
  struct Row {
    std::string game;
    std::vector<std::string> moves, points;
  };
  for (const Row& row :
       {Row{"connect4", {"d", "e", "d", "e", "d", "e", "d"}, {"d1", "d2", "d3", "d4"}},
        Row{"connect4", {"d", "e", "d", "e", "d", "e"}, {}},
        Row{"hex size=3 swap=off", {"c1", "b1", "a1", "b2", "a2", "b3", "a3"}, {"a1", "a2", "a3"}},
        Row{"gomoku opening=free",
            {"a1", "a2", "b1", "b2", "c1", "c2", "e1", "e2", "d1"},
            {"a1", "b1", "c1", "d1", "e1"}},
        Row{"yavalath swap=off", {"a1", "e9", "b1", "e8", "c1"}, {"a1", "b1", "c1"}},
        Row{"teeko", {"a1", "e5", "a2", "e4", "b1", "e2", "b2"}, {"a1", "b1", "a2", "b2"}}}) {
    CAPTURE(row.game);
    Conversation client;
    client.ask("game " + row.game);
    for (const std::string& move : row.moves) client.ask("play " + move);
    CHECK(json::parse(client.ask("state"))["decisive"] == json(row.points));
  }
  games::Random random(5);
  for (const auto name : games::game_names()) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    Conversation client;
    client.ask("game " + std::string(name));
    while (!game->result().finished()) {
      const std::string move = game->random_move(random);
      game->play(move);
      client.ask("play " + move);
    }
    const json state = json::parse(client.ask("state"));
    const json sites = json::parse(client.ask("geometry"))["sites"];
    std::string letters = state["position"].get<std::string>();
    letters = letters.substr(0, letters.find(' '));
    std::erase_if(letters, [](char each) { return each == '/' || each == '?'; });
    std::set<char> pieces;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      if (std::ranges::count(state["decisive"], sites[i]["name"]) > 0) pieces.insert(letters[i]);
    }
    constexpr std::array lines = {"connect4", "gomoku", "hex", "pentalath", "teeko", "yavalath"};
    const bool is_line = std::ranges::count(lines, name) > 0 && !game->result().shared();
    CHECK(pieces.size() == (is_line ? 1 : 0));
    CHECK(!pieces.contains('.'));
  }
}

TEST_CASE("state and geometry: moves are plain in every dialect") {
  Conversation client;
  client.ask("game hex size=5");
  client.ask("play a1");
  const std::string before = client.ask("state planes steps") + client.ask("geometry");
  for (const char* dialect : {"gogui", "hexgui"}) {
    client.ask(std::string("dialect ") + dialect);
    CHECK(client.ask("state planes steps") + client.ask("geometry") == before);
  }
}

TEST_CASE("geometry: sites, neighbours and pieces belong to the position, in every game") {
  for (const std::string& line : all_games()) {
    CAPTURE(line);
    Conversation client;
    client.ask("game " + line);
    const json board = json::parse(client.ask("geometry"));
    const json state = state_of(client, " planes");
    for (const char* key : {"version", "game", "rules", "colours", "actions"}) {
      CHECK(board[key] == state[key]);
    }
    CHECK(board["planes"]["shape"] == state["planes"]["shape"]);
    const std::string position = state["position"];
    const std::string rows = position.substr(0, position.find(' '));
    CHECK(std::ranges::count(rows, '/') + 1 == board["rows"]);
    const auto on_board = std::ranges::count_if(rows, [](char c) { return c != '/' && c != '?'; });
    CHECK(board["sites"].size() == static_cast<std::size_t>(on_board));
    std::set<char> letters{'.', '/', '?'};
    for (const json& piece : board["pieces"]) letters.insert(piece["letter"].get<std::string>()[0]);
    CHECK(std::ranges::all_of(rows, [&](char c) { return letters.contains(c); }));

    std::map<std::string, json> sites;
    for (const json& site : board["sites"]) sites[site["name"]] = site;
    CHECK(sites.size() == board["sites"].size());
    const double left = board["bounds"][0];
    const double top = board["bounds"][1];
    const auto is_inside = [&](double x, double y) {
      return left <= x && x <= left + board["bounds"][2].get<double>() && top <= y &&
             y <= top + board["bounds"][3].get<double>();
    };
    for (const auto& [name, site] : sites) {
      CAPTURE(name);
      const double x = site["x"];
      const double y = site["y"];
      for (const json& other : site["neighbours"]) {
        REQUIRE(sites.contains(other));
        const json& its = sites[other];
        CHECK(std::ranges::count(its["neighbours"], json(name)) == 1);
        const double distance = std::hypot(its["x"].get<double>() - x, its["y"].get<double>() - y);
        CHECK(distance < 1.415);  // hexagons and lines: 1, diagonals: sqrt(2)
        CHECK(distance > 0.998);
        if (board["style"] != "alquerque") CHECK(distance < 1.002);
      }
      CHECK(is_inside(x, y));
      double middle_x = 0;
      double middle_y = 0;
      for (const json& corner : site["polygon"]) {
        CHECK(is_inside(corner[0], corner[1]));
        middle_x += corner[0].get<double>();
        middle_y += corner[1].get<double>();
      }
      const auto corners = static_cast<double>(site["polygon"].size());
      CHECK(corners == (board["lattice"] == "square" ? 4 : 6));
      CHECK(middle_x / corners == doctest::Approx(x).epsilon(1e-3));
      CHECK(std::abs(middle_y / corners - y) < 1e-3);
      CHECK((board["style"] == "chequered" || site["dark"] == false));
    }
    for (const json& label : board["labels"]) CHECK(is_inside(label["x"], label["y"]));
    // Every move is made on sites.
    const json stepped = state_of(client, " steps");
    for (const json& steps : stepped["steps"]) {
      for (const json& step : steps)
        CHECK((sites.contains(step) || step == "pass" || step == "swap"));
    }
  }
}

TEST_CASE("geometry: rows run from the top, as those of the position") {
  Conversation client;
  client.ask("game pentalath");
  client.ask("play a1");
  client.ask("play j9");
  const json board = json::parse(client.ask("geometry"));
  const std::string position = state_of(client)["position"];
  std::string contents;
  for (const char c : position.substr(0, position.find(' '))) {
    if (c != '/' && c != '?') contents += c;
  }
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string name = board["sites"][i]["name"];
    CHECK(contents[i] == (name == "a1" ? 'X' : name == "j9" ? 'O' : '.'));
  }
}

TEST_CASE("geometry: hex's sides run along its cells, and meet at the corners") {
  Conversation client;
  client.ask("game hex size=4");
  const json board = json::parse(client.ask("geometry"));
  std::set<json> corners;
  for (const json& site : board["sites"])
    corners.insert(site["polygon"].begin(), site["polygon"].end());
  REQUIRE(board["sides"].size() == 4);
  std::map<std::string, int> sides;
  std::map<json, int> met;
  for (const json& side : board["sides"]) {
    ++sides[side["colour"]];
    for (const json& corner : side["line"]) CHECK(corners.contains(corner));
    CHECK(side["line"].size() == 2 * 4 + 1);
    ++met[side["line"].front()];
    ++met[side["line"].back()];
  }
  CHECK(sides == std::map<std::string, int>{{"black", 2}, {"white", 2}});
  for (const json& side : board["sides"]) {
    const json& line = side["line"];
    for (std::size_t i = 1; i < line.size(); ++i) {
      const double length = std::hypot(line[i][0].get<double>() - line[i - 1][0].get<double>(),
                                       line[i][1].get<double>() - line[i - 1][1].get<double>());
      CHECK(length == doctest::Approx(0.577).epsilon(0.01));
    }
    if (side["colour"] != "black") continue;
    const std::string row = line[0][1].get<double>() > -1 ? "1" : "4";
    for (const json& site : board["sites"]) {
      if (site["name"].get<std::string>().substr(1) != row) continue;
      int shared = 0;
      for (const json& corner : site["polygon"])
        shared += static_cast<int>(std::ranges::count(line, corner));
      CHECK(shared == 3);
    }
  }
}

TEST_CASE("geometry: pieces of every kind have a colour that the game names") {
  Conversation client;
  const auto pieces = [&](const std::string& game) {
    client.ask("game " + game);
    return json::parse(client.ask("geometry"))["pieces"];
  };
  CHECK(pieces("amazons")[2] == json{{"letter", "*"}, {"colour", nullptr}, {"shape", "arrow"}});
  CHECK(pieces("cannon")[3] == json{{"letter", "W"}, {"colour", "white"}, {"shape", "town"}});
  CHECK(pieces("knightthrough")[1]["shape"] == "knight");
  // Balls of colours that nobody plays lie on the board, too.
  CHECK(pieces("rolit players=2")[2] ==
        json{{"letter", "G"}, {"colour", "green"}, {"shape", "disc"}});
}
