#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "games/bad_game.hpp"
#include "games/bitboard.hpp"
#include "games/parameters.hpp"

/// The contract between the rules of a game and everything that plays it. A game is a small value:
/// a search copies it, a session replays it, nothing undoes it and nothing in it is virtual.
namespace pitboss::games {

/// A seat, numbered in turn order. In a two-player game black moves first, white second.
enum class Colour : std::uint8_t { black = 0, white = 1 };

[[nodiscard]] constexpr int index(Colour c) { return static_cast<int>(c); }
/// The other colour of a two-player game.
[[nodiscard]] constexpr Colour opponent(Colour c) {
  return c == Colour::black ? Colour::white : Colour::black;
}

/// A move as its game encodes it; only that game can read it.
enum class Move : std::uint32_t {};

[[nodiscard]] constexpr std::uint32_t code(Move m) { return static_cast<std::uint32_t>(m); }

/// Who has won: nobody yet, one colour, or several who share the point.
class Result {
 public:
  [[nodiscard]] static constexpr Result unfinished() { return Result{0}; }
  [[nodiscard]] static constexpr Result win(Colour c) {
    return Result{static_cast<std::uint8_t>(1U << index(c))};
  }
  /// A draw between the first `players` colours.
  [[nodiscard]] static constexpr Result draw(int players = 2) {
    return Result{static_cast<std::uint8_t>((1U << players) - 1U)};
  }

  [[nodiscard]] constexpr bool finished() const { return winners_ != 0; }
  [[nodiscard]] constexpr bool shared() const { return std::popcount(winners_) > 1; }
  [[nodiscard]] constexpr bool won_by(Colour c) const { return winners_ == (1U << index(c)); }
  /// What `c` gets of the one point: 1 for a win, 1/n for a share among n, else 0.
  [[nodiscard]] constexpr double share(Colour c) const {
    return (winners_ >> index(c)) & 1U ? 1.0 / std::popcount(winners_) : 0.0;
  }
  friend constexpr bool operator==(Result, Result) = default;

 private:
  constexpr explicit Result(std::uint8_t winners) : winners_(winners) {}
  std::uint8_t winners_;
};

/// A list of moves with a fixed capacity; lives on the stack, never allocates.
template <int Capacity>
class MoveList {
 public:
  void add(Move m) {
    assert(size_ < Capacity);
    moves_[size_++] = m;
  }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] Move operator[](int i) const { return moves_[i]; }
  [[nodiscard]] const Move* begin() const { return moves_.data(); }
  [[nodiscard]] const Move* end() const { return moves_.data() + size_; }

 private:
  int size_ = 0;
  std::array<Move, Capacity> moves_;  // uninitialised on purpose: filled up to size_
};

/// Which points are neighbours, for those who draw a board. All have (x+-1, y) and (x, y+-1).
enum class Lattice : std::uint8_t {
  square,
  hexagonal,         ///< and (x+1, y+1), (x-1, y-1)
  hexagonal_falling  ///< and (x+1, y-1), (x-1, y+1)
};

/// The board as a rectangle of points, for pictures and texts: point (x, y) is bit
/// `y * stride + x`, x counted from the left, y from the bottom.
struct BoardShape {
  int width;
  int height;
  int stride;
  Lattice lattice = Lattice::square;
  [[nodiscard]] constexpr int point(int x, int y) const { return y * stride + x; }
  /// Of the square round the board, for those who know only square boards.
  [[nodiscard]] constexpr int side() const { return width > height ? width : height; }
};

/// A position as text carries it: what lies where, who moves, and what the board does not show.
template <class Board>
struct Setup {
  std::array<Board, 2> pieces;  ///< by colour
  Colour to_move;
  std::string extra;  ///< game specific, often empty
};

/// What the rules of a game must offer. Equal values are equal positions of equal games. All
/// members are cheap, except that `legal_moves` may cost a pass over the board. A `Move` handed in
/// must be legal; nothing is checked in `play`.
template <class G>
concept Game = std::is_trivially_copyable_v<G> && std::equality_comparable<G> && sizeof(G) <= 512 &&
               requires(const G g, G mutable_g, Move move, MoveList<G::max_moves>& list,
                        const Parameters& parameters, const Setup<typename G::Board>& setup) {
  { G::name } -> std::convertible_to<std::string_view>;
  { G::players } -> std::convertible_to<int>;
  /// No position has more legal moves, and no game more plies.
  { G::max_moves } -> std::convertible_to<int>;
  { G::max_plies } -> std::convertible_to<int>;
  /// Game parameters with their defaults, in the order they are shown.
  { G::parameters() } -> std::same_as<std::span<const Parameter>>;
  /// The initial position. Throws BadGame when the parameters make no game.
  { G::create(parameters) } -> std::same_as<G>;

  { g.to_move() } -> std::same_as<Colour>;
  { g.result() } -> std::same_as<Result>;
  /// Appends the legal moves; none exactly when the game is finished.
  {g.legal_moves(list)};
  {mutable_g.play(move)};

  /// Facts (Novelty in MCTS, sec. III): what lies on each point. `pieces(c)` are the points of
  /// colour c; every other point of `points()` is empty. The facts that a move changes are the
  /// bits in which two positions differ.
  { g.points() } -> std::same_as<typename G::Board>;
  { g.pieces(Colour::black) } -> std::same_as<typename G::Board>;

  { g.shape() } -> std::same_as<BoardShape>;
  /// The move as players write it; distinct legal moves have distinct texts.
  { g.text(move) } -> std::same_as<std::string>;
  /// By how much the winner of a finished game has won, at least 1; 0 for a draw.
  { g.margin() } -> std::same_as<int>;
  /// What the board does not show but the rules need, as text; often empty.
  { g.extra() } -> std::same_as<std::string>;
  /// This game with the given position. Throws BadGame for one that cannot be.
  { g.with(setup) } -> std::same_as<G>;
};

/// A game that can judge an unfinished position: `static_value()` is the value for the first
/// player in [0, 1]; the colours' values add up to 1.
template <class G>
concept HasStaticValue = requires(const G g) {
  { g.static_value() } -> std::same_as<double>;
};

/// A game with evaluation features (Novelty in MCTS, sec. V; N_C^eval): `feature_count`
/// categorical variables with values 0..feature_values-1, and the pseudocount of an unseen value.
template <class G>
concept HasFeatures = requires(const G g, typename G::Features& values) {
  { G::feature_count } -> std::convertible_to<int>;
  { G::feature_values } -> std::convertible_to<int>;
  { G::feature_prior } -> std::convertible_to<double>;
  requires std::same_as<typename G::Features, std::array<std::uint16_t, G::feature_count>>;
  {g.features(values)};
};

/// A game whose static value follows from the features: `static_value(features())` is
/// `static_value()`.
template <class G>
concept HasFeatureValue = HasFeatures<G> &&
    requires(const G g, const typename G::Features& features) {
  { g.static_value(features) } -> std::same_as<double>;
};

/// A game that draws a uniformly random legal move faster than by listing all of them. The
/// position must not be finished.
template <class G, class Random>
concept HasRandomMove = requires(const G g, Random& random) {
  { g.random_move(random) } -> std::same_as<Move>;
};

/// A uniformly random legal move of an unfinished position.
template <Game G, class Random>
[[nodiscard]] Move random_move(const G& game, Random& random) {
  if constexpr (HasRandomMove<G, Random>) {
    return game.random_move(random);
  } else {
    MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    return moves[random.below(moves.size())];
  }
}

}  // namespace pitboss::games
