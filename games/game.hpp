#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "games/bad_game.hpp"
#include "games/bitboard.hpp"
#include "games/board_shape.hpp"
#include "games/parameters.hpp"

/// The contract between the rules of a game and all code that plays it. A game is a small value: a
/// search copies it, a session replays its moves. There is no undo and no virtual function.
namespace pitboss::games {

/// A seat, numbered in turn order. In a two-player game black moves first, white second; in a game
/// for more players red, yellow, green and blue follow each other.
enum class Colour : std::uint8_t { black = 0, white = 1, red = 0, yellow = 1, green = 2, blue = 3 };
inline constexpr int most_players = 4;

[[nodiscard]] constexpr int index(Colour c) { return static_cast<int>(c); }
/// The opponent's colour in a two-player game.
[[nodiscard]] constexpr Colour opponent(Colour c) {
  return c == Colour::black ? Colour::white : Colour::black;
}

/// A move in its game's own encoding, which only that game reads.
enum class Move : std::uint32_t {};

[[nodiscard]] constexpr std::uint32_t code(Move m) { return static_cast<std::uint32_t>(m); }

/// The result of a game: unfinished, won by one colour, or shared by several.
class Result {
 public:
  [[nodiscard]] static constexpr Result unfinished() { return Result{0}; }
  [[nodiscard]] static constexpr Result win(Colour c) {
    return Result{static_cast<std::uint8_t>(1U << index(c))};
  }
  /// A draw between two players.
  [[nodiscard]] static constexpr Result draw() { return Result{3}; }
  /// The colours whose bits are set, at least one, share the point.
  [[nodiscard]] static constexpr Result among(std::uint8_t colours) { return Result{colours}; }

  [[nodiscard]] constexpr bool finished() const { return winners_ != 0; }
  [[nodiscard]] constexpr bool shared() const { return std::popcount(winners_) > 1; }
  [[nodiscard]] constexpr bool won_by(Colour c) const { return winners_ == (1U << index(c)); }
  /// The colour that has won. The game must be finished and the win not shared.
  [[nodiscard]] constexpr Colour winner() const {
    return static_cast<Colour>(std::countr_zero(winners_));
  }
  /// The part of the one point that `c` gets: 1 for a win, 1/n for a share among n, else 0.
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

/// A game with other pieces than black and white men. Kind k is the men of colour k; the kinds
/// after the colours are all other pieces.
template <class G>
concept HasPieceLetters = requires {
  { G::piece_letters } -> std::convertible_to<std::string_view>;
};

/// One letter for each kind of piece, as boards and positions show them.
template <class G>
[[nodiscard]] constexpr std::string_view piece_letters() {
  if constexpr (HasPieceLetters<G>) {
    return G::piece_letters;
  } else {
    return "XO";
  }
}
template <class G>
inline constexpr int kinds_of = static_cast<int>(piece_letters<G>().size());

/// A game with kinds of pieces that can never stand on the same points. Counted as one kind, they
/// make the same facts. `fact_pieces(k)` are the points of kind k of `fact_kinds`.
template <class G>
concept HasFactPieces = requires(const G g) {
  { G::fact_kinds } -> std::convertible_to<int>;
  { g.fact_pieces(int{}) } -> std::same_as<typename G::Board>;
};
/// The number of kinds that the facts of a board distinguish (Novelty in MCTS, sec. III).
template <class G>
[[nodiscard]] constexpr int fact_kinds() {
  if constexpr (HasFactPieces<G>) {
    return G::fact_kinds;
  } else {
    return kinds_of<G>;
  }
}
template <class G>
[[nodiscard]] typename G::Board fact_pieces(const G& game, int kind) {
  if constexpr (HasFactPieces<G>) {
    return game.fact_pieces(kind);
  } else {
    return game.pieces(kind);
  }
}

/// A game whose rules need points beside the pieces and the side to move: `marks(k)` are those of
/// kind k of `mark_kinds`.
template <class G>
concept HasMarks = requires(const G g) {
  { G::mark_kinds } -> std::convertible_to<int>;
  { g.marks(int{}) } -> std::same_as<typename G::Board>;
};

/// The content of a position's text: the pieces, the side to move, and the third part.
template <class Board, int Kinds = 2>
struct Setup {
  std::array<Board, Kinds> pieces;  ///< by kind
  Colour to_move;
  std::string extra;  ///< game specific, often empty
};

/// What the rules of a game must offer. Equal values are equal positions of equal games. All
/// members are cheap, except that `legal_moves` may cost a pass over the board. A `Move` passed to
/// a member must be legal; `play` checks nothing.
template <class G>
concept Game = std::is_trivially_copyable_v<G> && std::equality_comparable<G> && sizeof(G) <= 512 &&
               requires(const G g, G mutable_g, Move move, MoveList<G::max_moves>& list,
                        const Parameters& parameters,
                        const Setup<typename G::Board, kinds_of<G>>& setup) {
  { G::name } -> std::convertible_to<std::string_view>;
  /// The most players; see HasSeats.
  { G::players } -> std::convertible_to<int>;
  /// Bounds: no position has more legal moves, and no game more plies.
  { G::max_moves } -> std::convertible_to<int>;
  { G::max_plies } -> std::convertible_to<int>;
  /// The game's parameters with their defaults, in the order in which they are shown.
  { G::parameters() } -> std::same_as<std::span<const Parameter>>;
  /// The initial position. Throws BadGame for parameters that no game has.
  { G::create(parameters) } -> std::same_as<G>;

  { g.to_move() } -> std::same_as<Colour>;
  { g.result() } -> std::same_as<Result>;
  /// Appends the legal moves; none exactly when the game is finished.
  {g.legal_moves(list)};
  {mutable_g.play(move)};

  /// Facts (Novelty in MCTS, sec. III): what lies on each point. `pieces(k)` are the points of
  /// kind k (see piece_letters); every other point of `points()` is empty. The facts that a move
  /// changes are the bits in which two positions differ.
  { g.points() } -> std::same_as<typename G::Board>;
  { g.pieces(int{}) } -> std::same_as<typename G::Board>;

  { g.shape() } -> std::same_as<BoardShape>;
  /// The move as players write it; distinct legal moves have distinct texts.
  { g.text(move) } -> std::same_as<std::string>;
  /// By how much the winner of a finished game has won, at least 1; 0 for a draw.
  { g.margin() } -> std::same_as<int>;
  /// The third part of the position's text: what the rules need beside the board; often empty.
  { g.extra() } -> std::same_as<std::string>;
  /// This game with the given position. Throws BadGame for an impossible position.
  { g.with(setup) } -> std::same_as<G>;
};

/// A game for at most `players` players; `seats()` is their number in this game.
template <class G>
concept HasSeats = requires(const G g) {
  { g.seats() } -> std::same_as<int>;
};
template <class G>
[[nodiscard]] int seats_of(const G& game) {
  if constexpr (HasSeats<G>) {
    return game.seats();
  } else {
    return G::players;
  }
}

/// A game that a line or a chain of pieces decides: its points, once the game is won.
template <class G>
concept HasDecisivePoints = requires(const G g) {
  { g.decisive() } -> std::same_as<typename G::Board>;
};

/// The points of the line or chain that has decided a game; none if something else has, or nothing.
template <class G>
[[nodiscard]] typename G::Board decisive_points(const G& game) {
  if constexpr (HasDecisivePoints<G>) {
    if (game.result().finished() && !game.result().shared()) return game.decisive();
  }
  return {};
}

/// A value for each colour, in [0, 1]; the values sum to 1.
template <class G>
using Values = std::array<double, G::players>;

/// A game with a static value of unfinished positions: `static_value()` for the first of two
/// players, `static_values()` for more players.
template <class G>
concept HasStaticValue = (G::players == 2 &&
                          requires(const G g) {
                            { g.static_value() } -> std::same_as<double>;
                          }) ||
                         requires(const G g) {
  { g.static_values() } -> std::same_as<Values<G>>;
};

/// The static values of an unfinished position, by colour.
template <HasStaticValue G>
[[nodiscard]] Values<G> static_values(const G& game) {
  if constexpr (G::players == 2) {
    const double first = game.static_value();
    return {first, 1 - first};
  } else {
    return game.static_values();
  }
}

/// A game whose `static_value()` is that of a paper's authors, and which also has a stronger one,
/// `tuned_value()` for the first player.
template <class G>
concept HasTunedValue = HasStaticValue<G> && requires(const G g) {
  { g.tuned_value() } -> std::same_as<double>;
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

/// A game that computes single features as cheaply as all of them: `feature(i)` is the value of
/// variable i.
template <class G>
concept HasSingleFeatures = HasFeatures<G> && requires(const G g) {
  { g.feature(int{}) } -> std::same_as<std::uint16_t>;
};

/// A game whose static value is a function of its features: `static_value(features)` is
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

/// A game that reads a move's text faster than it writes the texts of all moves: `move_of(text)` is
/// the only move, legal or not, that can have exactly this text.
template <class G>
concept HasMoveOf = requires(const G g, std::string_view text) {
  { g.move_of(text) } -> std::same_as<std::optional<Move>>;
};

/// A game with a playout policy that knows more than the rules (Quality-based Rewards for MCTS
/// Simulations). The position must not be finished.
template <class G, class Random>
concept HasInformedMove = requires(const G g, Random& random) {
  { g.informed_move(random) } -> std::same_as<Move>;
};

/// A game that measures how well the winner stands at the end (q in Quality-based Rewards, sec. 4):
/// the higher the better, mostly in [0, 1]. The position must have one winner.
template <class G>
concept HasQuality = requires(const G g) {
  { g.quality() } -> std::same_as<double>;
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
