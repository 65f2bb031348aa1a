#include "games/othello.hpp"

#include <algorithm>
#include <cstdlib>

#include "games/grid.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Othello>);
static_assert(HasStaticValue<Othello> && HasFeatures<Othello> && HasQuality<Othello>);

namespace {

constexpr Parameter othello_size{"size", "8", "4|6|8", "points along a side"};

constexpr std::uint64_t left_column = 0x0101010101010101U;
constexpr std::uint64_t bottom_row = 0xffU;

/// The four centre points of a board of that size: lower left and upper right, then the others.
struct Centre {
  std::uint64_t rising;
  std::uint64_t falling;
};
constexpr Centre centre_of(int size) {
  const int corner = 9 * (size / 2 - 1);
  return {std::uint64_t{0x201} << corner, std::uint64_t{0x102} << corner};
}

constexpr std::uint64_t square(int size) {
  std::uint64_t points = 0;
  for (int y = 0; y < size; ++y) points |= (bottom_row >> (8 - size)) << 8 * y;
  return points;
}

struct Edges {
  std::uint64_t left, right, bottom, top;
};
constexpr Edges edges_of(std::uint64_t points, int size) {
  return {points & left_column, points & left_column << (size - 1), points & bottom_row,
          points & bottom_row << 8 * (size - 1)};
}

/// The discs of `set` that are joined to `border` by discs of `set` in direction -Offset. A line
/// that comes round the edge arrives on `border`, where it changes nothing.
template <int Offset, class Boards>
Boards joined_to(std::uint64_t border, Boards set) {
  using outflank::shifted;
  Boards joined = set & border;
  joined |= set & shifted<Offset>(joined);
  set &= shifted<Offset>(set);
  joined |= set & shifted<2 * Offset>(joined);
  set &= shifted<2 * Offset>(set);
  return joined | (set & shifted<4 * Offset>(joined));
}

/// The discs of both colours, side by side, that are safe along one pair of opposite directions: up
/// to one end there are only discs of one colour, or up to both ends there is no empty point.
template <int Offset>
WordPair safe_along(WordPair discs, std::uint64_t start, std::uint64_t end) {
  const std::uint64_t all = discs[0] | discs[1];
  const std::uint64_t full = joined_to<Offset>(start, all) & joined_to<-Offset>(end, all);
  return joined_to<Offset>(start, discs) | joined_to<-Offset>(end, discs) | (discs & full);
}

/// The approximation to the numbers of stable discs that the authors of Novelty in MCTS use: none
/// while all corners are empty, else the discs that are safe along all four lines.
std::array<int, 2> stable_discs(std::uint64_t black, std::uint64_t white, const Edges& e) {
  if (((black | white) & (e.left | e.right) & (e.bottom | e.top)) == 0) return {};
  const WordPair discs{black, white};
  const WordPair stable = safe_along<1>(discs, e.left, e.right) &
                          safe_along<8>(discs, e.bottom, e.top) &
                          safe_along<9>(discs, e.left | e.bottom, e.right | e.top) &
                          safe_along<7>(discs, e.right | e.bottom, e.left | e.top);
  return {std::popcount(std::uint64_t{stable[0]}), std::popcount(std::uint64_t{stable[1]})};
}

}  // namespace

Othello::Othello(int size)
    : own_(centre_of(size).rising),
      enemy_(centre_of(size).falling),
      points_(square(size)),
      size_(static_cast<std::uint8_t>(size)) {}

std::span<const Parameter> Othello::parameters() { return {&othello_size, 1}; }

Othello Othello::create(const Parameters& parameters) {
  return Othello(4 + 2 * parameters.choice("size", {"4", "6", "8"}));
}

int Othello::margin() const { return std::abs(std::popcount(own_) - std::popcount(enemy_)); }

std::string Othello::text(Move move) const {
  if (move == pass) return "pass";
  return point_text(static_cast<int>(code(move)) % 8, static_cast<int>(code(move)) / 8);
}

std::string Othello::extra() const { return passes_ == 0 ? "" : std::to_string(passes_); }

Othello Othello::with(const Setup<Board>& setup) const {
  check_stones(setup.pieces, points());
  Othello game(size_);
  const auto [rising, falling] = centre_of(size_);
  game.own_ = setup.pieces[index(setup.to_move)].word(0);
  game.enemy_ = setup.pieces[index(opponent(setup.to_move))].word(0);
  const std::uint64_t discs = game.own_ | game.enemy_;
  if (((rising | falling) & ~discs) != 0) throw BadGame("the four centre points are never empty");
  game.to_move_ = setup.to_move;
  if (setup.extra.empty()) return game;
  if (setup.extra != "1" && setup.extra != "2") {
    throw BadGame(
        "the third part of an othello position must be the number of passes, 1 or 2, not '" +
        setup.extra + "'");
  }
  game.passes_ = static_cast<std::uint8_t>(setup.extra[0] - '0');
  if (discs == points_) throw BadGame("there are no passes when the board is full");
  if (game.placements(game.enemy_, game.own_) != 0 ||
      (game.passes_ == 2 && game.placements(game.own_, game.enemy_) != 0)) {
    throw BadGame("a side that has passed must have no point for a disc");
  }
  return game;
}

void Othello::features(Features& values) const {
  const std::uint64_t black = pieces(0).word(0);
  const std::uint64_t white = pieces(1).word(0);
  const auto [black_stable, white_stable] = stable_discs(black, white, edges_of(points_, size_));
  values[0] = static_cast<std::uint16_t>(black_stable);
  values[1] = static_cast<std::uint16_t>(white_stable);
  // The length of a side's list of moves; a list with only the pass has length 1.
  const WordPair open = outflank::sources(WordPair{black, white}, WordPair{white, black}) &
                        (points_ & ~(black | white));
  values[2] = static_cast<std::uint16_t>(std::max(1, std::popcount(std::uint64_t{open[0]})));
  values[3] = static_cast<std::uint16_t>(std::max(1, std::popcount(std::uint64_t{open[1]})));
}

double Othello::static_value() const {
  Features n;
  features(n);
  return static_value(n);
}

double Othello::static_value(const Features& features) const {
  const int sum = 2 * (features[0] - features[1]) + (features[2] - features[3]);
  // The published bound for 64 points, 2 * 63 + 64 = 190, in terms of the number of points.
  const int points = size_ * size_;
  const double bound = 2 * (points - 1) + points;
  return (sum + bound) / (2 * bound);
}

}  // namespace pitboss::games
