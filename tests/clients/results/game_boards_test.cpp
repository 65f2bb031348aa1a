#include "clients/results/game_boards.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/results/document/page_parts.hpp"
#include "clients/results/match_tables.hpp"
#include "games/notation.hpp"
#include "tests/clients/referee/recorded_games.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::json;
using Games = std::vector<std::vector<PlayedGame>>;

struct Made {
  Experiment experiment;
  Games games;

  void add(const std::string& game, int rounds = 1) {
    const Match match = made_match(game, "A", "B", rounds);
    experiment.matches.push_back(match);
    auto& played = games.emplace_back();
    for (int i = 0; i < match.games; ++i) played.push_back(recorded_game(match, i));
  }
  [[nodiscard]] Results results() const {
    Results out(experiment);
    for (std::size_t m = 0; m < games.size(); ++m) {
      const int size = experiment.matches[m].round();
      for (int round = 0; round < experiment.matches[m].games / size; ++round) {
        const auto first = games[m].begin() + round * size;
        out.add(static_cast<int>(m), round, {first, first + size});
      }
    }
    return out;
  }
  [[nodiscard]] json boards() const { return json::parse(game_boards(results(), games).json); }
  [[nodiscard]] json matches() const { return boards()["matches"]; }
};

/// Changes the rows of a board as the page does: "d4Xd5." puts letters on points.
void change(std::vector<std::string>& rows, const std::string& changes) {
  if (changes == "-") return;
  for (std::size_t at = 0; at < changes.size();) {
    const std::size_t end = changes.find_first_not_of("0123456789", at + 1);
    const auto place = games::place_of(changes.substr(at, end - at));
    REQUIRE(place.has_value());
    rows[rows.size() - 1 - place->y][place->x] = changes[end];
    at = end + 1;
  }
}

std::vector<std::string> lines(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string board_of(const games::AnyGame& game) {
  const std::string position = game.position();
  return position.substr(0, position.find(' '));
}

}  // namespace

TEST_CASE("the changes of each ply lead from board to board, in every game") {
  Made made;
  for (const auto name : games::game_names()) made.add(std::string(name));
  made.add("rolit players=3");
  made.add("rolit players=4");
  const json report = made.boards();
  const json& matches = report["matches"];
  REQUIRE(matches.size() == made.games.size());
  for (std::size_t m = 0; m < matches.size(); ++m) {
    CAPTURE(matches[m]["game"]);
    REQUIRE(matches[m]["games"].size() == made.games[m].size());
    for (std::size_t g = 0; g < made.games[m].size(); ++g) {
      const PlayedGame& record = made.games[m][g];
      const json& game = matches[m]["games"][g];
      const auto position = made.experiment.matches[m].initial_position();
      auto rows = lines(matches[m]["start"], '/');
      const auto changes = split(game["changes"]);
      const auto moves = split(game["moves"]);
      REQUIRE(changes.size() == static_cast<std::size_t>(record.plies));
      REQUIRE(moves.size() == changes.size());
      for (std::size_t i = 0; i < moves.size(); ++i) {
        CHECK(game["movers"].get<std::string>()[i] - '0' == games::index(position->to_move()));
        position->play(moves[i]);
        change(rows, changes[i]);
        std::string board;
        for (const std::string& row : rows) board += (board.empty() ? "" : "/") + row;
        REQUIRE(board == board_of(*position));
      }
      CHECK(game["number"] == record.game);
      CHECK(game["result"] == record.result);
      const std::string values = game["values"];
      for (std::size_t i = 0; i < moves.size(); ++i) {
        CAPTURE(i);
        const auto own = values_of(record)[i];
        const bool is_other =
            made.games[m][g].seats.size() == 2 && game["movers"].get<std::string>()[i] == '1';
        const std::string expected =
            !own ? "-" : std::to_string(std::lround(1000 * (is_other ? 1 - *own : *own)));
        CHECK(split(values)[i] == expected);
      }
    }
    const json& pieces = report["boards"][matches[m]["board"].get<std::string>()]["pieces"];
    // Each letter on the board is a piece that the page can draw.
    for (const char letter : matches[m]["start"].get<std::string>()) {
      if (letter == '.' || letter == '/' || letter == '?') continue;
      CHECK(std::ranges::count(pieces, json(std::string(1, letter)),
                               [](const json& piece) { return piece["letter"]; }) == 1);
    }
  }
}

TEST_CASE("a board is told once, however many matches are played on it") {
  Made made;
  made.add("hex size=5");
  made.add("hex size=5 swap=on");
  made.add("hex size=5");
  const json report = made.boards();
  CHECK(report["boards"].size() == 2);
  const json& board = report["boards"][report["matches"][2]["board"].get<std::string>()];
  CHECK(board["sites"].size() == 25);
  CHECK(board["colours"] == json{"black", "white"});
  CHECK(report["matches"][0]["board"] == report["matches"][2]["board"]);
}

TEST_CASE("a match tells its players' options, a game the chain that has decided it") {
  Made made;
  made.add("hex size=3");
  made.add("othello size=4");
  made.experiment.matches[0].players[1].options = {{"k", "0.5"}, {"simulations", "20"}};
  const json matches = made.matches();
  CHECK(matches[0]["options"] == json{json::object(), {{"k", "0.5"}, {"simulations", "20"}}});
  for (const json& game : matches[0]["games"]) {
    CHECK(split(game["decisive"]).size() >= 3);
    for (const std::string& point : split(game["decisive"])) {
      CHECK(game["moves"].get<std::string>().find(point) != std::string::npos);
    }
  }
  for (const json& game : matches[1]["games"]) CHECK(game["decisive"] == "");
}

TEST_CASE("a game tells who sat where, and how the first player fared") {
  Made made;
  made.add("connect4", 5);
  const json games = made.matches()[0]["games"];
  for (std::size_t i = 0; i < games.size(); ++i) {
    const PlayedGame& record = made.games[0][i];
    CHECK(games[i]["seats"] == (i % 2 == 0 ? "01" : "10"));
    CHECK(games[i]["how"] == (record.winner == "A"   ? "won"
                              : record.winner == "B" ? "lost"
                                                     : "drawn"));
  }
}

TEST_CASE("a report has the first games of each match only, if there are too many") {
  Made made;
  made.add("connect4", 10);
  made.add("teeko", 3);
  const Results results = made.results();
  const GameBoards all = game_boards(results, made.games);
  CHECK(all.shown == std::vector{20, 6});
  const GameBoards few = game_boards(results, made.games, 2000);
  CHECK(few.json.size() < all.json.size() / 2);
  CHECK(few.shown[0] >= 1);
  CHECK(few.shown[1] >= 1);
  CHECK(few.shown[0] - few.shown[1] <= 1);
  const json matches = json::parse(few.json)["matches"];
  for (const std::size_t m : {0, 1}) {
    CHECK(matches[m]["games"].size() == static_cast<std::size_t>(few.shown[m]));
    CHECK(matches[m]["games"][0]["number"] == 1);
  }
}

TEST_CASE("games that cannot be replayed are not shown, and no text ends the script") {
  Made made;
  made.add("connect4", 2);
  const Results results = made.results();
  made.games[0][1].moves = "d1 </script>";
  made.games[0][2].reason = "garbage: </script><script>alert(1)</script>";
  const GameBoards boards = game_boards(results, made.games);
  CHECK(boards.shown == std::vector{3});
  CHECK(boards.json.find('<') == std::string::npos);
  const json matches = json::parse(boards.json)["matches"];
  CHECK(matches[0]["games"][1]["reason"] == made.games[0][2].reason);

  Made none;
  none.add("connect4");
  for (PlayedGame& game : none.games[0]) game.moves = "z99";
  CHECK(game_boards(none.results(), none.games).shown == std::vector{0});
}

TEST_CASE("the script of the report is safe inside its element, and makes no markup of texts") {
  CHECK_FALSE(games_script().empty());
  for (const char* word : {"</", "innerHTML", "insertAdjacentHTML", "document.write"}) {
    CAPTURE(word);
    CHECK(games_script().find(word) == std::string_view::npos);
  }
}

TEST_CASE("games_place") {
  CHECK(games_place(0) == "#games-1");
  CHECK(games_place(2, "won") == "#games-3-won");
}

}  // namespace pitboss::clients
