#include "games/yavalath.hpp"

#include "games/logistic.hpp"
#include "games/move_of_points.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Yavalath> && HasMoveOf<Yavalath>);
static_assert(HasStaticValue<Yavalath> && HasFeatureValue<Yavalath>);

namespace {

constexpr std::array<Parameter, 1> yavalath_parameters{SwapRule::parameter};

/// Whether three are in line, which ends the game.
bool has_three(const hexagon::Board& stones) { return hexagon::line_ends(stones, 3).any(); }

/// The winning and losing points of the side with `own`.
struct Prospects {
  hexagon::Board win;   ///< a stone there makes four
  hexagon::Board lose;  ///< a stone there makes three and not four
};

Prospects prospects(const hexagon::Board& own, const hexagon::Board& empty) {
  Prospects points;
  for (const int step : hexagon::axes) {
    const hexagon::Board behind = own.shifted(step);
    const hexagon::Board ahead = own.shifted(-step);
    const hexagon::Board between = behind & ahead;
    // Three adjacent stones in line would have ended the game before.
    const hexagon::Board two_behind = (own & behind).shifted(step);
    const hexagon::Board two_ahead = (own & ahead).shifted(-step);
    points.win |= between & (two_behind | two_ahead);
    points.lose |= between | two_behind | two_ahead;
  }
  points.win &= empty;
  points.lose = minus(points.lose & empty, points.win);
  return points;
}

/// The windows (four points in line) without an enemy stone and with two of `own`.
int open_twos(const hexagon::Board& own, const hexagon::Board& empty) {
  int windows = 0;
  for (const int step : hexagon::axes) {
    const auto at = [&](const hexagon::Board& board, int i) { return board.shifted(-i * step); };
    const hexagon::Board free = own | empty;
    const hexagon::Board pair = free & at(free, 1);
    const hexagon::Board open = pair & at(pair, 2);
    const hexagon::Board odd = own ^ at(own, 1);
    const hexagon::Board both = own & at(own, 1);
    // The first two and the last two points hold one stone each, or two and none.
    const hexagon::Board none = minus(pair, odd | both);
    const hexagon::Board one_each = odd & at(odd, 2);
    const hexagon::Board two = (both & at(none, 2)) | (none & at(both, 2));
    windows += (open & (one_each | two)).count();
  }
  return windows;
}

/// The features of one side.
struct Figures {
  int wins;    ///< points where a stone makes four
  int losses;  ///< points where a stone makes three and not four
  int twos;    ///< open_twos
};

Figures figures(const Yavalath::Features& features, int colour) {
  const std::uint16_t* const of_side = features.data() + 3 * colour;
  return {of_side[0], of_side[1], of_side[2]};
}

}  // namespace

std::span<const Parameter> Yavalath::parameters() { return yavalath_parameters; }

Yavalath Yavalath::create(const Parameters& parameters) {
  return Yavalath(SwapRule::from(parameters));
}

std::string Yavalath::text(Move move) const {
  if (move == SwapRule::move) return std::string(SwapRule::text);
  return hexagon::text(static_cast<int>(code(move)));
}

std::optional<Move> Yavalath::move_of(std::string_view text) const {
  return move_of_points(text, shape());
}

Yavalath Yavalath::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  check_stones(setup.pieces, points());
  check_alternation(setup, swap_);
  if (has_three(setup.pieces[index(setup.to_move)])) {
    throw BadGame("the side to move has made its line already");
  }
  const Colour last = opponent(setup.to_move);
  const Board& made = setup.pieces[index(last)];
  if (has_three(made) && !has_last_stone(made, has_three)) {
    throw BadGame("no single stone can have made all these lines");
  }
  Yavalath game(swap_);
  game.stones_ = setup.pieces;
  game.count_ = static_cast<std::uint8_t>((setup.pieces[0] | setup.pieces[1]).count());
  game.to_move_ = last;  // while `judged` reads the mover of the last move
  const Lines lines{has_three(made), hexagon::line_ends(made, 4).any()};
  if (lines.three || game.count_ == hexagon::point_count) game.result_ = game.judged(lines);
  game.to_move_ = setup.to_move;
  return game;
}

void Yavalath::features(Features& values) const {
  for (int c = 0; c < 2; ++c) {
    const Prospects points = prospects(stones_[c], empty());
    values[3 * c] = static_cast<std::uint16_t>(points.win.count());
    values[3 * c + 1] = static_cast<std::uint16_t>(points.lose.count());
    values[3 * c + 2] = static_cast<std::uint16_t>(open_twos(stones_[c], empty()));
  }
}

double Yavalath::static_value() const {
  Features values;
  features(values);
  return static_value(values);
}

/// The immediate wins, losses and blocks decide most positions, the features the others.
double Yavalath::static_value(const Features& features) const {
  const Figures own = figures(features, index(to_move_));
  const Figures other = figures(features, 1 - index(to_move_));
  const auto can_block = [&] {  // at the only point where the other side makes four
    const Prospects mine = prospects(stones_[index(to_move_)], empty());
    const Prospects theirs = prospects(stones_[1 - index(to_move_)], empty());
    return minus(theirs.win, mine.lose).any();
  };
  const auto for_mover = [&] {
    if (own.wins > 0) return 1.0;
    if (other.wins > 1) return 0.0;
    if (other.wins == 1 ? !can_block() : own.losses == empty().count()) return 0.0;
    const int lead = 20 + 20 * (other.losses - own.losses) + 10 * (own.twos - other.twos);
    return logistic(lead / 100.0);
  };
  const double value = for_mover();
  return to_move_ == Colour::black ? value : 1 - value;
}

}  // namespace pitboss::games
