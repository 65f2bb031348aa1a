#include "clients/books/book.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

#include "clients/books/trial.hpp"
#include "clients/experiments/openings.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::clients {

namespace {

BookOpening opening_of(const std::string& moves, const PositionValues& values) {
  return {{games::split(moves), ""}, values};
}

std::string text_of(const std::vector<BookOpening>& book) {
  std::string text;
  for (const BookOpening& opening : book) text += opening.opening.moves.front() + " ";
  return text;
}

PlayedRound round_of(int match, const std::string& opening, const std::vector<int>& twelfths) {
  PlayedRound round;
  round.match = match;
  for (const int points : twelfths) {
    PlayedGame game;
    game.opening = opening;
    game.twelfths = points;
    game.winner = points == 12 ? "stronger" : points == 0 ? "weaker" : "draw";
    round.games.push_back(game);
  }
  return round;
}

}  // namespace

TEST_CASE("bias_of: the largest distance from a fair share") {
  CHECK(bias_of({0.5, 0.5}) == 0);
  CHECK(bias_of({0.75, 0.25}) == doctest::Approx(0.25));
  CHECK(bias_of({0.25, 0.25, 0.25, 0.25}) == 0);
  CHECK(bias_of({0.1, 0.25, 0.35, 0.3}) == doctest::Approx(0.15));
  // With four colours a search may tell that of the side to move alone.
  CHECK(bias_of({std::nullopt, 0.45, std::nullopt, std::nullopt}) == doctest::Approx(0.2));
  CHECK_THROWS_AS(static_cast<void>(bias_of({std::nullopt, std::nullopt})), std::invalid_argument);
}

TEST_CASE("openings_of_bias: the nearest first, those too far away never") {
  const std::vector<BookOpening> all{opening_of("a", {0.58, 0.42}),
                                     opening_of("b", {0.5, 0.5}),
                                     opening_of("c", {0.24, 0.76}),
                                     opening_of("d", {0.75, 0.25}),
                                     opening_of("e", {0.45, 0.55}),
                                     opening_of("f", {0.9, 0.1}),
                                     opening_of("g", {std::nullopt, std::nullopt})};
  CHECK(text_of(openings_of_bias(all, 0, 0.1, 10)) == "b e a ");
  CHECK(text_of(openings_of_bias(all, 0, 0.1, 2)) == "b e ");
  CHECK(text_of(openings_of_bias(all, 0, 0.07, 10)) == "b e ");
  CHECK(text_of(openings_of_bias(all, 0.25, 0.1, 10)) == "d c ");
  CHECK(openings_of_bias(all, 0.25, 0.1, 0).empty());
}

TEST_CASE("book_text is read as openings, of its own game and parameters alone") {
  const ScratchFolder folder;
  const auto start = games::game_of("hex size=7");
  std::vector<BookOpening> book{opening_of("a1 d4", {0.5, 0.5}), opening_of("b2", {0.46, 0.54})};
  book[1].trial = {.rounds = 2, .won = 1, .lost = 0, .games = 4, .drawn = 0};
  const std::string text = book_text(*start, {{"seed", "1"}}, book);
  CHECK(text == book_heading(*start) +
                    "# seed: 1\n"
                    "a1 d4 # value 0.500 0.500\n"
                    "b2 # value 0.460 0.540; rounds 2, won 1, lost 0; games 4, drawn 0\n");
  write_text(folder / "book.txt", text);
  const Openings read = read_openings(folder / "book.txt", *start);
  CHECK(read.text() == "list:a1 d4;b2");
  for (const char* other : {"hex size=9", "hex size=7 swap=on", "gomoku size=9"}) {
    CAPTURE(other);
    try {
      static_cast<void>(read_openings(folder / "book.txt", *games::game_of(other)));
      FAIL("a book of another game was read");
    } catch (const UserError& error) {
      CHECK(std::string(error.what()).find("is a book of hex size=7") != std::string::npos);
    }
  }
}

TEST_CASE("count_trials: rounds that the stronger player wins, loses and shares, by opening") {
  const Experiment experiment;
  LedgerContents contents{.played = {}, .incidents = {}, .results = Results(experiment)};
  contents.played = {round_of(0, "a b", {12, 12}), round_of(0, "a b", {12, 0}),
                     round_of(0, "c", {6, 0}), round_of(1, "c", {6, 12}),
                     round_of(2, "of random openings", {0, 0})};
  std::vector<NamedBook> books{
      {"balanced", {opening_of("a b", {0.5, 0.5}), opening_of("c", {0.5, 0.5})}},
      {"biased", {opening_of("c", {0.75, 0.25})}}};
  count_trials(books, contents);
  CHECK(books[0].openings[0].trial ==
        OpeningTrial{.rounds = 2, .won = 1, .lost = 0, .games = 4, .drawn = 0});
  CHECK(books[0].openings[1].trial ==
        OpeningTrial{.rounds = 1, .won = 0, .lost = 1, .games = 2, .drawn = 1});
  CHECK(books[1].openings[0].trial ==
        OpeningTrial{.rounds = 1, .won = 1, .lost = 0, .games = 2, .drawn = 1});
}

TEST_CASE("share_of_one_colour: rounds that openings, not players, decide") {
  const Experiment experiment;
  LedgerContents contents{.played = {}, .incidents = {}, .results = Results(experiment)};
  CHECK(share_of_one_colour(contents, 0) == 0);
  const auto add = [&](int match, const std::vector<std::string>& results) {
    PlayedRound round = round_of(match, "a", {});
    for (const std::string& result : results) {
      PlayedGame game;
      game.result = result;
      game.winner = result == "0" ? "draw" : "a";
      round.games.push_back(game);
    }
    contents.played.push_back(round);
  };
  add(0, {"B+1", "B+R"});
  add(0, {"W+7", "B+7"});
  add(0, {"0", "0"});
  add(0, {"W+1", "0"});
  add(1, {"W+1", "W+1"});
  CHECK(share_of_one_colour(contents, 0) == doctest::Approx(0.25));
  CHECK(share_of_one_colour(contents, 1) == 1);
}

TEST_CASE("games_needed: the inverse square of normalized Elo, with both errors") {
  // Where each round is shared but for some, twice the lead over the same scatter.
  const Scores random = pentanomial({100, 0, 800, 0, 200});
  const Scores book = pentanomial({200, 0, 200, 0, 600});
  const double ratio = *normalized_elo_estimate(random).elo / *normalized_elo_estimate(book).elo;
  const auto needed = games_needed(book, random);
  REQUIRE(needed);
  CHECK(needed->share == doctest::Approx(ratio * ratio));
  CHECK(needed->interval.low < needed->share);
  CHECK(needed->interval.high > needed->share);
  CHECK(games_needed(random, random)->share == doctest::Approx(1));
  // Ten times the rounds tell it more exactly.
  const auto more =
      games_needed(pentanomial({2000, 0, 2000, 0, 6000}), pentanomial({1000, 0, 8000, 0, 2000}));
  CHECK(more->share == doctest::Approx(needed->share));
  CHECK(more->interval.high - more->interval.low <
        0.5 * (needed->interval.high - needed->interval.low));
  // Players that are not told apart say nothing of a book.
  CHECK_FALSE(games_needed(book, pentanomial({100, 0, 800, 0, 100})));
  CHECK_FALSE(games_needed(pentanomial({1, 0, 1, 0, 2}), random));
  CHECK_FALSE(games_needed(book, random.reversed()));
}

}  // namespace pitboss::clients
