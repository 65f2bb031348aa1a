#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/game_record.hpp"
#include "games/records/move_steps.hpp"

namespace pitboss::server {

/// A game, the moves that led to its position, and what has been chosen of the next move. Members
/// check before they change anything; they fail by throwing games::BadGame. One thread at a time.
class GameHistory {
 public:
  /// The game that has come as far as the record, whose moves are legal. `number` is counted by
  /// the owner.
  explicit GameHistory(games::Record record, std::uint64_t number = 1);

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  /// The position before the first move.
  [[nodiscard]] const games::AnyGame& start() const { return *record_.start; }
  [[nodiscard]] const std::vector<std::string>& moves() const { return record_.moves; }
  /// Which game of its owner it is; a game from another position has another number.
  [[nodiscard]] std::uint64_t number() const { return number_; }

  /// The same game from the position that the text describes, without moves.
  void set_position(std::string_view text);
  /// The same game from this position, without moves.
  void start_from(std::unique_ptr<games::AnyGame> position);

  void play(std::string_view move);
  /// Plays a legal move that goes on with the points chosen; checks nothing.
  void play(games::Move move);
  /// Notes a pass of either side after the end of the game, which `undo` takes back like a move;
  /// false if the game is not over, the move is no pass, or a hundred passes stand there. Referees
  /// that know only Go end a drawn game by two passes.
  bool pass_after_end(std::string_view move);
  /// Takes the last `count` whole moves back, and what has been chosen of the next. False, and
  /// changes nothing, if there are not so many.
  bool undo(std::size_t count = 1);

  /// The move that is being made point by point (docs/dialects.md).
  [[nodiscard]] const games::MoveSteps& steps() const { return steps_; }
  /// Chooses a point of a move, or plays a whole move.
  void play_step(std::string_view text);
  /// Takes the last `count` chosen points back. False, and changes nothing, if there are not so
  /// many.
  bool undo_steps(std::size_t count);
  /// The next point of a legal move that begins with the points chosen.
  [[nodiscard]] std::string first_step(std::string_view move) const;
  /// Chooses and returns the next point of a legal move that the engine has decided for;
  /// `play_planned_step` goes on with that move.
  std::string play_first_step(std::string_view move);
  /// Chooses and returns the next point of the engine's move; nothing if the engine has no move to
  /// go on with.
  std::optional<std::string> play_planned_step();

  /// Runs `change`; if `change` throws, game, moves and points are as they were before.
  void all_or_nothing(const std::function<void()>& change);

 private:
  games::Record record_;
  std::uint64_t number_;
  std::unique_ptr<games::AnyGame> game_;
  games::MoveSteps steps_;
};

}  // namespace pitboss::server
