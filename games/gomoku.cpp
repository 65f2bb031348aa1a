#include "games/gomoku.hpp"

#include <algorithm>
#include <cmath>

#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Gomoku>);
static_assert(HasStaticValue<Gomoku> && HasFeatures<Gomoku>);

namespace {

constexpr int smallest = 5;
constexpr int largest = 19;
constexpr int smallest_restricted = 7;  // below, too little is left outside the central 5x5

constexpr std::array<Parameter, 3> declared{{
    {"size", "9", "5-19", "points along a side"},
    {"opening", "gomoku3", "gomoku3|free",
     "gomoku3: black begins in the centre and then stays out of the central 5x5 once"},
    {"line", "five-or-more", "five-or-more|exactly-five", "which lines win"},
}};

GomokuBoard build_board(int size) {
  const Grid<384>& grid = rectangular_grid<384>(size, size);
  GomokuBoard board{&grid, {}, grid.points, {}};
  const int middle = size / 2;
  board.centre.add(middle * grid.stride + middle);
  for (int y = std::max(0, middle - 2); y <= std::min(size - 1, middle + 2); ++y) {
    for (int x = std::max(0, middle - 2); x <= std::min(size - 1, middle + 2); ++x) {
      board.outside.remove(y * grid.stride + x);
    }
  }
  for (int axis = 0; axis < 4; ++axis) {
    // Four steps back from every point: what is left has four points before it.
    Bitboard<384>& starts = board.windows[axis] = grid.points;
    for (int i = 0; i < 4; ++i) starts = Grid<384>::step(starts, grid.directions[2 * axis + 1]);
  }
  return board;
}

const GomokuBoard& board_of(int size) {
  static const auto boards = [] {
    std::array<GomokuBoard, largest + 1> all{};
    for (int n = smallest; n <= largest; ++n) all[n] = build_board(n);
    return all;
  }();
  return boards[size];
}

/// By colour: how many windows hold 1, 2, 3, 4 stones of that colour and none of the other.
using OpenWindows = std::array<std::array<int, 4>, 2>;

/// The number of stones in each window of one axis, as binary digits: digit i of the window that
/// begins at p is bit p of `digit[i]`.
template <class Board>
struct WindowCounts {
  std::array<Board, 3> digit;

  WindowCounts(const Board& a, int offset) {
    const Board b = a.shifted(-offset);
    const Board c = b.shifted(-offset);
    const Board d = c.shifted(-offset);
    const Board e = d.shifted(-offset);
    const Board abc = a ^ b ^ c;
    const Board carry = (a & b) | (c & (a ^ b));
    const Board carry2 = (abc & d) | (e & (abc ^ d));
    digit = {abc ^ d ^ e, carry ^ carry2, carry & carry2};
  }
  [[nodiscard]] Board any() const { return digit[0] | digit[1] | digit[2]; }
};

/// On as few 64-bit words as the board fills.
template <int Words>
OpenWindows open_windows(const GomokuBoard& board, const std::array<Bitboard<384>, 2>& stones) {
  using Board = Bitboard<64 * Words>;
  OpenWindows windows{};
  const Board black = stones[0].template resized<Board::bits>();
  const Board white = stones[1].template resized<Board::bits>();
  for (int axis = 0; axis < 4; ++axis) {
    const int offset = board.grid->directions[2 * axis].offset;
    const Board starts = board.windows[axis].template resized<Board::bits>();
    const std::array<WindowCounts<Board>, 2> counts{{{black, offset}, {white, offset}}};
    for (int c = 0; c < 2; ++c) {
      const auto& [ones, twos, fours] = counts[c].digit;
      const Board open = minus(starts, counts[1 - c].any());
      windows[c][0] += (open & minus(ones, twos | fours)).count();
      windows[c][1] += (open & minus(twos, ones)).count();
      windows[c][2] += (open & ones & twos).count();
      windows[c][3] += (open & minus(fours, ones)).count();
    }
  }
  return windows;
}

OpenWindows open_windows(const GomokuBoard& board, const std::array<Bitboard<384>, 2>& stones) {
  const int points = board.grid->width * board.grid->height;
  if (points <= 128) return open_windows<2>(board, stones);
  if (points <= 256) return open_windows<4>(board, stones);
  return open_windows<6>(board, stones);
}

}  // namespace

std::span<const Parameter> Gomoku::parameters() { return declared; }

Gomoku Gomoku::create(const Parameters& parameters) {
  const int size = parameters.number("size", smallest, largest);
  const bool restricted = parameters.choice("opening", {"gomoku3", "free"}) == 0;
  const bool exactly_five = parameters.choice("line", {"five-or-more", "exactly-five"}) == 1;
  if (restricted && size < smallest_restricted) {
    throw BadGame("opening=gomoku3 needs a board of size 7 or more; smaller ones opening=free");
  }
  return {board_of(size), restricted, exactly_five};
}

std::string Gomoku::text(Move move) const {
  const int p = static_cast<int>(code(move));
  return point_text(p % grid().stride, p / grid().stride);
}

bool Gomoku::has_line(const Board& stones) const {
  bool found = false;
  stones.for_each([&](int p) { found = found || has_line(p, stones); });
  return found;
}

Gomoku Gomoku::with(const Setup<Board>& setup) const {
  if (!setup.extra.empty()) throw BadGame("a gomoku position has no third part");
  check_stones(setup, points());
  check_alternation(setup);
  const Colour last = opponent(setup.to_move);
  Gomoku game(*board_, restricted_opening_, exactly_five_);
  game.stones_ = setup.pieces;
  game.to_move_ = setup.to_move;
  game.count_ = static_cast<std::uint16_t>(setup.pieces[0].count() + setup.pieces[1].count());
  if (has_line(setup.pieces[index(setup.to_move)])) {
    throw BadGame("the side to move has already won");
  }
  if (has_line(setup.pieces[index(last)])) {
    game.result_ = Result::win(last);
  } else if (game.count_ == points().count()) {
    game.result_ = Result::draw();
  }
  return game;
}

double Gomoku::static_value() const {
  constexpr std::array weight{2, 8, 32, 128};
  const auto [black, white] = open_windows(*board_, stones_);
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += weight[i] * (black[i] - white[i]);
  // The published bounds are 128 (6*9 + 6*9 + 2*74*6) = 127488 here and 30 (4*6 + 3*7 + 2*35*3) for
  // Connect Four (Novelty in MCTS). Both are w ((W-3) H + (H-3) W + 2 (W H - 7) (H-3)) for a board
  // of W x H points and the largest weight w; for W = H = n this is 2 w (n-3) (n^2 + n - 7).
  const int n = grid().width;
  const double bound = 2.0 * weight.back() * (n - 3) * (n * n + n - 7);
  return 1.0 / (1.0 + std::exp(-400.0 * sum / (2 * bound)));
}

void Gomoku::features(std::array<std::uint16_t, feature_count>& values) const {
  const OpenWindows windows = open_windows(*board_, stones_);
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 4; ++i) values[4 * c + i] = static_cast<std::uint16_t>(windows[c][i]);
  }
}

}  // namespace pitboss::games
