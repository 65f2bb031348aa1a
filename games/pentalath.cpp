#include "games/pentalath.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "games/five_windows.hpp"
#include "games/logistic.hpp"
#include "games/move_of_points.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Pentalath> && HasMoveOf<Pentalath>);
static_assert(HasStaticValue<Pentalath> && HasFeatures<Pentalath> && HasFeatureValue<Pentalath>);
static_assert(HasQuality<Pentalath>);

namespace {

constexpr std::array<Parameter, 1> pentalath_parameters{SwapRule::parameter};

bool has_five(const hexagon::Board& stones) { return hexagon::line_ends(stones, 5).any(); }

/// The fewest plies that put the stones on the board and leave it to `to_move`; without captures,
/// exact. `swap` is one of white's plies.
int fewest_plies(const std::array<hexagon::Board, 2>& stones, Colour to_move) {
  const int plies = std::max({2 * stones[0].count() - 1, 2 * stones[1].count(), 0});
  return plies % 2 == index(to_move) ? plies : plies + 1;
}

/// Throws BadGame unless a game can have so many plies with these stones: missing stones must have
/// been captured.
void check_plies(int plies, const Setup<hexagon::Board>& setup, SwapRule swap) {
  check_turn(plies, setup.to_move);
  // Three stones can capture a stone in a corner.
  constexpr int least_to_capture = 3;
  const std::array placed{(plies + 1) / 2, plies / 2};
  for (int c = 0; c < 2; ++c) {
    const int missing = placed[c] - setup.pieces[c].count();
    const bool swapped = c == 0 && swap.is_on() && missing == 1;
    if (missing < 0 || (missing > 0 && !swapped && placed[1 - c] < least_to_capture)) {
      throw BadGame("the stones on the board cannot be those after " + std::to_string(plies) +
                    " plies");
    }
  }
}

/// Whether a row of `length` stones that begins at `first` can become five on the axis of `step`.
/// Only points that are not `open` end its room; own stones beyond the first gap are no room.
bool is_extensible(int first, int length, int step, const hexagon::Board& open,
                   const hexagon::Board& empty) {
  const auto is_open = [&](int p) { return p >= 0 && open.has(p); };
  int room = 0;
  for (int p = first + length * step; is_open(p); p += step) room += empty.has(p) ? 1 : 0;
  for (int p = first - step; is_open(p); p -= step) room += empty.has(p) ? 1 : 0;
  return length + room >= 5;
}

/// The points of `open` that lie in a line of five points of `open` on the axis of `Step`.
template <int Step>
hexagon::Board with_room(const hexagon::Board& open) {
  const hexagon::Board two = open & open.shifted(-Step);
  const hexagon::Board five = two & two.shifted(-2 * Step) & open.shifted(-4 * Step);
  const hexagon::Board spread = five | five.shifted(Step);
  return spread | spread.shifted(2 * Step) | five.shifted(4 * Step);
}

/// A board in one register: its words side by side.
[[gnu::always_inline]] inline WordPair pair_of(const hexagon::Board& board) {
  return WordPair{board.word(0), board.word(1)};
}
/// The board as seen `N` points later.
template <int N>
[[gnu::always_inline]] inline WordPair later(WordPair board) {
  return board >> N | WordPair{board[1], 0} << (64 - N);
}

/// Where windows of five without an enemy stone begin whose own stones form a single row, by its
/// length.
struct Openings {
  WordPair one{};
  WordPair two{};
  WordPair three{};
  WordPair four{};
  WordPair six{};  ///< where six points in line without an enemy stone begin
};
template <int Step>
[[gnu::always_inline]] inline void add_openings(Openings& openings, WordPair own, WordPair open) {
  const WordPair two_open = open & later<Step>(open);
  const WordPair four_open = two_open & later<2 * Step>(two_open);
  const WordPair all_open = four_open & later<4 * Step>(open);
  const WordPair a = own;
  const WordPair b = later<Step>(own);
  const WordPair c = later<2 * Step>(own);
  const WordPair d = later<3 * Step>(own);
  const WordPair e = later<4 * Step>(own);
  const WordPair ab = a | b;
  const WordPair de = d | e;
  openings.four |= all_open & b & c & d & (a ^ e);
  openings.three |= all_open & c & ((a & b & ~de) | (d & e & ~ab) | (b & d & ~(a | e)));
  openings.two |=
      all_open & ((~de & ((a & b & ~c) | (b & c & ~a))) | (~ab & ((d & e & ~c) | (c & d & ~e))));
  openings.one |= all_open & ((~de & ~c & (a ^ b)) | (~ab & ~c & (d ^ e)) | (c & ~(ab | de)));
  openings.six |= all_open & later<Step>(all_open);
}

/// Whether a row of `N` on the axis of `Step` can become five, wherever its room is.
template <int N, int Step>
bool any_extensible(const hexagon::Board& own, const hexagon::Board& open,
                    const hexagon::Board& empty) {
  hexagon::Board rows = minus(own, own.shifted(Step));
  for (int n = 1; n < N; ++n) rows &= own.shifted(-n * Step);
  rows = minus(rows, own.shifted(-N * Step));
  if (rows.none()) return false;
  for (rows &= with_room<Step>(open); rows.any(); rows.remove(rows.first())) {
    if (is_extensible(rows.first(), N, Step, open, empty)) return true;
  }
  return false;
}
template <int N>
bool any_extensible(const hexagon::Board& own, const hexagon::Board& open,
                    const hexagon::Board& empty) {
  return any_extensible<N, hexagon::axes[0]>(own, open, empty) ||
         any_extensible<N, hexagon::axes[1]>(own, open, empty) ||
         any_extensible<N, hexagon::axes[2]>(own, open, empty);
}

/// The longest row of `own` that can become five; 0 if none can. `own` must not have five.
int longest_extensible(const hexagon::Board& own, const hexagon::Board& enemy) {
  const hexagon::Board open = minus(hexagon::points, enemy);
  // First tests all windows at once, without branches, since the ends of playouts cannot be
  // predicted. This finds every row of four with room, and every row in a line of exactly five
  // points.
  Openings openings;
  const WordPair own_pair = pair_of(own);
  const WordPair open_pair = pair_of(open);
  add_openings<hexagon::axes[0]>(openings, own_pair, open_pair);
  add_openings<hexagon::axes[1]>(openings, own_pair, open_pair);
  add_openings<hexagon::axes[2]>(openings, own_pair, open_pair);
  const auto any = [](WordPair board) { return (board[0] | board[1]) != 0; };
  const int longest = std::max({4 * any(openings.four), 3 * any(openings.three),
                                2 * any(openings.two), 1 * any(openings.one)});
  if (longest >= 3 || !any(openings.six)) return longest;
  const hexagon::Board empty = minus(open, own);
  if (any_extensible<3>(own, open, empty)) return 3;
  if (longest < 2 && any_extensible<2>(own, open, empty)) return 2;
  if (longest < 1 && any_extensible<1>(own, open, empty)) return 1;
  return longest;
}

/// The sum over groups with one, two, three liberties: stones times the group's weight.
int danger(const hexagon::Board& stones, const hexagon::Board& empty,
           const std::array<int, 3>& by_liberties) {
  int sum = 0;
  for (hexagon::Board rest = stones; rest.any();) {
    const hexagon::Board group = hexagon::flood(hexagon::Board::point(rest.first()), rest);
    const int liberties = (hexagon::neighbours(group) & empty).count();
    if (liberties <= 3) sum += by_liberties[liberties - 1] * group.count();
    rest = minus(rest, group);
  }
  return sum;
}

}  // namespace

std::span<const Parameter> Pentalath::parameters() { return pentalath_parameters; }

Pentalath Pentalath::create(const Parameters& parameters) {
  return Pentalath(SwapRule::from(parameters));
}

std::string Pentalath::text(Move move) const {
  if (move == SwapRule::move) return std::string(SwapRule::text);
  return hexagon::text(static_cast<int>(code(move)));
}

std::optional<Move> Pentalath::move_of(std::string_view text) const {
  return move_of_points(text, shape());
}

std::string Pentalath::extra() const {
  return plies_ == fewest_plies(stones_, to_move_) ? "" : std::to_string(plies_);
}

Pentalath Pentalath::with(const Setup<Board>& setup) const {
  check_stones(setup.pieces, points());
  const int fewest = fewest_plies(setup.pieces, setup.to_move);
  Pentalath game(swap_);
  game.stones_ = setup.pieces;
  game.to_move_ = setup.to_move;
  const int plies = setup.extra.empty() ? fewest : plies_of(setup.extra);
  check_plies(plies, setup, swap_);
  game.plies_ = static_cast<std::uint16_t>(plies);
  for (const Board& stones : setup.pieces) {
    if (breathing(hexagon::Geometry(), stones, game.empty()) != stones) {
      throw BadGame("a group without an empty neighbour would have been captured");
    }
  }
  if (has_five(game.own())) throw BadGame("the side to move has already won");
  if (has_five(game.enemy())) {
    if (!has_last_stone(game.enemy(), has_five)) {
      throw BadGame("no single stone can have made all these lines");
    }
    game.result_ = Result::win(opponent(setup.to_move));
  } else {
    game.result_ = game.result_of_draws();
  }
  return game;
}

double Pentalath::quality() const {
  constexpr std::array<double, 5> of_longest{5 / 5.0, 4 / 5.0, 3 / 5.0, 2 / 5.0, 1 / 5.0};
  return of_longest[longest_extensible(own(), enemy())];
}

void Pentalath::features(Features& values) const {
  static const auto all = five_windows(hexagonal_grid<128>(hexagon::side));
  const OpenWindows windows = open_windows<128>(all, stones_);
  for (int c = 0; c < 2; ++c) {
    for (int i = 0; i < 4; ++i) values[4 * c + i] = static_cast<std::uint16_t>(windows[c][i]);
  }
}

double Pentalath::static_value() const {
  Features windows;
  features(windows);
  return static_value(windows);
}

/// Weights in hundredths of a logit, fitted to the results of games between searches with random
/// playouts and searches with static values. The side to move completes a four of its own, and can
/// stop only one of the other side's. Groups with few liberties are as good as captured, above all
/// those of the side that is not to move.
double Pentalath::static_value(const Features& features) const {
  const auto mover = std::span(features).subspan(index(to_move_) == 0 ? 0 : 4, 4);
  const auto other = std::span(features).subspan(index(to_move_) == 0 ? 4 : 0, 4);
  int sum = 54 + 4 * (mover[0] - other[0]) + 16 * (mover[1] - other[1]);
  sum += 71 * mover[2] - 39 * other[2];
  if (mover[3] > 0) sum += 540;
  if (other[3] > 0) sum -= other[3] > 1 ? 430 : 150;
  sum += 25 * (own().count() - enemy().count());
  sum -= danger(own(), empty(), {78, 30, 13}) - danger(enemy(), empty(), {98, 26, 13});
  const double value = logistic(sum / 100.0);
  return to_move_ == Colour::black ? value : 1 - value;
}

}  // namespace pitboss::games
