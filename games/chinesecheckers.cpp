#include "games/chinesecheckers.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "games/random.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<ChineseCheckers>);
static_assert(HasStaticValue<ChineseCheckers> && HasFeatureValue<ChineseCheckers>);
static_assert(HasInformedMove<ChineseCheckers, Random> && HasQuality<ChineseCheckers>);

namespace {

constexpr Parameter board_parameter{"board", "small", "small|full",
                                    "small: 73 points, 6 men; full: 121 points, 10 men"};

/// Steps between two points of a hexagonal lattice that are (dx, dy) apart.
int steps_between(int dx, int dy) {
  return dx * dy >= 0 ? std::max(std::abs(dx), std::abs(dy)) : std::abs(dx - dy);
}

/// The distance in the authors' program, which stores the star's rows in a rectangle with every
/// second row shifted by half a point.
int program_distance(int p, int q, int stride) {
  const auto column = [&](int i) { return i % stride - (i / stride + 1) / 2; };
  return std::abs(column(p) - column(q)) + std::abs(p / stride - q / stride);
}

/// Fills the tables of a colour's goal.
void find_goal(ChineseCheckersBoard& board, std::size_t colour) {
  const Grid<320>& grid = *board.grid;
  // From the tip to the base, each row from the left.
  std::vector<int> order;
  board.home[1 - colour].for_each([&](int p) { order.push_back(p); });
  const auto row = [&](int p) { return p / grid.stride; };
  if (colour == 0) std::ranges::stable_sort(order, std::ranges::greater{}, row);
  std::ranges::copy(order, board.filling[colour].begin());
  const int tip = order.front();
  grid.points.for_each([&](int p) {
    const int steps = steps_between(p % grid.stride - tip % grid.stride, row(p) - row(tip));
    board.steps_to_go[colour][p] = static_cast<std::uint8_t>(steps);
  });
}

ChineseCheckersBoard build_star(int arm) {
  const Grid<320>& grid = star_grid<320>(arm);
  ChineseCheckersBoard board{};
  board.grid = &grid;
  board.men = arm * (arm + 1) / 2;
  const int top = grid.height - 1;
  grid.points.for_each([&](int p) {
    if (p / grid.stride < arm) board.home[0].add(p);
    if (p / grid.stride > top - arm) board.home[1].add(p);
  });
  board.reach = grid.stride + 1;
  for (int d = 0; d < 6; ++d) {
    board.beside |= std::uint64_t{1} << (board.reach + grid.directions[d].offset);
  }
  for (const std::size_t colour : {0, 1}) find_goal(board, colour);
  board.home[1].for_each([&](int p) { board.nearest += board.steps_to_go[0][p]; });
  return board;
}

const ChineseCheckersBoard& star_board(bool full) {
  static const ChineseCheckersBoard small = build_star(3);
  static const ChineseCheckersBoard large = build_star(4);
  return full ? large : small;
}

}  // namespace

std::span<const Parameter> ChineseCheckers::parameters() { return {&board_parameter, 1}; }

ChineseCheckers ChineseCheckers::create(const Parameters& parameters) {
  return ChineseCheckers(star_board(parameters.choice("board", {"small", "full"}) == 1));
}

ChineseCheckers::ChineseCheckers(const ChineseCheckersBoard& board)
    : board_(&board), men_(board.home) {
  count_steps_to_go();
}

void ChineseCheckers::count_steps_to_go() {
  for (std::size_t c = 0; c < 2; ++c) {
    int steps = -board_->nearest;
    men_[c].for_each([&](int p) { steps += board_->steps_to_go[c][p]; });
    to_go_[c] = static_cast<std::uint16_t>(steps);
  }
}

std::string ChineseCheckers::text(Move move) const {
  return board_->grid->text(from_of(move)) + board_->grid->text(to_of(move));
}

ChineseCheckers ChineseCheckers::with(const Setup<Board>& setup) const {
  check_stones(setup.pieces, points());
  for (const Board& men : setup.pieces) {
    if (men.count() != board_->men) {
      throw BadGame("each side must have " + std::to_string(board_->men) + " men");
    }
  }
  ChineseCheckers game(*board_);
  game.men_ = setup.pieces;
  const int plies = setup.extra.empty() ? index(setup.to_move) : plies_of(setup.extra);
  check_turn(plies, setup.to_move);
  game.plies_ = static_cast<std::uint16_t>(plies);
  game.to_move_ = setup.to_move;
  game.count_steps_to_go();
  game.judge();
  return game;
}

bool ChineseCheckers::can_move() const {
  const Board empty = empty_points();
  bool found = false;
  for (Board rest = men_[index(to_move_)]; rest.any() && !found;) {
    const int from = rest.first();
    rest.remove(from);
    const auto find = [&](int, int) { found = true; };
    const Board open = open_to(from, empty);
    for_each_step(from, open, find);
    if (!found) for_each_landing(from, open, any_hop, find);
  }
  return found;
}

void ChineseCheckers::judge() {
  const Colour mover = opponent(to_move_);
  const Board& own_goal = goal(mover);
  const Board& own = men_[index(mover)];
  const bool full = minus(own_goal, men_[0] | men_[1]).none();
  if ((full && (own_goal & own).any()) || !can_move()) {
    result_ = Result::win(mover);
  } else if (plies_ >= ply_limit) {
    result_ = Result::draw();
  }
}

int ChineseCheckers::first_open() const {
  const auto& order = board_->filling[index(to_move_)];
  for (int i = 0; i < board_->men; ++i) {
    if (!is_man(order[i])) return order[i];
  }
  return order[0];
}

int ChineseCheckers::closer_moves(int from, int target, const Board& empty,
                                  Choices& choices) const {
  const auto distance_of = [&](int p) { return program_distance(p, target, board_->grid->stride); };
  const auto comes_closer = [&](int p, int next) { return distance_of(next) <= distance_of(p); };
  const Board& own_goal = goal(to_move_);
  const bool is_outside = !own_goal.has(from);
  bool enters = false;
  int n = 0;
  const auto consider = [&](int to, int hops) {
    const bool entering = is_outside && own_goal.has(to);
    if (entering && !enters) {
      enters = true;
      n = 0;
    }
    if (entering == enters) {
      const int weight = entering ? std::max(hops, 1) : 1 + hops;
      choices[n++] = {move_of(from, to), weight};
    }
  };
  const Board open = open_to(from, empty);
  for_each_step(from, open, [&](int to, int hops) {
    if (comes_closer(from, to)) consider(to, hops);
  });
  for_each_landing(from, open, comes_closer, consider);
  return n;
}

double ChineseCheckers::quality() const {
  const Colour loser = result_.won_by(Colour::black) ? Colour::white : Colour::black;
  const int taken = (goal(loser) & (men_[0] | men_[1])).count();
  return (board_->men - taken) / static_cast<double>(board_->men);
}

}  // namespace pitboss::games
