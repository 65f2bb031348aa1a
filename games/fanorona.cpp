#include "games/fanorona.hpp"

#include <algorithm>

#include "games/logistic.hpp"
#include "games/notation.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Fanorona> && HasMarks<Fanorona>);
static_assert(HasStaticValue<Fanorona> && HasFeatureValue<Fanorona> && HasQuality<Fanorona>);

namespace {

constexpr int width = 9;
constexpr int height = 5;
constexpr int men_at_start = 22;

}  // namespace

Fanorona Fanorona::create(const Parameters& /*parameters*/) {
  Fanorona game(alquerque_grid<64>(width, height));
  const int middle = width * height / 2;
  for (int p = 0; p < middle; ++p) game.men_[0].add(p);
  // The middle row alternates in each of its halves: black b d g j, white a c f h.
  for (const int x : {0, 2}) {
    const int p = 2 * width + x;
    game.men_[0].remove(p);
  }
  for (const int x : {6, 8}) game.men_[0].add(2 * width + x);
  game.men_[1] = minus(game.empty_points(), Board::point(middle));
  return game;
}

int Fanorona::margin() const {
  if (result_.shared()) return 0;
  return std::max(1, men_[index(result_.winner())].count());
}

std::string Fanorona::text(Move move) const {
  if (move == pass) return "pass";
  constexpr std::array<std::string_view, 3> suffix{"", "a", "w"};
  return grid_->text(from_of(move)) + grid_->text(to_of(move)) + std::string(suffix[kind_of(move)]);
}

std::vector<std::string> Fanorona::steps(Move move) const {
  if (move == pass) return {"pass"};
  const int from = from_of(move);
  const int to = to_of(move);
  std::vector<std::string> points{grid_->text(from), grid_->text(to)};
  const auto& ahead = grid_->directions[direction_of(move)];
  const auto& back = grid_->directions[direction_of(move) ^ 1U];
  const Board& enemy = men_[index(opponent(to_move_))];
  if (Grid<64>::leads_to(to, ahead, enemy) && Grid<64>::leads_to(from, back, enemy)) {
    points.push_back(
        grid_->text(kind_of(move) == approach ? to + ahead.offset : from + back.offset));
  }
  return points;
}

void Fanorona::play(Move move) {
  ++plies_;
  if (move == pass) {
    end_turn();
    return judge();
  }
  const int from = from_of(move);
  const int to = to_of(move);
  Board& own = men_[index(to_move_)];
  own.remove(from);
  own.add(to);
  if (kind_of(move) == quiet) {
    end_turn();
    return judge();
  }
  if (kind_of(move) == approach) {
    capture(to, grid_->directions[direction_of(move)]);
  } else {
    capture(from, grid_->directions[direction_of(move) ^ 1U]);
  }
  visited_.add(from);
  man_ = static_cast<std::uint8_t>(to);
  if (captures_of(movers(), open_points()).total == 0) end_turn();
  judge();
}

void Fanorona::capture(int from, const Grid<64>::Direction& direction) {
  Board& enemy = men_[index(opponent(to_move_))];
  for (int p = from; Grid<64>::leads_to(p, direction, enemy);) {
    p += direction.offset;
    enemy.remove(p);
  }
}

void Fanorona::end_turn() {
  visited_ = {};
  man_ = 0;
  to_move_ = opponent(to_move_);
}

void Fanorona::judge() {
  // A side in a chain can always end it.
  const bool can_move =
      in_chain() || (grid_->neighbours(empty_points()) & men_[index(to_move_)]).any();
  if (!can_move) {
    result_ = Result::win(opponent(to_move_));
  } else if (plies_ >= ply_limit) {
    result_ = Result::draw();
  }
}

std::string Fanorona::extra() const {
  std::string text = plies_text(plies_);
  if (in_chain()) {
    text += ":" + grid_->text(man_);
    visited_.for_each([&](int p) { text += "," + grid_->text(p); });
  }
  return text;
}

Fanorona Fanorona::with(const Setup<Board>& setup) const {
  check_stones(setup.pieces, points());
  for (const Board& men : setup.pieces) {
    if (men.count() > men_at_start) throw BadGame("a side has at most 22 men");
  }
  if (setup.pieces[index(opponent(setup.to_move))].none()) {
    throw BadGame("the side that moved last must have a man");
  }
  Fanorona game(*grid_);
  game.men_ = setup.pieces;
  game.to_move_ = setup.to_move;
  const auto colon = setup.extra.find(':');
  game.plies_ = static_cast<std::uint16_t>(plies_of(setup.extra.substr(0, colon)));
  if (colon != std::string::npos) game.read_chain(std::string_view(setup.extra).substr(colon + 1));
  game.judge();
  return game;
}

/// Reads "e3,d2,d3": the man of a chain, then the points where it has been.
void Fanorona::read_chain(std::string_view text) {
  Board been;
  int man = -1;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const auto place = place_of(rest.substr(0, comma));
    if (!place || place->x >= width || place->y >= height) {
      throw BadGame(
          "a chain must be written as the point of its man and those that it has left: e3,d2");
    }
    const int p = shape().point(place->x, place->y);
    if (man < 0) {
      man = p;
    } else if (been.has(p)) {
      throw BadGame("a chain must not have a point twice");
    } else {
      been.add(p);
    }
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  if (!men_[index(to_move_)].has(man))
    throw BadGame("a chain's man must be one of the side to move");
  if (been.none() || minus(been, empty_points()).any() ||
      (grid_->neighbours(Board::point(man)) & been).none()) {
    throw BadGame(
        "the points that a chain's man has left must be empty, and one of them must be beside it");
  }
  if (plies_ < been.count())
    throw BadGame(
        "the plies played must be at least as many as the points that a chain's man has left");
  visited_ = been;
  man_ = static_cast<std::uint8_t>(man);
  if (captures_of(movers(), open_points()).total == 0) {
    throw BadGame("a chain's man must be able to capture once more");
  }
}

double Fanorona::quality() const {
  const int winner = index(result_.winner());
  return (men_[winner].count() - men_[1 - winner].count()) / double{men_at_start};
}

double Fanorona::static_value() const {
  Features values;
  features(values);
  return static_value(values);
}

double Fanorona::static_value(const Features& features) const {
  const double men = features[0] - features[2];
  const double mobility = features[1] - features[3];
  const double tempo = to_move_ == Colour::black ? 1 : -1;
  return logistic(0.35 * men + 0.02 * mobility + 0.2 * tempo);
}

void Fanorona::features(Features& values) const {
  const Board empty = empty_points();
  for (std::size_t c = 0; c < 2; ++c) {
    int steps = 0;
    for (const auto& direction : grid_->directions) {
      steps += (Grid<64>::step(men_[c], direction) & empty).count();
    }
    values[2 * c] = static_cast<std::uint16_t>(men_[c].count());
    values[2 * c + 1] = static_cast<std::uint16_t>(steps);
  }
}

}  // namespace pitboss::games
