#include "games/gomoku.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "games/logistic.hpp"
#include "games/move_of_points.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Gomoku> && HasMoveOf<Gomoku>);
static_assert(HasStaticValue<Gomoku> && HasFeatures<Gomoku>);

namespace {

constexpr int smallest = 5;
constexpr int largest = 19;
constexpr int smallest_restricted = 7;  // smaller boards leave too little round the 5x5

constexpr std::array<Parameter, 3> gomoku_parameters{{
    {"size", "9", "5-19", "points along a side"},
    {"opening", "gomoku3", "gomoku3|free",
     "gomoku3: black begins in the centre and then stays out of the central 5x5 once"},
    {"line", "five-or-more", "five-or-more|exactly-five", "which lines win"},
}};

/// The published bounds are M = 128 (6*9 + 6*9 + 2*74*6) = 127488 here and 30 (4*6 + 3*7 + 2*35*3)
/// for Connect Four (Novelty in MCTS). Both are w ((W-3) H + (H-3) W + 2 (W H - 7) (H-3)) for a
/// board of W x H points and the largest weight w; for W = H = n this is 2 w (n-3) (n^2 + n - 7).
/// The value is the logistic of 400 S / 2M for the window sum S.
double value_of(int sum, int n) {
  const double bound = 2.0 * 128 * (n - 3) * (n * n + n - 7);
  return logistic(400.0 * sum / (2 * bound));
}

constexpr int largest_tabled = 1024;  // larger window sums are rare

GomokuBoard build_gomoku_board(int size) {
  const Grid<384>& grid = rectangular_grid<384>(size, size);
  GomokuBoard board{&grid, {}, grid.points, five_windows(grid), {}};
  const int middle = size / 2;
  board.centre.add(middle * grid.stride + middle);
  for (int y = std::max(0, middle - 2); y <= std::min(size - 1, middle + 2); ++y) {
    for (int x = std::max(0, middle - 2); x <= std::min(size - 1, middle + 2); ++x) {
      board.outside.remove(y * grid.stride + x);
    }
  }
  for (int sum = -largest_tabled; sum <= largest_tabled; sum += 2) {
    board.values.push_back(value_of(sum, size));
  }
  return board;
}

const GomokuBoard& gomoku_board(int size) {
  static const auto boards = [] {
    std::array<GomokuBoard, largest + 1> all{};
    for (int n = smallest; n <= largest; ++n) all[n] = build_gomoku_board(n);
    return all;
  }();
  return boards[size];
}

}  // namespace

std::span<const Parameter> Gomoku::parameters() { return gomoku_parameters; }

Gomoku Gomoku::create(const Parameters& parameters) {
  const int size = parameters.number("size", smallest, largest);
  const bool restricted = parameters.choice("opening", {"gomoku3", "free"}) == 0;
  const bool exactly_five = parameters.choice("line", {"five-or-more", "exactly-five"}) == 1;
  if (restricted && size < smallest_restricted) {
    throw BadGame(
        "opening=gomoku3 needs a board of size 7 or more; set opening=free on a smaller one");
  }
  return {gomoku_board(size), restricted, exactly_five};
}

std::string Gomoku::text(Move move) const { return grid().text(static_cast<int>(code(move))); }

std::optional<Move> Gomoku::move_of(std::string_view text) const {
  return move_of_points(text, shape());
}

/// A stone of a winning line, or any of `stones` if there is none.
int Gomoku::stone_in_line(const Board& stones) const {
  int found = 0;
  bool decided = false;
  stones.for_each([&](int p) {
    if (decided) return;
    found = p;
    decided = has_line(p, stones);
  });
  return found;
}

Gomoku::Board Gomoku::decisive() const {
  const Board& stones = stones_[index(opponent(to_move_))];
  Board all;
  for (int i = 0; i < grid().direction_count; i += 2) {
    if (!wins(grid().line(last_, i, stones))) continue;
    all.add(last_);
    for (const auto& direction : {grid().directions[i], grid().directions[i + 1]}) {
      const int length = Grid<384>::run(last_, direction, stones);
      for (int k = 1; k <= length; ++k) all.add(last_ + k * direction.offset);
    }
  }
  return all;
}

Gomoku Gomoku::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  check_stones(setup.pieces, points());
  check_alternation(setup);
  Gomoku game(*board_, restricted_opening_, exactly_five_);
  game.stones_ = setup.pieces;
  game.to_move_ = setup.to_move;
  game.count_ = static_cast<std::uint16_t>(setup.pieces[0].count() + setup.pieces[1].count());
  const Board& own = setup.pieces[index(setup.to_move)];
  if (has_line(stone_in_line(own), own)) throw BadGame("the side to move has already won");
  const Board& other = setup.pieces[index(opponent(setup.to_move))];
  game.last_ = static_cast<std::uint16_t>(stone_in_line(other));
  return game;
}

double Gomoku::static_value() const {
  Features windows;
  features(windows);
  return static_value(windows);
}

double Gomoku::static_value(const Features& features) const {
  constexpr std::array weight{2, 8, 32, 128};
  int sum = 0;
  for (int i = 0; i < 4; ++i) sum += weight[i] * (features[i] - features[4 + i]);
  if (std::abs(sum) > largest_tabled) return value_of(sum, grid().width);
  return board_->values[(largest_tabled + sum) / 2];
}

void Gomoku::features(Features& values) const {
  const OpenWindows windows = open_windows<384>(board_->windows, stones_);
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 4; ++i) values[4 * c + i] = static_cast<std::uint16_t>(windows[c][i]);
  }
}

}  // namespace pitboss::games
