#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/bad_game.hpp"
#include "games/board_shape.hpp"
#include "games/game.hpp"
#include "games/parameters.hpp"
#include "games/policy.hpp"
#include "games/random.hpp"
#include "games/steps.hpp"

namespace pitboss::games {

/// A text that does not have the form of a move.
class BadSyntax : public BadGame {
 public:
  using BadGame::BadGame;
};

/// Counts move sequences in bounded steps, so that a long count can be shared with other work and
/// abandoned. One thread at a time.
class Perft {
 public:
  virtual ~Perft() = default;
  /// Visits about `positions` positions; true when the count is complete. Never throws.
  virtual bool advance(std::int64_t positions) = 0;
  [[nodiscard]] virtual std::uint64_t count() const = 0;
};

/// How a game has gone on to its end.
struct Playout {
  int plies;
  Result result;
};

/// A position of any game behind one interface, for callers that handle every game alike and can
/// afford a virtual call and strings: sessions, the referee, tests. A move is a text as in
/// docs/games.md, or the game's own `Move` of this very position. Not thread-safe. Every failure is
/// a BadGame (or BadSyntax), and leaves the position unchanged.
class AnyGame {
 public:
  virtual ~AnyGame() = default;

  [[nodiscard]] virtual std::unique_ptr<AnyGame> clone() const = 0;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// All parameters with their values.
  [[nodiscard]] virtual const Parameters& parameters() const = 0;
  /// The colours' names in turn order: "black", "white"; or "red", "yellow", ...
  [[nodiscard]] virtual std::span<const std::string_view> colours() const = 0;
  [[nodiscard]] int players() const { return static_cast<int>(colours().size()); }
  /// The colour of that name or first letter, in lower case; nothing if the game has no such
  /// colour.
  [[nodiscard]] std::optional<Colour> colour_named(std::string_view word) const;
  [[nodiscard]] std::string_view name_of(Colour c) const { return colours()[index(c)]; }
  /// One letter for each kind of piece (see game.hpp), the men of the colours first.
  [[nodiscard]] virtual std::string_view piece_letters() const = 0;
  /// The first letter of a colour's name, as commands and results write colours.
  [[nodiscard]] std::string_view letter_of(Colour c) const { return name_of(c).substr(0, 1); }
  /// The most plies of a game.
  [[nodiscard]] virtual int max_plies() const = 0;
  [[nodiscard]] virtual BoardShape shape() const = 0;

  [[nodiscard]] virtual Colour to_move() const = 0;
  [[nodiscard]] virtual Result result() const = 0;
  /// By how much the winner has won (1 in games without a margin); 0 for a draw.
  [[nodiscard]] virtual int margin() const = 0;
  /// Sorted; empty exactly when the game is finished.
  [[nodiscard]] virtual std::vector<std::string> legal_moves() const = 0;
  /// The legal moves with the points by which a GUI chooses each; in no order.
  [[nodiscard]] virtual std::vector<SteppedMove> stepped_moves() const = 0;
  /// The legal move that `text` names. Letters may be of either case, and `-` or `x` may stand
  /// between points. Throws BadSyntax for a text that does not have the form of a move, BadGame for
  /// a move that is not legal here.
  [[nodiscard]] virtual Move find(std::string_view text) const = 0;
  /// A legal move as `legal_moves` writes it.
  [[nodiscard]] virtual std::string text(Move move) const = 0;
  /// Plays a legal move; checks nothing.
  virtual void play(Move move) = 0;
  /// The legal move that `text` names, in the form in which `legal_moves` writes it. Throws as
  /// `find` does.
  [[nodiscard]] std::string canonical(std::string_view text) const {
    return this->text(find(text));
  }
  /// Plays the move that `text` names. Returns and throws as `canonical` does.
  std::string play(std::string_view text);
  /// A uniformly random legal move of an unfinished position.
  [[nodiscard]] virtual std::string random_move(Random& random) const = 0;

  /// Plays uniformly random moves on a copy to the end of the game. Writes no texts, so that it
  /// takes no longer than a playout in a search.
  virtual Playout random_playout(Random& random) const = 0;
  /// The same with the game's own playout policy, if it has one.
  virtual Playout informed_playout(Random& random) const = 0;
  /// The size of a position in a search, in bytes.
  [[nodiscard]] virtual std::size_t bytes() const = 0;

  /// How many entries a network's policy has (policy.hpp); the same throughout a game.
  [[nodiscard]] virtual int policy_size() const = 0;
  /// Makes `moves` the legal moves with their entries; in no order.
  virtual void policy_moves(std::vector<PolicyMove>& moves) const = 0;
  /// What a network sees of the position (planes.hpp).
  [[nodiscard]] virtual int plane_count() const = 0;
  virtual void fill_planes(float* out) const = 0;
  virtual void fill_planes(std::int8_t* out) const = 0;
  [[nodiscard]] std::vector<float> planes() const;

  /// The value for the first player in [0, 1]; for a finished position the first player's share of
  /// the point; nothing for a game without a static value.
  [[nodiscard]] virtual std::optional<double> static_value() const = 0;
  /// Several lines: the board with coordinates, its letters' meaning, the side to move or the
  /// result.
  [[nodiscard]] virtual std::string board_text() const = 0;
  /// One line: rows from the top separated by '/' (see board_text.hpp); then the letter of the side
  /// to move; then the game's third part, if it needs one.
  [[nodiscard]] virtual std::string position() const = 0;
  /// Sets a position in the form in which `position` writes it.
  virtual void set_position(std::string_view text) = 0;
  /// Counts the move sequences of exactly `depth` plies (at least 0) from this position.
  [[nodiscard]] virtual std::unique_ptr<Perft> perft(int depth) const = 0;
  /// One line of moves to each unfinished position that is `turns` turns of every colour ahead (see
  /// distinct_lines.hpp); nothing if more than `limit` positions were met on the way.
  [[nodiscard]] virtual std::optional<std::vector<std::vector<std::string>>> distinct_lines(
      int turns, std::size_t limit) const = 0;
};

/// The result of a finished game: the letters of the colours that share the point, and the margin,
/// as in "B+3" and "RG+0"; "0" if all colours share the point.
[[nodiscard]] std::string score_text(const AnyGame& game);

/// A new game in its initial position. Throws BadGame for an unknown name, an unknown parameter,
/// or a value out of range.
[[nodiscard]] std::unique_ptr<AnyGame> make_game(std::string_view name,
                                                 const Parameters& parameters = {});
/// The names of all games.
[[nodiscard]] const std::vector<std::string_view>& game_names();
/// The declared parameters of a game. Throws BadGame for an unknown name.
[[nodiscard]] std::span<const Parameter> game_parameters(std::string_view name);

}  // namespace pitboss::games
