#include "tests/games/battery.hpp"
#include "games/all_games.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace pitboss::games {
namespace {

TEST_CASE("every game has the properties of a game") {
  AllGames::for_each([]<class G>(std::type_identity<G>) { battery::check_all<G>(G::name, 6); });
}

// Other sizes and rules than the default ones, the extreme ones among them.
TEST_CASE("every variant of a game has the properties of a game") {
  for (const std::string_view line : {"othello size=4",
                                      "othello size=6",
                                      "breakthrough size=5",
                                      "breakthrough size=6",
                                      "knightthrough size=5",
                                      "knightthrough size=7",
                                      "atarigo size=2",
                                      "atarigo size=3",
                                      "atarigo size=4",
                                      "atarigo size=11",
                                      "gomoku opening=free line=exactly-five",
                                      "gomoku size=5 opening=free",
                                      "gomoku size=7",
                                      "gomoku size=12",
                                      "gomoku size=19",
                                      "rolit players=3",
                                      "rolit players=4",
                                      "chinesecheckers board=full",
                                      "amazons size=8",
                                      "cannon rules=paper",
                                      "pentalath swap=on",
                                      "hex size=3",
                                      "hex size=3 swap=on",
                                      "hex size=4 swap=pieces",
                                      "hex size=8",
                                      "hex size=9",
                                      "hex size=14 swap=on",
                                      "hex size=19",
                                      "yavalath swap=on"}) {
    const auto name = split(line)[0];
    with_game(name, [&]<class G>(std::type_identity<G>) { battery::check_all<G>(line, 2); });
  }
}

// Every declared parameter takes its default, and none takes nonsense.
TEST_CASE("make_game()") {
  for (const auto name : game_names()) {
    CAPTURE(name);
    const auto game = make_game(name);
    CHECK(game->name() == name);
    CHECK(game->parameters().values().size() == game_parameters(name).size());
    for (const Parameter& parameter : game_parameters(name)) {
      CAPTURE(parameter.name);
      Parameters parameters;
      parameters.set(parameter.name, parameter.default_value);
      CHECK(make_game(name, parameters)->parameters() == game->parameters());
      for (const std::string_view bad :
           {"", "x", "-1", "0", "1000", "99999999999999999999", "8 "}) {
        parameters.set(parameter.name, bad);
        CHECK_THROWS_AS(static_cast<void>(make_game(name, parameters)), BadGame);
      }
    }
    Parameters unknown;
    unknown.set("colour", "pink");
    CHECK_THROWS_AS(static_cast<void>(make_game(name, unknown)), BadGame);
  }
  CHECK_THROWS_AS(static_cast<void>(make_game("chess")), BadGame);
}

/// The choices that a parameter declares; none if it declares a range of numbers.
std::vector<std::string> choices_of(const Parameter& parameter) {
  const std::vector<std::string> words = split(parameter.values, '|');
  return words.size() > 1 ? words : std::vector<std::string>();
}

/// Whether a game takes the value, if need be along with a choice of another parameter.
bool takes(std::string_view name, const Parameter& parameter, const std::string& value) {
  std::vector<Parameters> all(1);
  for (const Parameter& other : game_parameters(name)) {
    for (const std::string& word : choices_of(other)) all.emplace_back().set(other.name, word);
  }
  return std::ranges::any_of(all, [&](Parameters& parameters) {
    parameters.set(parameter.name, value);
    try {
      return make_game(name, parameters) != nullptr;
    } catch (const BadGame&) {
      return false;
    }
  });
}

TEST_CASE("every game takes the values that it declares, and none beyond them") {
  for (const auto name : game_names()) {
    for (const Parameter& parameter : game_parameters(name)) {
      CAPTURE(name);
      CAPTURE(parameter.name);
      const std::string values(parameter.values);
      const std::vector<std::string> choices = choices_of(parameter);
      for (const std::string& choice : choices) CHECK(takes(name, parameter, choice));
      CHECK_FALSE(takes(name, parameter, values));
      if (!choices.empty()) continue;
      int low = 0;
      int high = 0;
      REQUIRE(std::sscanf(values.c_str(), "%d-%d", &low, &high) == 2);
      CHECK(takes(name, parameter, std::to_string(low)));
      CHECK(takes(name, parameter, std::to_string(high)));
      CHECK_FALSE(takes(name, parameter, std::to_string(low - 1)));
      CHECK_FALSE(takes(name, parameter, std::to_string(high + 1)));
    }
  }
}

}  // namespace
}  // namespace pitboss::games
