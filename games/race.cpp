#include "games/race.hpp"

#include "games/stones.hpp"

#include <vector>

#include "games/breakthrough.hpp"
#include "games/grid.hpp"
#include "games/knightthrough.hpp"
#include "games/move_of_points.hpp"
#include "games/random.hpp"

namespace pitboss::games {

static_assert(Game<Breakthrough> && Game<Knightthrough>);
static_assert(HasQuality<Breakthrough> && HasQuality<Knightthrough>);
static_assert(HasSingleFeatures<Breakthrough> && HasSingleFeatures<Knightthrough>);
static_assert(HasMoveOf<Breakthrough> && HasMoveOf<Knightthrough>);
static_assert(HasInformedMove<Breakthrough, Random> && !HasInformedMove<Knightthrough, Random>);

template <class Rules>
std::span<const Parameter> Race<Rules>::parameters() {
  static constexpr std::array<Parameter, 1> declared{
      {{"size", "8", "5-8", "columns and rows of the board"}}};
  return declared;
}

template <class Rules>
Race<Rules> Race<Rules>::create(const Parameters& parameters) {
  Race game;
  game.size_ = static_cast<std::uint8_t>(parameters.number("size", race_min_size, 8));
  const std::uint64_t two_rows = all_points(game.size_) & 0xffffU;
  game.own_ = two_rows;
  game.enemy_ = two_rows << 8 * (game.size_ - 2);
  return game;
}

template <class Rules>
std::string Race<Rules>::text(Move move) const {
  const int from = static_cast<int>(code(move) & 63U);
  const int to = static_cast<int>(code(move) >> 6);
  return point_text(from % 8, from / 8) + point_text(to % 8, to / 8);
}

template <class Rules>
std::optional<Move> Race<Rules>::move_of(std::string_view text) const {
  return move_of_points(text, shape(), 2, 6);
}

template <class Rules>
Race<Rules> Race<Rules>::with(const Setup<Board>& setup) const {
  check_no_extra(setup, name);
  Race game = *this;
  game.to_move_ = setup.to_move;
  game.score_ = 0;
  game.own_ = setup.pieces[index(setup.to_move)].word(0);
  game.enemy_ = setup.pieces[index(opponent(setup.to_move))].word(0);
  for (int c = 0; c < 2; ++c) {
    if (setup.pieces[c].count() > 2 * size_) {
      throw BadGame("a side has at most " + std::to_string(2 * size_) + " men");
    }
    setup.pieces[c].for_each([&](int p) {
      const int value = race_value_tables[size_ - race_min_size][c][p];
      game.score_ = static_cast<std::int16_t>(game.score_ + (c == 0 ? value : -value));
    });
  }
  if ((game.own_ & game.goal(setup.to_move)) != 0 || game.enemy_ == 0) {
    throw BadGame("the side to move has already won");
  }
  return game;
}

template class Race<BreakthroughRules>;
template class Race<KnightthroughRules>;

}  // namespace pitboss::games
