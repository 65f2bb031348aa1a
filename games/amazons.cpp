#include "games/amazons.hpp"

#include <algorithm>

#include "games/grid.hpp"
#include "games/halves.hpp"
#include "games/logistic.hpp"
#include "games/move_of_points.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Amazons>);
static_assert(HasStaticValue<Amazons> && HasQuality<Amazons> && HasMoveOf<Amazons>);
static_assert(HasHalves<Amazons> && Game<Halved<Amazons>> && HasPolicy<Halved<Amazons>>);

namespace {

constexpr Parameter amazons_size{"size", "10", "8|10", "points along a side"};

/// The most pairs of a destination and an arrow that a queen has: those of the best point of an
/// empty board, since pieces only take pairs away.
constexpr int most_pairs() {
  const QueenLines lines(queen_stride);
  int most = 0;
  for (int p = 0; p < queen_points; ++p) {
    const QueenReach reach = lines.reach(p);
    int pairs = 0;
    reach.for_each([&](auto target) {
      for (int axis = 0; axis < queen_axes; ++axis) {
        pairs += lines.arrows(reach, target, axis).length();
      }
    });
    most = std::max(most, pairs);
  }
  return most;
}
static_assert(Amazons::max_moves == Amazons::queens_each * most_pairs());

/// The most destinations that a queen has, likewise.
constexpr int most_destinations() {
  const QueenLines lines(queen_stride);
  int most = 0;
  for (int p = 0; p < queen_points; ++p) most = std::max(most, lines.reach(p).count());
  return most;
}
static_assert(Amazons::max_halves == Amazons::queens_each * most_destinations());

constexpr auto column_points = [](int x) {
  Bitboard<128> points;
  for (int y = 0; y < queen_stride; ++y) points.add(queen_stride * y + x);
  return points;
};

/// `from` and the points of `free` that a slide of at most nine steps of `Step` reaches from there.
/// The step doubles three times (Kogge and Stone's adder).
template <int Step>
Bitboard<128> slide(Bitboard<128> from, Bitboard<128> free) {
  // A slide over an edge re-enters on the first column or, in the other direction, on the last.
  if constexpr (Step == 1 || Step == 11 || Step == -9) free = minus(free, column_points(0));
  if constexpr (Step == -1 || Step == -11 || Step == 9) free = minus(free, column_points(9));
  const Bitboard<128> next = free;
  from |= free & from.shifted(Step);
  free &= free.shifted(Step);
  from |= free & from.shifted(2 * Step);
  free &= free.shifted(2 * Step);
  from |= free & from.shifted(4 * Step);
  from |= next & from.shifted(Step);
  return from | (next & from.shifted(Step));
}

/// The points of `free` that queens on `from` reach in one move.
Bitboard<128> slides(const Bitboard<128>& from, const Bitboard<128>& free) {
  return (slide<1>(from, free) | slide<-1>(from, free) | slide<10>(from, free) |
          slide<-10>(from, free) | slide<11>(from, free) | slide<-11>(from, free) |
          slide<9>(from, free) | slide<-9>(from, free)) &
         free;
}

constexpr int looked_ahead = 3;
constexpr double tie = 0.3;
constexpr double scale = 7;

}  // namespace

std::span<const Parameter> Amazons::parameters() { return {&amazons_size, 1}; }

Amazons Amazons::create(const Parameters& parameters) {
  const bool is_small = parameters.choice("size", {"8", "10"}) == 0;
  Amazons game(is_small ? 8 : 10);
  Board black;
  Board white;
  // Black's columns and rows; white's queens stand opposite, on the same columns.
  using Places = std::array<std::pair<int, int>, queens_each>;
  const Places places = is_small ? Places{{{0, 2}, {2, 0}, {5, 0}, {7, 2}}}
                                 : Places{{{0, 3}, {3, 0}, {6, 0}, {9, 3}}};
  for (const auto& [x, y] : places) {
    black.add(queen_stride * y + x);
    white.add(queen_stride * (game.size_ - 1 - y) + x);
  }
  game.put(0, black);
  game.put(1, white);
  return game;
}

void Amazons::put(int kind, const Board& pieces) {
  int n = 0;
  pieces.for_each([&](int p) {
    if (kind < 2) queens_[kind][n++] = static_cast<std::uint8_t>(p);
    lines_.turn(p);
  });
  empty_ = minus(empty_, pieces);
}

std::string Amazons::text(Move move) const { return first_text(move) + second_text(move); }

std::string Amazons::text_of(int point) {
  return point_text(point % queen_stride, point / queen_stride);
}

std::optional<Move> Amazons::move_of(std::string_view text) const {
  return move_of_points(text, shape(), 3, 7);
}

Amazons Amazons::with(const Setup<Board, 3>& setup) const {
  check_no_extra(setup, name);
  const auto& [black, white, arrows] = setup.pieces;
  check_stones(setup.pieces, points(), "piece");
  if (black.count() != queens_each || white.count() != queens_each) {
    throw BadGame("each side must have four queens");
  }
  if (arrows.count() % 2 != index(setup.to_move)) {
    throw BadGame("the number of arrows must be even when black is to move, odd when white is");
  }
  Amazons game(size_);
  for (int kind = 0; kind < 3; ++kind) game.put(kind, setup.pieces[kind]);
  game.to_move_ = setup.to_move;
  return game;
}

double Amazons::quality() const {
  int reached = 0;
  for (const std::uint8_t queen : queens_[index(opponent(to_move_))]) {
    reached += lines_.reach(queen).count();
  }
  return reached / 16.0;
}

/// Territory (Lieberum, "An evaluation function for the game of Amazons", 2005, t1): an empty point
/// belongs to the side whose queens reach it in fewer moves, up to three. A point that neither side
/// reaches by then, or both reach at once, belongs to nobody; points reached at once count a little
/// for the side to move.
double Amazons::static_value() const {
  std::array<Board, 2> reached{pieces(0), pieces(1)};
  Board open = empty_;  // not reached by either side yet
  double lead = 0;
  for (int moves = 0; moves < looked_ahead && open.any(); ++moves) {
    for (Board& side : reached) side = slides(side, empty_);
    const Board black = reached[0] & open;
    const Board white = reached[1] & open;
    lead += black.count() - white.count() +
            tie * (black & white).count() * (to_move_ == Colour::black ? 1 : -1);
    open = minus(open, black | white);
  }
  return logistic(lead / scale);
}

}  // namespace pitboss::games
