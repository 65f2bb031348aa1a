#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"
#include "games/notation.hpp"
#include "protocol/dialect.hpp"

namespace pitboss::clients {

/// How the points of a move are put together: letters, and what stands between the points, before
/// the third and behind it ("d2-e3", "d1-d7(g7)"). The default is Pitboss's own: "d2e3".
struct MoveStyle {
  bool has_capitals = false;
  std::string_view between{};
  std::string_view before_third{};
  std::string_view behind_third{};
};

/// A move, which `games` has written, with its points in that notation and style. A word such as
/// "pass" stays the same.
[[nodiscard]] std::string to_program(std::string_view move, const games::Notation& points,
                                     const MoveStyle& style = {});
/// A move that a program has written with its points in that notation and in any style, as `games`
/// reads it; one of its words for pass, swap and resign as ours. A text that is no move stays no
/// move.
[[nodiscard]] std::string from_program(std::string_view text, const games::Notation& points);

/// A move for a program to take or to refuse: `line` leads from the initial position to where
/// `text` is a move, if the program writes moves in one of some notations.
struct NotationQuestion {
  std::vector<std::string> line;  ///< as `games` writes moves; all these notations write it alike
  std::string text;               ///< as the program would write it
  friend auto operator<=>(const NotationQuestion&, const NotationQuestion&) = default;
};

/// The notations in which a program may write the moves of a game, as far as it is known: each
/// piece of evidence rules some out. The first is the one to use until then.
///
/// A refusal rules a notation out. That a program takes a move rules out nothing, for some take
/// any; but then the style can be used.
class NotationCandidates {
 public:
  /// The dialect's notation alone.
  NotationCandidates(protocol::Dialect dialect, const games::BoardShape& shape);
  /// All that lead to different games, Pitboss's own first.
  explicit NotationCandidates(const games::AnyGame& initial);

  /// A move as the program writes it, and what it has written, in the first notation.
  [[nodiscard]] std::string to_program(std::string_view move) const;
  [[nodiscard]] std::string from_program(std::string_view text) const;
  /// Whether several notations are left, in which a text may be different points.
  [[nodiscard]] bool is_open() const { return points_.size() > 1; }
  /// Whether a refusal of the move may be one of its notation.
  [[nodiscard]] bool is_unsure(std::string_view move) const;

  /// Puts those first that fit the legal moves, or their first points, which the program has told.
  void prefer_by_moves(const games::AnyGame& position, std::string_view told);
  /// Puts those first that fit the letters and numbers round a board which the program has drawn.
  void prefer_by_board(std::string_view drawn);

  /// The next question to ask; nothing if no answer would rule out more. `initial` is the initial
  /// position.
  [[nodiscard]] std::optional<NotationQuestion> next_question(const games::AnyGame& initial);
  /// The program takes the text of a move.
  void accept(std::string_view text);
  /// It refuses a text in that position. False once it has refused all
  /// notations in every style; then those are left that were before.
  bool refuse(const games::AnyGame& position, std::string_view text);
  /// It has made a move of its own in that position, after these moves. True if another notation
  /// than before is the first one, in which these moves have other texts: the program has a game
  /// of its own in mind, and the move is none of ours.
  bool hear(const games::AnyGame& position, std::span<const std::string> moves,
            std::string_view answer);

  /// What is known, in words; empty if it is Pitboss's own notation.
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] std::optional<NotationQuestion> question_for(const games::Notation& one,
                                                             const games::AnyGame& initial) const;

  games::BoardShape shape_;
  std::vector<games::Notation> all_;     ///< from the beginning
  std::vector<games::Notation> points_;  ///< that are left
  std::vector<MoveStyle> styles_;
  std::size_t style_ = 0;         ///< the one in use
  std::size_t taken_points_ = 0;  ///< the most points of a move that was taken
  std::set<NotationQuestion> asked_;
};

}  // namespace pitboss::clients
