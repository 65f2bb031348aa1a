#include "games/hex.hpp"

#include <algorithm>

#include "games/hex_distance.hpp"
#include "games/logistic.hpp"
#include "games/move_of_points.hpp"
#include "games/random.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Hex> && HasMoveOf<Hex>);
static_assert(HasInformedMove<Hex, Random>);
static_assert(HasStaticValue<Hex> && HasFeatures<Hex> && HasFeatureValue<Hex>);

namespace {

constexpr std::array<Parameter, 2> hex_parameters{{
    {"size", "11", "3-19", "points along a side"},
    {SwapRule::parameter.name, "off", "off|on|pieces",
     "whether white's first move may be to take black's stone: where it lies (on), or moved across "
     "the long diagonal (pieces)"},
}};

/// The points of two neighbouring words of `board` that are next to `point`.
std::uint64_t low_neighbours(const HexPoint& point, const Bitboard<384>& board) {
  return point.low & board.word(point.word);
}
std::uint64_t high_neighbours(const HexPoint& point, const Bitboard<384>& board) {
  // The last word has no next one; `high` is 0 then.
  return point.high & board.word(std::min(point.word + 1, Bitboard<384>::words - 1));
}

}  // namespace

std::span<const Parameter> Hex::parameters() { return hex_parameters; }

Hex Hex::create(const Parameters& parameters) {
  const int size = parameters.number("size", smallest_hex_board, largest_hex_board);
  const int swap = parameters.choice(SwapRule::parameter.name, {"off", "on", "pieces"});
  return {hex_board(size), SwapRule(swap > 0), swap == 2};
}

void Hex::place(int p) {
  const int mover = index(to_move_);
  stones_[mover].add(p);
  ++count_;
  last_ = static_cast<std::uint16_t>(p);
  const HexPoint& point = board_->point[p];
  const std::uint64_t joined =
      low_neighbours(point, joined_[mover]) | high_neighbours(point, joined_[mover]);
  if (((point.first >> mover) & 1U) != 0 || joined != 0) join(p, mover);
}

/// Every stone is joined only once in a game: cheaper than a flood fill at every move.
void Hex::join(int p, int colour) {
  std::array<std::uint16_t, max_moves> todo;  // uninitialised on purpose: filled up to `n`
  int n = 0;
  const auto add = [&](int q) {
    joined_[colour].add(q);
    todo[n++] = static_cast<std::uint16_t>(q);
  };
  add(p);
  while (n > 0) {
    const HexPoint& point = board_->point[todo[--n]];
    if ((point.second >> colour) & 1U) won_ = true;
    const int base = 64 * point.word;
    const Board& stones = stones_[colour];
    const Board& joined = joined_[colour];
    const std::uint64_t low = low_neighbours(point, stones) & ~low_neighbours(point, joined);
    const std::uint64_t high = high_neighbours(point, stones) & ~high_neighbours(point, joined);
    for (std::uint64_t w = low; w != 0; w &= w - 1) add(base + std::countr_zero(w));
    for (std::uint64_t w = high; w != 0; w &= w - 1) add(base + 64 + std::countr_zero(w));
  }
}

unsigned Hex::bridge_completions() const {
  if (last_ == no_point) return 0;
  const HexRing& ring = board_->ring[last_];
  const Board& own = stones_[index(to_move_)];
  unsigned ends = ring.beyond[index(to_move_)];
  for (unsigned i = 0; i < 6; ++i) ends |= (own.has(ring.point[i]) ? 1U : 0U) << i;
  const unsigned twice = ends | ends << 6U;
  unsigned between = (twice >> 1U) & (twice >> 5U) & 0x3fU & ~ends;
  for (unsigned left = between; left != 0; left &= left - 1) {
    const int i = std::countr_zero(left);
    // The point itself, which stands for places beyond an edge, is not empty either.
    const int p = ring.point[static_cast<std::size_t>(i)];
    if (stones_[0].has(p) || stones_[1].has(p)) between ^= left & -left;
  }
  return between;
}

void Hex::take_stone() {
  last_ = no_point;
  SwapRule::swap(stones_);
  if (swap_mirrors_) {
    const BoardShape board = shape();
    const int point = stones_[1].first();
    stones_[1] = Board();
    stones_[1].add(board.point(point / board.stride, point % board.stride));
  }
  joined_ = {Board(), stones_[1] & board_->first[1]};
}

std::string Hex::text(Move move) const {
  if (move == SwapRule::move) return std::string(SwapRule::text);
  return board_->grid->text(static_cast<int>(code(move)));
}

std::optional<Move> Hex::move_of(std::string_view text) const {
  return move_of_points(text, shape());
}

Hex Hex::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  check_stones(setup.pieces, points());
  check_alternation(setup, swap_);
  Hex game(*board_, swap_, swap_mirrors_);
  game.stones_ = setup.pieces;
  game.to_move_ = setup.to_move;
  game.count_ = static_cast<std::uint16_t>(setup.pieces[0].count() + setup.pieces[1].count());
  for (int c = 0; c < 2; ++c) {
    game.joined_[c] = board_->grid->flood(board_->first[c], game.stones_[c]);
    if ((game.joined_[c] & board_->second[c]).none()) continue;
    if (c == index(setup.to_move)) throw BadGame("the side to move has already won");
    game.won_ = true;
  }
  return game;
}

double Hex::static_value() const {
  Features distances;
  features(distances);
  return static_value(distances);
}

double Hex::static_value(const Features& features) const {
  const double lead = features[1] - features[0] + (to_move_ == Colour::black ? 0.5 : -0.5);
  return logistic(lead);
}

void Hex::features(Features& values) const {
  const auto distances = hex_distances(*board_, stones_);
  for (int c = 0; c < 2; ++c) values[c] = static_cast<std::uint16_t>(distances[c]);
}

}  // namespace pitboss::games
