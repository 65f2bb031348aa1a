#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"
#include "games/owned_game.hpp"
#include "games/records/game_record.hpp"
#include "games/records/move_steps.hpp"

namespace pitboss::server {

/// A game, the moves that led to its position, and the points chosen of the next move. Members
/// check before they change anything; they fail by throwing games::BadGame. One thread at a time.
class GameHistory {
 public:
  /// The game after the moves of the record, which are legal. The owner counts `number`.
  explicit GameHistory(games::Record record, std::uint64_t number = 1);

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  [[nodiscard]] const games::Record& record() const { return record_; }
  /// The position before the first move.
  [[nodiscard]] const games::AnyGame& start() const { return *record_.start; }
  /// The parameters that the game began with.
  [[nodiscard]] const games::Parameters& begun_with() const { return begun_with_; }
  [[nodiscard]] const std::vector<std::string>& moves() const { return record_.moves; }
  /// Who made each move; has none for the passes after the end.
  [[nodiscard]] const std::vector<games::Colour>& movers() const { return movers_; }
  /// Which game of its owner this is; changes whenever the game begins from another position.
  [[nodiscard]] std::uint64_t number() const { return number_; }

  /// Begins the same game from the position that the text describes, without moves.
  void set_position(std::string_view text);
  /// Begins the same game from this position, without moves.
  void start_from(std::unique_ptr<games::AnyGame> position);
  /// Goes on under other parameters, until the game begins anew, with the moves of the record,
  /// which are legal.
  void go_on_as(games::Record record);

  void play(std::string_view move);
  /// Plays a legal move that begins with the points chosen; checks nothing.
  void play(games::Move move);
  /// Records a pass of either side after the end of the game, which `undo` takes back like a move.
  /// False if the game is not over, the move is no pass, or a hundred passes are recorded. Referees
  /// that know only Go end a drawn game by two passes.
  bool pass_after_end(std::string_view move);
  /// Takes back the last `count` whole moves and the points chosen of the next. False, and changes
  /// nothing, if there are fewer.
  bool undo(std::size_t count = 1);
  /// Counts that the players have changed sides behind the last move, which no board shows, as a
  /// move that `undo` takes back.
  void change_sides() { sides_changed_at_ = record_.moves.size(); }
  /// How many moves had been played when the players changed sides; nothing if they have not.
  [[nodiscard]] std::optional<std::size_t> sides_changed_at() const { return sides_changed_at_; }
  /// Sets what a record does not tell of a game that has been kept. Throws BadGame for parameters
  /// that are not the game's, and for a change of sides behind more moves than there are.
  void remember(const games::Parameters& begun_with, std::optional<std::size_t> sides_changed_at);

  /// The move that is being made point by point (docs/dialects.md).
  [[nodiscard]] const games::MoveSteps& steps() const { return steps_; }
  /// Chooses a point of a move, or plays a whole move.
  void play_step(std::string_view text);
  /// Takes back the last `count` points, of moves played too. False, and changes nothing, if there
  /// are fewer.
  bool undo_steps(std::size_t count);
  /// The next point of `move`, a legal move that begins with the points chosen.
  [[nodiscard]] std::string first_step(std::string_view move) const;
  /// Chooses and returns the next point of `move`, the engine's legal choice; `play_planned_step`
  /// goes on with it.
  std::string play_first_step(std::string_view move);
  /// Chooses and returns the next point of the engine's move; nothing if no such move is under way.
  std::optional<std::string> play_planned_step();

 private:
  void replay();

  games::Record record_;
  games::Parameters begun_with_;
  std::vector<games::Colour> movers_;
  std::uint64_t number_;
  games::OwnedGame game_;
  games::MoveSteps steps_;
  std::optional<std::size_t> sides_changed_at_;
};

}  // namespace pitboss::server
