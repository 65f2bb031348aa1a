#include "games/halves.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>

#include "games/all_games.hpp"
#include "games/perft.hpp"
#include "tests/games/battery.hpp"

namespace pitboss::games {
namespace {

template <class G>
G initial() {
  return battery::inside<G>(*make_game(G::name));
}

std::uint64_t perft(const auto& game, int depth) {
  PerftOf count(game, depth);
  while (!count.advance(1000)) {
  }
  return count.count();
}

/// Calls `visit` with every position of random games; every `step`th of the games' plies.
template <class G>
void for_random_positions(int games, int step, auto&& visit) {
  Random random(1);
  for (int i = 0; i < games; ++i) {
    G game = initial<G>();
    for (int ply = 0; !game.result().finished(); ++ply) {
      if (ply % step == 0) visit(game);
      game.play(random_move(game, random));
    }
  }
}

/// Calls `visit(first, between, second, after)` for all moves of a position by half moves.
template <class G>
void for_all_halves(const G& game, auto&& visit) {
  const Halved<G> position(game);
  MoveList<Halved<G>::max_moves> firsts;
  position.legal_moves(firsts);
  for (const Move first : firsts) {
    Halved<G> between = position;
    between.play(first);
    MoveList<Halved<G>::max_moves> seconds;
    between.legal_moves(seconds);
    for (const Move second : seconds) {
      Halved<G> after = between;
      after.play(second);
      visit(first, between, second, after);
    }
  }
}

template <class G>
void check_halves(const G& game) {
  MoveList<G::max_moves> moves;
  game.legal_moves(moves);
  std::set<std::uint32_t> whole;
  for (const Move move : moves) whole.insert(code(move));
  std::size_t count = 0;
  const Halved<G> position(game);
  bool all_right = true;
  for_all_halves(game, [&](Move first, const auto& between, Move second, const auto& after) {
    ++count;
    const Move move{code(first) + code(second)};
    G next = game;
    next.play(move);
    const auto parts = [](const auto& of, Move m, std::multiset<int> list = {}) {
      for (const auto part : of.policy_parts(m)) list.insert(part);
      return list;
    };
    all_right &= whole.contains(code(move)) && G::first_half(move) == first &&
                 game.text(move) == position.text(first) + between.text(second) &&
                 between.is_between() && !between.result().finished() &&
                 between.to_move() == game.to_move() && between.whole() == game &&
                 !after.is_between() && after == Halved<G>(next) && after.whole() == next &&
                 after.to_move() == next.to_move() && after.result() == next.result() &&
                 parts(game, move) == parts(between, second, parts(position, first)) &&
                 position.target(first) == game.target(move);
  });
  CHECK(all_right);
  CHECK(count == whole.size());  // and no text stands for two moves: battery_test.cpp
}

TEST_CASE("halves: together they are the whole moves, and lead to the same positions") {
  AllGames::for_each([]<class G>(std::type_identity<G>) {
    if constexpr (HasHalves<G>) {
      CAPTURE(G::name);
      for_random_positions<G>(2, 9, [](const G& game) { check_halves(game); });
    }
  });
}

TEST_CASE("halves: as many sequences of half moves as of moves") {
  AllGames::for_each([]<class G>(std::type_identity<G>) {
    if constexpr (HasHalves<G>) {
      CAPTURE(G::name);
      const G start = initial<G>();
      CHECK(perft(Halved<G>(start), 2) == perft(start, 1));
      for_random_positions<G>(2, 8, [](const G& game) {
        MoveList<G::max_moves> moves;
        game.legal_moves(moves);
        if (moves.size() > 300) return;
        CHECK(perft(Halved<G>(game), 4) == perft(game, 2));
      });
    }
  });
}

TEST_CASE("halves: random half moves make uniformly random moves") {
  constexpr int draws = 60000;
  Amazons game = initial<Amazons>();
  Random random(3);
  MoveList<Amazons::max_moves> moves;
  game.legal_moves(moves);
  while (moves.size() > 150) {
    game.play(random_move(game, random));
    moves = {};
    game.legal_moves(moves);
  }
  REQUIRE(moves.size() > 20);
  std::map<std::uint32_t, int> by_halves;
  std::map<std::uint32_t, int> completed;
  for (int i = 0; i < draws; ++i) {
    Halved<Amazons> position(game);
    const Move first = position.random_move(random);
    position.play(first);
    const Move second = position.random_move(random);
    ++by_halves[code(first) + code(second)];
    // The arrow of a playout that begins between the halves.
    const Amazons after = position.completed(random);
    CHECK(after.to_move() == opponent(game.to_move()));
    CHECK(after.pieces(2).count() == game.pieces(2).count() + 1);
  }
  const double expected = static_cast<double>(draws) / moves.size();
  for (const Move move : moves) {
    CAPTURE(game.text(move));
    CHECK(std::abs(by_halves[code(move)] - expected) < 6 * std::sqrt(expected));
  }
}

TEST_CASE("halves: between them the static value is that of an arrow that misses") {
  const Amazons game = initial<Amazons>();
  for_all_halves(game, [&](Move first, const auto& between, Move second, const auto& after) {
    static_cast<void>(second);
    CHECK(between.static_value() >= 0);
    CHECK(between.static_value() <= 1);
    CHECK(between.pieces(0).count() == 4);
    CHECK(between.pieces(2).count() == 0);
    CHECK(after.pieces(2).count() == 1);
    CHECK(between.pieces(0).has(between.target(second)) ==
          (between.target(second) == game.target(first)));
  });
}

}  // namespace
}  // namespace pitboss::games
