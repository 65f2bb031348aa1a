#include "games/in_words.hpp"

#include <doctest/doctest.h>

#include "games/parameters.hpp"

using namespace pitboss::games;

TEST_CASE("every game has its rules in words, and a meaning for every letter of its board") {
  for (const auto name : game_names()) {
    CAPTURE(name);
    CHECK(rules_in_words(name).ends_with("."));
    const auto game = make_game(name);
    const std::string pieces = pieces_in_words(*game);
    for (const char letter : game->piece_letters()) {
      CAPTURE(letter);
      CHECK((", " + pieces).find(std::string(", ") + letter + " ") != std::string::npos);
    }
  }
  CHECK_THROWS_AS(static_cast<void>(rules_in_words("chess")), BadGame);
}

TEST_CASE("results in words") {
  struct Row {
    std::string_view game, parameters, position, words;
  };
  for (const Row& row :
       {Row{"othello", "size=4", "XXXX/XXXX/XXXX/XXOO w", "black wins by 12 discs"},
        Row{"othello", "size=4", "XXXX/XXXX/OOOO/OOOO w", "the game is a draw"},
        Row{"fanorona", "", "........./........./...X...../........./......... w",
            "black wins by 1 man"}}) {
    CAPTURE(row.words);
    const auto game = make_game(row.game, parse_parameters(row.parameters));
    game->set_position(row.position);
    CHECK(result_in_words(*game) == row.words);
    CHECK(game->board_text().ends_with("\ngame over: " + std::string(row.words)));
  }
  CHECK(pieces_in_words(*make_game("rolit", parse_parameters("players=3"))) ==
        "R red, Y yellow, G green, B blue");
  CHECK(make_game("amazons")->board_text().ends_with("\nX black, O white, * arrow\nblack to move"));
}
