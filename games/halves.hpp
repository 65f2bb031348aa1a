#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "games/game.hpp"
#include "games/policy.hpp"
#include "games/random.hpp"
#include "games/target.hpp"

/// Games whose moves have two halves, as games of half moves: a tree of half moves has two levels
/// for each ply, and few moves in each position.
namespace pitboss::games {

/// A game of two players whose every move is a first half, then a second one. A move's code is the
/// sum of its halves' codes, and its text is their texts one after the other. No first half has the
/// code of a second one. A first half ends no game. Between the halves the position is as if the
/// second half changed nothing: the opponent is to move.
template <class G>
concept HasHalves = Game<G> && G::players == 2 &&
                    requires(const G g, G mutable_g, Move half, Random& random,
                             MoveList<G::max_halves>& list) {
  /// The most first halves of a position, and the most second halves after a first one.
  { G::max_halves } -> std::convertible_to<int>;
  { G::first_half(half) } -> std::same_as<Move>;  // `half` is a whole move
  {g.first_halves(list)};
  {mutable_g.play_first(half)};
  {mutable_g.take_back_first(half)};
  // Between the halves; the next two functions take the first half.
  {g.second_halves(half, list)};
  { g.random_second_half(half, random) } -> std::same_as<Move>;
  {mutable_g.play_second(half)};
  { g.first_text(half) } -> std::same_as<std::string>;
  { g.second_text(half) } -> std::same_as<std::string>;
  { g.second_target(half) } -> std::same_as<int>;
  { g.first_parts(half) } -> std::same_as<PolicyParts>;
  { g.second_parts(half) } -> std::same_as<PolicyParts>;
};

/// The game G by half moves. After a first half the same colour is to move. All other members are
/// G's; between the halves the static value is as if the second half changed nothing.
template <HasHalves G>
class Halved {
 public:
  using Board = typename G::Board;
  static constexpr std::string_view name = G::name;
  static constexpr std::string_view piece_letters = games::piece_letters<G>();
  static constexpr int players = 2;
  static constexpr int max_moves = G::max_halves;
  static constexpr int max_plies = 2 * G::max_plies;

  explicit Halved(const G& whole) : now_(whole) {}
  [[nodiscard]] static std::span<const Parameter> parameters() { return G::parameters(); }
  [[nodiscard]] static Halved create(const Parameters& parameters) {
    return Halved(G::create(parameters));
  }

  /// Whether a first half has been played, and its second one is to come.
  [[nodiscard]] bool is_between() const { return first_ != none; }
  /// The position of G; between the halves, the position before the first.
  [[nodiscard]] G whole() const {
    G whole = now_;
    if (is_between()) whole.take_back_first(first_);
    return whole;
  }
  /// The position of G; between the halves, the position after a random second half.
  template <class Random>
  [[nodiscard]] G completed(Random& random) const {
    G whole = now_;
    if (is_between()) whole.play_second(whole.random_second_half(first_, random));
    return whole;
  }

  [[nodiscard]] Colour to_move() const {
    return is_between() ? opponent(now_.to_move()) : now_.to_move();
  }
  [[nodiscard]] Result result() const {
    return is_between() ? Result::unfinished() : now_.result();
  }
  [[nodiscard]] int margin() const { return now_.margin(); }
  void legal_moves(MoveList<max_moves>& moves) const {
    if (is_between()) {
      now_.second_halves(first_, moves);
    } else {
      now_.first_halves(moves);
    }
  }
  void play(Move half) {
    if (is_between()) {
      now_.play_second(half);
      first_ = none;
    } else {
      now_.play_first(half);
      first_ = half;
    }
  }

  /// Random half moves make random moves of G: a first half has the probability of all its whole
  /// moves.
  template <class Random>
  [[nodiscard]] Move random_move(Random& random) const {
    return is_between() ? now_.random_second_half(first_, random)
                        : G::first_half(games::random_move(now_, random));
  }
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const requires HasInformedMove<G, Random> {
    return is_between() ? now_.random_second_half(first_, random)
                        : G::first_half(now_.informed_move(random));
  }

  [[nodiscard]] Board points() const { return now_.points(); }
  [[nodiscard]] Board pieces(int kind) const { return now_.pieces(kind); }
  [[nodiscard]] BoardShape shape() const { return now_.shape(); }
  [[nodiscard]] std::string text(Move half) const {
    return is_between() ? now_.second_text(half) : now_.first_text(half);
  }
  [[nodiscard]] int target(Move half) const requires HasTarget<G> {
    return is_between() ? now_.second_target(half) : now_.target(half);
  }
  [[nodiscard]] int origin(Move half) const requires HasOrigin<G> {
    return is_between() ? -1 : now_.origin(half);
  }
  [[nodiscard]] int policy_size() const requires HasPolicy<G> { return now_.policy_size(); }
  [[nodiscard]] PolicyParts policy_parts(Move half) const requires HasPolicy<G> {
    return is_between() ? now_.second_parts(half) : now_.first_parts(half);
  }
  [[nodiscard]] std::string extra() const { return now_.extra(); }
  /// Only whole positions have a text.
  [[nodiscard]] Halved with(const Setup<Board, kinds_of<G>>& setup) const {
    return Halved(whole().with(setup));
  }
  [[nodiscard]] double static_value() const requires HasStaticValue<G> {
    return now_.static_value();
  }
  [[nodiscard]] double quality() const requires HasQuality<G> { return now_.quality(); }

  friend bool operator==(const Halved&, const Halved&) = default;

 private:
  static_assert(!HasFactPieces<G> && !HasMarks<G> && !HasFeatures<G> && !HasTunedValue<G>,
                "no game with halves has these yet");
  static constexpr Move none{~std::uint32_t{0}};

  G now_;
  Move first_ = none;  ///< the first half, if it has been played
};

namespace detail {
template <class G>
struct WholeOf {
  using Type = G;
};
template <class G>
struct WholeOf<Halved<G>> {
  using Type = G;
};
}  // namespace detail

/// The game of whole moves: G itself, or the game whose half moves G plays.
template <class G>
using Whole = typename detail::WholeOf<G>::Type;
template <class G>
inline constexpr bool is_halved = !std::same_as<G, Whole<G>>;

/// How many moves of G make a ply.
template <class G>
inline constexpr int moves_a_ply = is_halved<G> ? 2 : 1;
/// The number of plies begun by `moves` moves of G from a whole position.
template <class G>
[[nodiscard]] constexpr int plies_of(int moves) {
  return is_halved<G> ? (moves + 1) / 2 : moves;
}

/// Whether the position is between two halves of a move.
template <class G>
[[nodiscard]] bool is_between([[maybe_unused]] const G& position) {
  if constexpr (is_halved<G>) {
    return position.is_between();
  } else {
    return false;
  }
}
/// The moves of G that make a move of Whole<G>.
template <class G>
[[nodiscard]] std::vector<Move> moves_in(Move whole) {
  if constexpr (is_halved<G>) {
    const Move first = Whole<G>::first_half(whole);
    return {first, Move{code(whole) - code(first)}};
  } else {
    return {whole};
  }
}
/// See Halved::whole.
template <class G>
[[nodiscard]] decltype(auto) whole(const G& position) {
  if constexpr (is_halved<G>) {
    return position.whole();
  } else {
    return (position);
  }
}

}  // namespace pitboss::games
