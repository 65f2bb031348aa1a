#include "games/cannon.hpp"

#include <algorithm>
#include <utility>

#include "games/cannon_moves.hpp"
#include "games/grid.hpp"
#include "games/logistic.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Cannon>);
static_assert(HasStaticValue<Cannon> && HasFeatureValue<Cannon> && HasQuality<Cannon>);
static_assert(HasFactPieces<Cannon>);
static_assert(HasRandomMove<Cannon, Random> && HasInformedMove<Cannon, Random>);

namespace {

using Board = Cannon::Board;
constexpr int side = Cannon::side;

constexpr Parameter rules_parameter{"rules", "official", "official|paper",
                                    "paper: towns in corners too, and never left to be taken"};

/// Columns b, d, f, h, k in rows 2 to 4; white's are turned by 180 degrees.
constexpr std::array<Board, 2> first_soldiers = [] {
  std::array<Board, 2> soldiers;
  for (int y = 1; y <= 3; ++y) {
    for (int x = 1; x < side; x += 2) {
      soldiers[0].add(side * y + x);
      soldiers[1].add(side * (side - 1 - y) + side - 1 - x);
    }
  }
  return soldiers;
}();

/// The next points in a direction, the nearest first. Off the board stands 127, which is never
/// occupied nor empty.
using Ray = std::array<std::uint8_t, 5>;

/// The points from which a town at a point can be threatened.
struct Approach {
  std::array<Ray, 8> rays;
  Board zone;                   ///< all points of the rays
  std::array<Board, 4> within;  ///< the points at most 1, 2, 3, 4 king's steps away
};

constexpr Ray ray_from(int x, int y, int dx, int dy) {
  Ray ray{};
  for (std::uint8_t& point : ray) {
    x += dx;
    y += dy;
    const bool on_board = 0 <= x && x < side && 0 <= y && y < side;
    point = static_cast<std::uint8_t>(on_board ? side * y + x : 127);
  }
  return ray;
}

constexpr Approach approach_to(int x, int y) {
  constexpr std::array<std::array<int, 2>, 8> directions{
      {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}};
  Approach approach{};
  for (std::size_t i = 0; i < directions.size(); ++i) {
    approach.rays[i] = ray_from(x, y, directions[i][0], directions[i][1]);
    for (const std::uint8_t point : approach.rays[i]) {
      if (point != 127) approach.zone.add(point);
    }
  }
  for (int q = 0; q < side * side; ++q) {
    const int dx = q % side - x;
    const int dy = q / side - y;
    for (int i = 0; i < 4; ++i) {
      if (std::max(dx * dx, dy * dy) <= (i + 1) * (i + 1)) approach.within[i].add(q);
    }
  }
  return approach;
}

constexpr auto approaches = [] {
  std::array<Approach, side * side> all{};
  for (int p = 0; p < side * side; ++p) all[p] = approach_to(p % side, p / side);
  return all;
}();

int from_of(Move move) { return static_cast<int>(code(move) & 127U); }
int to_of(Move move) { return static_cast<int>((code(move) >> 7) & 127U); }

/// The moves of a list in random order, one by one.
template <int Capacity>
class Shuffle {
 public:
  explicit Shuffle(const MoveList<Capacity>& moves) : left_(moves.size()) {
    std::ranges::copy(moves, moves_.begin());
  }
  [[nodiscard]] bool empty() const { return left_ == 0; }
  Move next(Random& random) {
    std::swap(moves_[random.below(left_)], moves_[left_ - 1]);
    return moves_[--left_];
  }

 private:
  std::array<Move, Capacity> moves_;
  int left_;
};

}  // namespace

std::span<const Parameter> Cannon::parameters() { return {&rules_parameter, 1}; }

Cannon Cannon::create(const Parameters& parameters) {
  Cannon game(parameters.choice("rules", {"official", "paper"}) == 1);
  game.soldiers_ = first_soldiers;
  return game;
}

/// The first or last row; only the authors' program includes its corners.
Board Cannon::town_points(int c) const {
  const int row = c == 0 ? 0 : side * (side - 1);
  Board points;
  for (int x = paper_ ? 0 : 1; x < (paper_ ? side : side - 1); ++x) points.add(row + x);
  return points;
}

void Cannon::legal_moves(MoveList<max_moves>& moves) const {
  if (result().finished()) return;
  CannonMoves(*this).for_each([&](Move move) {
    if (is_legal(move)) moves.add(move);
  });
}

Move Cannon::random_move(Random& random) const {
  CannonMoves moves(*this);
  for (;;) {
    const Move move = moves.draw(random);
    if (is_legal(move)) return move;
  }
}

bool Cannon::has_move() const {
  // Nearly always a soldier can step straight forward.
  const Board ahead = soldiers_[mover()].shifted(mover() == 0 ? side : -side);
  const Board steps = minus(ahead & all_points, occupied());
  const int back = mover() == 0 ? -side : side;
  if (!paper_ && steps.any()) return true;
  if (steps.any()) {
    const int to = steps.first();
    if (is_legal(Move{static_cast<std::uint32_t>((to + back) | to << 7)})) return true;
  }
  const CannonMoves moves(*this);
  bool found = false;
  moves.for_each([&](Move move) { found = found || is_legal(move); });
  return found;
}

/// A town stands on its own first row, so an enemy soldier beside the town can capture it.
bool Cannon::is_threatened(int c) const {
  if (town_[c] == no_town) return false;
  const Approach& approach = approaches[town_[c]];
  const Board enemy = soldiers_[1 - c] & approach.zone;
  if (enemy.none()) return false;
  const Board empty = minus(all_points, occupied());
  for (const Ray& ray : approach.rays) {
    if (enemy.has(ray[0])) return true;
    if (!enemy.has(ray[2]) || !enemy.has(ray[3])) continue;
    if (enemy.has(ray[1]) && empty.has(ray[0])) return true;  // a shot at the second point
    if (enemy.has(ray[4]) && empty.has(ray[1])) return true;  // a shot at the third
  }
  return false;
}

bool Cannon::threatens(Move move) const {
  const int enemy = 1 - mover();
  const Board& zone = approaches[town_[enemy]].zone;
  if (!zone.has(from_of(move)) && !zone.has(to_of(move))) return false;
  Cannon after = *this;
  after.play(move);
  return after.is_threatened(enemy);
}

Move Cannon::informed_move(Random& random) const {
  CannonMoves moves(*this);
  if (placing()) return moves.draw(random);
  MoveList<max_moves> wins;
  MoveList<max_moves> threats;
  MoveList<4 * max_moves> captures;
  const int enemy = 1 - mover();
  moves.for_each([&](Move move) {
    if (to_of(move) == town_[enemy]) {
      wins.add(move);
    } else if (soldiers_[enemy].has(to_of(move))) {
      for (int i = 0; i < (is_shot(move) ? 4 : 1); ++i) captures.add(move);
    } else if (threatens(move)) {
      threats.add(move);
    }
  });
  if (!wins.empty()) return wins[random.below(wins.size())];
  for (Shuffle draws(threats); !draws.empty();) {
    if (const Move move = draws.next(random); keeps_town(move)) return move;
  }
  for (Shuffle draws(captures); !draws.empty();) {
    if (const Move move = draws.next(random); keeps_town(move)) return move;
  }
  for (CannonMoves rest(moves); rest.count() > 0;) {
    if (const Move move = rest.draw(random); keeps_town(move)) return move;
  }
  return moves.draw(random);  // the town is lost anyway
}

std::string Cannon::text(Move move) const {
  const auto point = [](unsigned p) {
    return point_text(static_cast<int>(p) % side, static_cast<int>(p) / side);
  };
  const std::string from = point(code(move) & 127U);
  std::string to = point((code(move) >> 7) & 127U);
  if (from == to) return to;
  return from + (is_shot(move) ? "x" : "") + to;
}

void Cannon::check_pieces(const Setup<Board, 4>& setup) const {
  check_stones(setup.pieces, all_points, "piece");
  for (int c = 0; c < 2; ++c) {
    if (setup.pieces[c].count() > soldiers_each) throw BadGame("a side has at most 15 soldiers");
    const Board& town = setup.pieces[2 + c];
    if (town.count() > 1 || minus(town, town_points(c)).any()) {
      throw BadGame(paper_ ? "a side must have at most one town, black on row 1 and white on row 10"
                           : "a side must have at most one town, between the corners of row 1 "
                             "(black) or 10 (white)");
    }
  }
}

/// The number of plies played; before both towns are placed, the board determines it.
int Cannon::plies_played(const Setup<Board, 4>& setup) const {
  const bool black_town = setup.pieces[2].any();
  const bool white_town = setup.pieces[3].any();
  const bool at_first =
      setup.pieces[0] == first_soldiers[0] && setup.pieces[1] == first_soldiers[1];
  const bool white_moves = setup.to_move == Colour::white;
  if (at_first && !white_town && black_town == white_moves) {
    if (!setup.extra.empty())
      throw BadGame("a position must tell no number of plies before both towns are placed");
    return white_moves ? 1 : 0;
  }
  // The last move may have taken the town of the side to move, but not its own.
  if (white_moves ? !black_town : !white_town) {
    throw BadGame("the side that moved last has no town");
  }
  const int fewest = white_moves ? 3 : 2;
  const int plies = setup.extra.empty() ? fewest : plies_of(setup.extra);
  if (plies == 3 && at_first)
    throw BadGame(
        "the plies played cannot be 3 while all soldiers are where they begin: black has moved "
        "one");
  if (plies < fewest)
    throw BadGame(
        "the plies played must be at least 2 with black to move, 3 with white: each side has "
        "placed its town");
  check_turn(plies, setup.to_move);
  return plies;
}

Cannon Cannon::with(const Setup<Board, 4>& setup) const {
  check_pieces(setup);
  Cannon game(paper_);
  for (int c = 0; c < 2; ++c) {
    game.soldiers_[c] = setup.pieces[c];
    const Board& town = setup.pieces[2 + c];
    game.town_[c] = town.any() ? static_cast<std::uint8_t>(town.first()) : no_town;
  }
  game.plies_ = static_cast<std::uint16_t>(plies_played(setup));
  if (game.placing()) return game;
  const int last = 1 - game.mover();
  if (game.soldiers_[last].none()) throw BadGame("the side that moved last has no soldier");
  if (paper_ && (game.town_[1 - last] == no_town || game.is_threatened(last))) {
    throw BadGame(
        "with rules=paper both towns must be there, and the side that moved last must not leave "
        "its town to be taken");
  }
  return game;
}

double Cannon::quality() const {
  const int winner = 1 - mover();
  return (soldiers_[winner].count() - soldiers_[1 - winner].count()) / double{soldiers_each};
}

void Cannon::features(Features& values) const {
  for (int c = 0; c < 2; ++c) {
    const Board& soldiers = soldiers_[c];
    int nearness = 0;
    if (town_[1 - c] != no_town) {
      for (const Board& near : approaches[town_[1 - c]].within)
        nearness += (soldiers & near).count();
    }
    values[3 * c] = static_cast<std::uint16_t>(soldiers.count());
    values[3 * c + 1] = static_cast<std::uint16_t>(nearness);
    values[3 * c + 2] = is_threatened(1 - c) ? 1 : 0;
  }
}

double Cannon::static_value() const {
  Features values;
  features(values);
  return static_value(values);
}

/// The weights were fitted to the results of 6,000 games of the informed policy, begun with random
/// moves: 31,000 positions. A soldier counts 5 - d towards nearness at distance d < 5.
double Cannon::static_value(const Features& features) const {
  const auto [soldiers, nearness, threat, white_soldiers, white_nearness, white_threat] = features;
  const int sign = mover() == 0 ? 1 : -1;
  const double takes_next = features[3 * mover() + 2] * sign;
  const double lead = 0.36 * (soldiers - white_soldiers) + 0.39 * (nearness - white_nearness) +
                      2.3 * (threat - white_threat) + 5.5 * takes_next + 0.12 * sign;
  return logistic(lead);
}

}  // namespace pitboss::games
