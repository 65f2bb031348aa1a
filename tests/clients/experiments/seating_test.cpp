#include "clients/experiments/seating.hpp"

#include <doctest/doctest.h>

#include <set>

namespace pitboss::clients {

using games::Colour;

TEST_CASE("Seating::of_game swaps the colours in a game for two") {
  using enum Colour;
  for (const int game : {0, 2, 98}) {
    CHECK(Seating::of_game(2, game).player_of(black) == 0);
    CHECK(Seating::of_game(2, game).player_of(white) == 1);
    CHECK(Seating::of_game(2, game + 1).player_of(black) == 1);
    CHECK(Seating::of_game(2, game + 1).player_of(white) == 0);
  }
}

TEST_CASE("Seating::of_game goes through all seatings, and both players hold each seat as often") {
  for (const int colours : {2, 3, 4}) {
    CAPTURE(colours);
    const int round = round_size(colours);
    CHECK(round == (colours == 2 ? 2 : colours == 3 ? 6 : 14));
    for (const int first_game : {0, round, 7 * round}) {
      std::set<ColourSet> seatings;
      Shares seconds{};  // how often the second player holds each seat
      for (int game = first_game; game < first_game + round; ++game) {
        const Seating seating = Seating::of_game(colours, game);
        CHECK(seating.seats_of(0) != 0);
        CHECK(seating.seats_of(1) != 0);
        CHECK((seating.seats_of(0) ^ seating.seats_of(1)) == (1U << colours) - 1);
        CHECK(seating.seats_of(1) == static_cast<ColourSet>(round - (game - first_game)));
        seatings.insert(seating.seats_of(1));
        for (int c = 0; c < colours; ++c) seconds[c] += seating.player_of(static_cast<Colour>(c));
      }
      CHECK(seatings.size() == static_cast<std::size_t>(round));
      for (int c = 0; c < colours; ++c) CHECK(seconds[c] == round / 2);
    }
  }
}

TEST_CASE("Seating: what the seats earn") {
  // The second player holds yellow and blue.
  constexpr Seating seating(4, 0b1010);
  CHECK(seating.first_seat_of(0) == Colour::red);
  CHECK(seating.first_seat_of(1) == Colour::yellow);
  CHECK(seating.points_of(0, shared_among(0b0100)) == 12);
  CHECK(seating.points_of(1, shared_among(0b0100)) == 0);
  CHECK(seating.points_of(0, shared_among(0b0101)) == 12);
  CHECK(seating.points_of(0, shared_among(0b0011)) == 6);
  CHECK(seating.points_of(0, shared_among(0b0111)) == 8);
  CHECK(seating.points_of(1, shared_among(0b0111)) == 4);
  CHECK(seating.points_of(0, shared_among(0b1111)) == 6);
}

TEST_CASE("shared_by_players halves the point, however many seats a player has") {
  for (const int colours : {2, 3, 4}) {
    for (int game = 0; game < round_size(colours); ++game) {
      const Seating seating = Seating::of_game(colours, game);
      const Shares shares = shared_by_players(seating);
      CHECK(seating.points_of(0, shares) == 6);
      CHECK(seating.points_of(1, shares) == 6);
    }
  }
  CHECK(shared_by_players({4, 0b1000}) == Shares{2, 2, 2, 6});
}

TEST_CASE("Sides") {
  const Sides sides{{"A", "B"}, "RYGB"};
  CHECK(sides.all() == 0b1111);
  CHECK(sides.letters_of(0b1101) == "RGB");
  CHECK(sides.letters_of(0).empty());
}

}  // namespace pitboss::clients
