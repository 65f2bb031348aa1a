#include "games/teeko.hpp"

#include <bit>

#include "games/logistic.hpp"
#include "games/stones.hpp"

namespace pitboss::games {

static_assert(Game<Teeko>);
static_assert(HasStaticValue<Teeko> && HasFeatureValue<Teeko>);

namespace {

constexpr int markers_of_a_side = 4;

std::string point(std::uint32_t p) {
  return point_text(static_cast<int>(p % 5), static_cast<int>(p / 5));
}

}  // namespace

std::string Teeko::text(Move move) const {
  const std::string to = point(code(move) % 32);
  return code(move) < 32 ? to : point(code(move) / 32 - 1) + to;
}

Teeko Teeko::with(const Setup<Board>& setup) const {
  check_stones(setup.pieces, points());
  const int markers = setup.pieces[0].count() + setup.pieces[1].count();
  for (const Board& men : setup.pieces) {
    if (men.count() > markers_of_a_side) throw BadGame("a side has at most four markers");
  }
  const bool dropping = markers < 2 * markers_of_a_side;
  if (dropping) check_alternation(setup);
  // Black begins, so that the parity of the plies determines the side to move.
  const int fewest = markers + (markers % 2 == index(setup.to_move) ? 0 : 1);
  const int plies = setup.extra.empty() ? fewest : plies_of(setup.extra);
  if (dropping ? plies != markers : plies < markers) {
    throw BadGame(
        "the plies played must be as many as the markers, or more once all eight are on the board");
  }
  check_turn(plies, setup.to_move);
  Teeko game;
  game.men_ = setup.pieces;
  game.to_move_ = setup.to_move;
  game.plies_ = static_cast<std::uint16_t>(plies);
  if (is_figure(game.men_[index(setup.to_move)])) {
    throw BadGame("the side to move has already won");
  }
  const Colour last = opponent(setup.to_move);
  if (is_figure(game.men_[index(last)])) {
    game.result_ = Result::win(last);
  } else if (plies >= ply_limit) {
    game.result_ = Result::draw();
  }
  return game;
}

double Teeko::static_value() const {
  Features figures;
  features(figures);
  return static_value(figures);
}

double Teeko::static_value(const Features& features) const {
  constexpr std::array weight{1, 4, 12};
  int sum = to_move_ == Colour::black ? 4 : -4;
  for (int i = 0; i < 3; ++i) sum += weight[i] * (features[i] - features[3 + i]);
  return logistic(0.04 * sum);
}

/// Counts 64 figures at once: black's in the lower half of a word, white's in the upper. A shift
/// moves white's markers down to bit 32 - 18 at most, above every start of a figure of that length.
void Teeko::features(Features& values) const {
  const std::uint64_t both = men_[0].word(0) | men_[1].word(0) << 32;
  values = {};
  for (const TeekoFigure& figure : teeko_figures) {
    const std::uint64_t a = both;
    const std::uint64_t b = both >> figure.offsets[1];
    const std::uint64_t c = both >> figure.offsets[2];
    const std::uint64_t d = both >> figure.offsets[3];
    const std::uint64_t starts = figure.starts | figure.starts << 32;
    const std::uint64_t open = starts & ~std::rotl(a | b | c | d, 32);
    const std::uint64_t odd = a ^ b ^ c ^ d;
    const std::uint64_t twos = (a & b) ^ (c & d) ^ ((a ^ b) & (c ^ d));
    const std::array holding{open & odd & ~twos, open & twos & ~odd, open & odd & twos};
    for (std::size_t i = 0; i < 3; ++i) {
      values[i] += static_cast<std::uint16_t>(std::popcount(holding[i] & 0xffffffffU));
      values[3 + i] += static_cast<std::uint16_t>(std::popcount(holding[i] >> 32));
    }
  }
}

}  // namespace pitboss::games
