#include "games/symmetry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "games/policy.hpp"
#include "games/unboxed.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

/// Every game, with parameters on which its symmetries could depend, and how many it has.
struct Row {
  std::string_view game;
  std::size_t symmetries;
};
const std::vector<Row> rows{{"connect4", 2},
                            {"othello", 4},
                            {"othello size=6", 4},
                            {"breakthrough", 2},
                            {"breakthrough size=5", 2},
                            {"knightthrough", 2},
                            {"knightthrough size=6", 2},
                            {"atarigo", 8},
                            {"atarigo size=4", 8},
                            {"gomoku", 8},
                            {"gomoku size=7 line=exactly-five", 8},
                            {"gomoku size=8", 2},
                            {"gomoku size=6 opening=free", 8},
                            {"amazons", 2},
                            {"amazons size=8", 2},
                            {"cannon", 1},
                            {"cannon rules=paper", 1},
                            {"chinesecheckers", 2},
                            {"chinesecheckers board=full", 2},
                            {"pentalath", 12},
                            {"pentalath swap=on", 12},
                            {"fanorona", 1},
                            {"hex", 2},
                            {"hex size=4 swap=on", 2},
                            {"teeko", 8},
                            {"yavalath", 12},
                            {"yavalath swap=on", 12},
                            {"rolit", 1},
                            {"rolit players=3", 1},
                            {"rolit players=4", 1}};

template <class G>
typename G::Board image(const G& game, const typename G::Board& points, const Symmetry& symmetry) {
  typename G::Board images;
  points.for_each([&](int p) { images.add(symmetry.point(game.shape(), p)); });
  return images;
}

/// All that a position shows, as seen in a symmetry: pieces, marks, whose turn it is, the result.
using Sight = std::vector<std::uint64_t>;
template <class G>
Sight sight_of(const G& game, const Symmetry& symmetry) {
  Sight sight;
  const auto see = [&](const typename G::Board& board) {
    const auto seen = image(game, board, symmetry);
    for (int i = 0; i < G::Board::words; ++i) sight.push_back(seen.word(i));
  };
  for (int kind = 0; kind < kinds_of<G>; ++kind) see(game.pieces(kind));
  if constexpr (HasMarks<G>) {
    for (int kind = 0; kind < G::mark_kinds; ++kind) see(game.marks(kind));
  }
  sight.push_back(static_cast<std::uint64_t>(game.to_move()));
  for (int c = 0; c < G::players; ++c) {
    sight.push_back(static_cast<std::uint64_t>(12 * game.result().share(static_cast<Colour>(c))));
  }
  sight.push_back(static_cast<std::uint64_t>(game.result().finished() ? game.margin() : 0));
  return sight;
}

template <class G>
std::vector<Move> moves_of(const G& game) {
  MoveList<G::max_moves> moves;
  game.legal_moves(moves);
  return {moves.begin(), moves.end()};
}

/// The legal moves by their parts' images, sorted.
template <class G>
std::vector<std::pair<std::vector<int>, Move>> moves_by_image(const G& game,
                                                              const Symmetry& symmetry) {
  std::vector<std::pair<std::vector<int>, Move>> moves;
  for (const Move move : moves_of(game)) {
    std::vector<int> parts;
    for (const int entry : game.policy_parts(move)) {
      parts.push_back(policy_image(game, entry, symmetry));
    }
    std::ranges::sort(parts);
    moves.emplace_back(std::move(parts), move);
  }
  std::ranges::sort(moves);
  return moves;
}

/// Plays random games and the images of their moves side by side.
template <class G>
void check_image_games(const G& initial, const Symmetry& symmetry, int games) {
  Random random(1);
  for (int i = 0; i < games; ++i) {
    G game = initial;
    G other = initial;
    for (;;) {
      REQUIRE(sight_of(game, symmetry) == sight_of(other, identity));
      const auto moves = moves_by_image(game, symmetry);
      const auto images = moves_by_image(other, identity);
      REQUIRE(std::ranges::equal(
          moves, images, {}, [](const auto& m) { return m.first; },
          [](const auto& m) { return m.first; }));
      if (moves.empty()) break;
      const auto n = static_cast<std::size_t>(random.below(static_cast<int>(moves.size())));
      game.play(moves[n].second);
      other.play(images[n].second);
    }
  }
}

TEST_CASE("symmetries: the images of a game's moves make the image of the game") {
  for (const auto& [line, count] : rows) {
    CAPTURE(line);
    unboxed(*game_of(line), [&](const auto& game) {
      for (const Symmetry& symmetry : symmetries_of(game)) check_image_games(game, symmetry, 3);
    });
  }
}

constexpr Symmetry product(const Symmetry& a, const Symmetry& b) {
  return {a.xx * b.xx + a.xy * b.yx, a.xx * b.xy + a.xy * b.yy, a.yx * b.xx + a.yy * b.yx,
          a.yx * b.xy + a.yy * b.yy};
}

TEST_CASE("symmetries: a group, the identity first") {
  std::set<std::string_view> seen;
  for (const auto& [line, count] : rows) {
    CAPTURE(line);
    unboxed(*game_of(line), [&](const auto& game) {
      seen.insert(game.name);
      const auto symmetries = symmetries_of(game);
      CHECK(symmetries.size() == count);
      CHECK(symmetries[0] == identity);
      for (const Symmetry& a : symmetries) {
        CHECK(std::ranges::count(symmetries, a) == 1);
        for (const Symmetry& b : symmetries) {
          CHECK(std::ranges::count(symmetries, product(a, b)) == 1);
        }
      }
    });
  }
  CHECK(seen.size() == game_names().size());
}

/// The steps to a point's neighbours.
std::set<std::pair<int, int>> steps_of(Lattice lattice) {
  std::set<std::pair<int, int>> steps{{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  if (lattice == Lattice::hexagonal) steps.insert({{1, 1}, {-1, -1}});
  if (lattice == Lattice::hexagonal_falling) steps.insert({{1, -1}, {-1, 1}});
  return steps;
}

/// All maps that leave the middle of a board where it is, and neighbours neighbours.
std::vector<Symmetry> lattice_maps(Lattice lattice) {
  std::vector<Symmetry> maps;
  for (int n = 0; n < 81; ++n) {
    const Symmetry map{n % 3 - 1, n / 3 % 3 - 1, n / 9 % 3 - 1, n / 27 - 1};
    std::set<std::pair<int, int>> images;
    for (const auto& [x, y] : steps_of(lattice)) {
      images.emplace(map.xx * x + map.xy * y, map.yx * x + map.yy * y);
    }
    if (images == steps_of(lattice)) maps.push_back(map);
  }
  return maps;
}

/// Whether the board's points go to its points.
template <class G>
bool maps_board(const G& game, const Symmetry& map) {
  std::set<int> images;
  game.points().for_each([&](int p) { images.insert(map.point(game.shape(), p)); });
  return std::ranges::all_of(
             images, [&](int p) { return 0 <= p && p < G::Board::bits && game.points().has(p); }) &&
         std::ssize(images) == game.points().count();
}

/// The positions one ply later, by how they look, sorted.
template <class G>
std::vector<std::pair<Sight, Move>> next_sights(const G& game, const Symmetry& symmetry) {
  std::vector<std::pair<Sight, Move>> sights;
  for (const Move move : moves_of(game)) {
    G next = game;
    next.play(move);
    sights.emplace_back(sight_of(next, symmetry), move);
  }
  std::ranges::sort(sights);
  return sights;
}

/// Whether random games show that a map is no symmetry. Knows nothing of policies: the image of a
/// move is one that leads to the image of its position.
template <class G>
bool is_refuted(const G& initial, const Symmetry& map, int games) {
  Random random(1);
  for (int i = 0; i < games; ++i) {
    G game = initial;
    G other = initial;
    if (sight_of(game, map) != sight_of(other, identity)) return true;
    while (!game.result().finished()) {
      const auto sights = next_sights(game, map);
      const auto images = next_sights(other, identity);
      if (!std::ranges::equal(
              sights, images, {}, [](const auto& s) { return s.first; },
              [](const auto& s) { return s.first; })) {
        return true;
      }
      const auto n = static_cast<std::size_t>(random.below(static_cast<int>(sights.size())));
      game.play(sights[n].second);
      other.play(images[n].second);
    }
  }
  return false;
}

TEST_CASE("symmetries: a map of the board that a game does not list is none") {
  for (const auto& [line, count] : rows) {
    CAPTURE(line);
    unboxed(*game_of(line), [&](const auto& game) {
      const auto symmetries = symmetries_of(game);
      for (const Symmetry& map : lattice_maps(game.shape().lattice)) {
        const bool listed = std::ranges::find(symmetries, map) != symmetries.end();
        if (!maps_board(game, map)) {
          CHECK_FALSE(listed);
          continue;
        }
        CAPTURE(map.xx);
        CAPTURE(map.xy);
        CAPTURE(map.yx);
        CAPTURE(map.yy);
        // A listed one shows that the test does not refute all.
        CHECK(is_refuted(game, map, listed ? 1 : 10) == !listed);
      }
    });
  }
}

}  // namespace
}  // namespace pitboss::games
