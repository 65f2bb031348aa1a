#include "engine/exact/hex_solution.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "engine/exact/exact_solver.hpp"
#include "engine/exact/hex_connections.hpp"
#include "engine/exact/hex_fill.hpp"
#include "engine/exact/hex_lattice.hpp"
#include "games/random.hpp"
#include "tests/engine/exact/plain_hex.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::engine {
namespace {

using tests::PlainHex;

constexpr std::size_t table_bytes = 64U << 20U;

Patience endless() { return Patience(Patience::TimePoint::max()); }

/// The openings by rows from the lowest: W if the first move there wins, else L.
std::string openings(int size) {
  const auto start = games::game_of("hex size=" + std::to_string(size));
  const auto solver = make_exact_solver(*start, table_bytes);
  auto patience = endless();
  REQUIRE(solver->run(patience));
  std::string rows(static_cast<std::size_t>(size * size), '?');
  for (const ExactMove& move : solver->moves()) {
    rows.at(static_cast<std::size_t>(code(move.code))) = *move.score > 0 ? 'W' : 'L';
  }
  return rows;
}

std::string plain_openings(int size) {
  PlainHex plain(size);
  std::string rows;
  for (int p = 0; p < size * size; ++p) rows += plain.wins(1U << p, 0, 1) ? 'L' : 'W';
  return rows;
}

TEST_CASE("hex solver: every opening on 3x3 and 4x4 as if all lines were tried") {
  CHECK(openings(3) == plain_openings(3));
  CHECK(openings(4) == plain_openings(4));
}

/// On 6x6 and 7x7 those of Benzene's regression tests (dfpn-solve-6x6, dfpn-solve-7x7).
TEST_CASE("hex solver: the openings that win on 5x5 and 6x6") {
  CHECK(openings(5) ==
        "LLLLW"
        "LWWWW"
        "LWWWL"
        "WWWWL"
        "WLLLL");
  CHECK(openings(6) ==
        "LLLLLW"
        "LWWWWW"
        "WWWWWW"
        "WWWWWW"
        "WWWWWL"
        "WLLLLL");
}

// exact_tests -ns -tc='*on 7x7*' takes up to a minute or two an opening.
TEST_CASE("hex solver: the openings that win on 7x7" * doctest::skip()) {
  CHECK(openings(7) ==
        "LLLLLLW"
        "LLWLWWW"
        "LWWWWWL"
        "WWWWWWW"
        "LWWWWWL"
        "WWWLWLL"
        "WLLLLLL");
}

/// A position on a board of at most 5x5 with so many random stones and nobody's edges joined.
HexStones<64> random_stones(const HexLattice<64>& lattice, int count, games::Random& random) {
  for (;;) {
    HexStones<64> stones;
    for (int i = 0; i < count; ++i) {
      const auto empty = lattice.empty(stones);
      stones[static_cast<std::size_t>(i % 2)].add(empty.nth(random.below(empty.count())));
    }
    if (!lattice.is_joined(stones, 0) && !lattice.is_joined(stones, 1)) return stones;
  }
}

std::uint32_t word(const games::Bitboard<64>& board) {
  return static_cast<std::uint32_t>(board.word(0));
}

bool wins(PlainHex& plain, const HexStones<64>& stones, int mover) {
  return plain.wins(word(stones[0]), word(stones[1]), mover);
}

TEST_CASE("hex fill-in: who wins stays the same, whoever is to move") {
  const HexLattice<64> lattice(4);
  HexFill<64> fill(lattice);
  PlainHex plain(4);
  games::Random random(1);
  int added = 0;
  for (int i = 0; i < 600; ++i) {
    const auto stones = random_stones(lattice, 4 + i % 8, random);
    auto filled = stones;
    fill.fill(filled);
    added += lattice.empty(stones).count() - lattice.empty(filled).count();
    for (const int mover : {0, 1}) {
      // The plain solver takes no position that the side to move has won.
      const bool is_won = plain.joins(word(filled[static_cast<std::size_t>(mover)]), mover) ||
                          wins(plain, filled, mover);
      CHECK(is_won == wins(plain, stones, mover));
    }
  }
  CHECK(added > 1000);
}

/// Whether `colour` wins if its enemy has all points outside of `carrier`.
bool holds(PlainHex& plain, const HexLattice<64>& lattice, const HexStones<64>& stones, int colour,
           const games::Bitboard<64>& carrier, bool moves_first) {
  auto against = stones;
  against[static_cast<std::size_t>(1 - colour)] |= minus(lattice.empty(stones), carrier);
  return wins(plain, against, moves_first ? colour : 1 - colour) == moves_first;
}

TEST_CASE("hex connections: they hold within their carriers") {
  const HexLattice<64> lattice(4);
  HexConnections<64> connections(lattice, 40000);
  PlainHex plain(4);
  games::Random random(2);
  int found = 0;
  int won = 0;
  int semis = 0;
  for (int i = 0; i < 400; ++i) {
    const auto stones = random_stones(lattice, 3 + i % 7, random);
    const int colour = i % 2;
    connections.search(stones, colour, false);
    won += wins(plain, stones, 1 - colour) ? 0 : 1;
    if (const auto* const connection = connections.connection()) {
      CHECK(holds(plain, lattice, stones, colour, connection->carrier, false));
      ++found;
    }
    for (const auto* semi = connections.semi(); semi; semi = connections.after(*semi)) {
      CHECK(holds(plain, lattice, stones, colour, semi->carrier, true));
      CHECK(semi->carrier.has(semi->move));
      auto after = stones;
      after[static_cast<std::size_t>(colour)].add(semi->move);
      if (lattice.is_joined(after, colour)) continue;
      auto carrier = semi->carrier;
      carrier.remove(semi->move);
      CHECK(holds(plain, lattice, after, colour, carrier, false));
      ++semis;
    }
  }
  CHECK(semis > 200);
  // Of what is there to be found.
  CHECK(found > 0.7 * won);
  CHECK(found <= won);
}

TEST_CASE("hex solver: positions of 5x5 as if all lines were tried") {
  games::Random random(3);
  const HexLattice<64> lattice(5);
  int wins_of_mover = 0;
  for (int i = 0; i < 200; ++i) {
    PlainHex plain(5);
    const auto stones = random_stones(lattice, 12 + i % 5, random);
    const int mover = i % 5 % 2;
    std::string rows;
    for (int y = 4; y >= 0; --y) {
      for (int x = 0; x < 5; ++x) {
        rows += stones[0].has(5 * y + x) ? 'X' : stones[1].has(5 * y + x) ? 'O' : '.';
      }
      rows += y > 0 ? "/" : mover == 0 ? " b" : " w";
    }
    const auto position = games::game_at("hex size=5", rows);
    const auto solver = make_exact_solver(*position, 1U << 20U);
    auto patience = endless();
    const auto best = solver->best(patience);
    REQUIRE(best);
    CAPTURE(rows);
    CHECK((*best->score > 0) == wins(plain, stones, mover));
    wins_of_mover += *best->score > 0 ? 1 : 0;
    if (*best->score < 0) continue;
    auto after = stones;
    after[static_cast<std::size_t>(mover)].add(static_cast<int>(code(best->code)));
    CHECK_FALSE(wins(plain, after, 1 - mover));
  }
  CHECK(wins_of_mover > 50);
  CHECK(wins_of_mover < 190);
}

TEST_CASE("hex solver: boards of any size, once there is something to be seen") {
  for (const int size : {10, 11, 12, 19}) {
    CAPTURE(size);
    const auto position = games::game_of("hex size=" + std::to_string(size));
    // Black's chain needs one of two points of the highest row.
    for (int y = 1; y < size; ++y) {
      position->play("d" + std::to_string(y));
      position->play("k" + std::to_string(y));
    }
    const auto solver = make_exact_solver(*position, table_bytes);
    auto patience = endless();
    const auto best = solver->best(patience);
    REQUIRE(best);
    CHECK(best->score == 1);
    CHECK((best->move == "c" + std::to_string(size) || best->move == "d" + std::to_string(size)));
    CHECK(patience.positions() < positions_a_bite);
  }
}

TEST_CASE("hex solver: in bites of patience it comes to the same") {
  const auto start = games::game_of("hex size=5");
  const auto whole = make_exact_solver(*start, table_bytes);
  auto patience = endless();
  REQUIRE(whole->run(patience));
  const auto bitten = make_exact_solver(*start, table_bytes);
  int bites = 0;
  for (bool is_over = false; !is_over; ++bites) {
    Patience bite(Patience::TimePoint::max(), {}, positions_a_bite);
    is_over = bitten->run(bite);
    // It ends between two positions.
    CHECK(bite.positions() < 2 * positions_a_bite);
  }
  CHECK(bites > 3);
  for (std::size_t i = 0; i < whole->moves().size(); ++i) {
    CHECK(whole->moves()[i].score == bitten->moves()[i].score);
  }
}

TEST_CASE("hex solver: the swap rule") {
  const auto score = [](const std::string& line, std::string_view moves) {
    const auto position = games::game_of(line);
    games::play_all(*position, moves);
    const auto solver = make_exact_solver(*position, table_bytes);
    auto patience = endless();
    return solver->best(patience);
  };
  // Whatever black opens with, white takes it if it wins, where the position is the same for white.
  CHECK(score("hex size=4 swap=pieces", "")->score == -1);
  CHECK(score("hex size=4 swap=pieces", "b3")->move == "swap");
  CHECK(score("hex size=4 swap=pieces", "b3")->score == 1);
  const auto declined = score("hex size=4 swap=pieces", "a1");
  CHECK(declined->score == 1);
  CHECK(declined->move != "swap");
}

}  // namespace
}  // namespace pitboss::engine
