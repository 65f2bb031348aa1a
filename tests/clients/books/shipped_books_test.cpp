#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <set>
#include <string>

#include "clients/books/drawn_openings.hpp"
#include "clients/experiments/openings.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/any_game.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::clients {

TEST_CASE(
    "book:NAME: each book that comes with Pitboss is one of its game, no two openings alike") {
  int books = 0;
  for (const auto& folder : std::filesystem::directory_iterator(data_folder() / "books")) {
    const auto start = games::make_game(folder.path().filename().string());
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      CAPTURE(file.path());
      const Openings openings = parse_openings("book:" + file.path().stem().string(), *start);
      CHECK(openings.kind == Openings::Kind::listed);
      std::set<std::string> images;
      for (const auto& line : *openings.lines) {
        const auto position = start->clone();
        for (const std::string& move : line) position->play(move);
        CHECK(images.insert(least_image(*position)).second);
      }
      CHECK(images.size() >= 50);
      ++books;
    }
  }
  CHECK(books >= 20);
}

TEST_CASE("book:NAME: another book, or another board, is refused") {
  const auto refusal = [](const char* text, const char* rules) -> std::string {
    try {
      static_cast<void>(parse_openings(text, *games::game_of(rules)));
    } catch (const UserError& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refusal("book:best", "othello") ==
        "there is no book \"best\" of othello; known: balanced, biased");
  CHECK(refusal("book:balanced", "othello size=6")
            .ends_with("balanced.txt is a book of othello size=8, not of othello size=6"));
}

}  // namespace pitboss::clients
