#include "clients/review/review_files.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>
#include <vector>

#include "clients/results/document/writers.hpp"
#include "games/rules_text.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::clients {

TEST_CASE("a page says what is not known of a game of three, where the search tells the mover's") {
  GameOnFile game{"run game 1", {games::game_of("rolit players=3"), {}}, {}, {}};
  const auto position = game.record.start->clone();
  std::map<GamePosition, Finding> findings;
  for (int ply = 0; ply <= 4; ++ply) {
    Finding found{.values = PositionValues(3),
                  .visits = 1,
                  .lines = {{1, 0.5, {position->legal_moves().back()}}}};
    found.values[static_cast<std::size_t>(games::index(position->to_move()))] = 0.5;
    findings.emplace(GamePosition{rules_text(*position), position->position()}, found);
    if (ply < 4) game.record.moves.push_back(position->play(position->legal_moves().front()));
  }
  const auto games = reviewed({game}, findings, {});
  REQUIRE(games.size() == 1);
  const std::string page = html_page(review_document(games, {}));
  const auto has = [&](const std::string& words) { return page.find(words) != std::string::npos; };
  CHECK(has("An unknown number of mistakes and an unknown number of turning points in 1 game."));
  CHECK(has("4 of 4 moves are not judged"));
  CHECK(has("It is unknown."));
  CHECK_FALSE(has("There are none."));
  CHECK(has(R"("how":"unknown","result":"unknown","reason":"not ended by the rules")"));
}

}  // namespace pitboss::clients
