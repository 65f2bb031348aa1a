#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/search.hpp"
#include "games/any_game.hpp"
#include "protocol/clock.hpp"
#include "protocol/move_steps.hpp"
#include "protocol/session.hpp"

namespace pitboss::protocol {

/// What a session has in front of it: a game with its history, the clock, the options and the
/// search. Every member checks before it changes anything; failures are BadGame or BadOption.
/// `set_option`, `options` and `interrupt` may be called by any thread, the rest by one at a time.
class Table {
 public:
  explicit Table(const SessionConfig& config);

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  [[nodiscard]] const std::vector<std::string>& moves() const { return moves_; }
  [[nodiscard]] Clock& clock() { return clock_; }

  /// A new game; the search and its memory are kept if it is of the same kind.
  void new_game(std::string_view name, const games::Parameters& parameters);
  /// The same game from its initial position.
  void clear();
  void set_position(std::string_view text);
  void play(std::string_view move);
  /// Takes the last whole move back, and what has been chosen of the next. False if there is none.
  bool undo();

  /// The move that is being made point by point (docs/dialects.md).
  [[nodiscard]] const MoveSteps& steps() const { return steps_; }
  /// Chooses a point of a move, or plays a whole move.
  void play_step(std::string_view text);
  /// Takes the last chosen point back; false if there is none.
  bool undo_step();
  /// The point with which a legal move goes on.
  [[nodiscard]] std::string first_step(std::string_view move) const;
  /// Chooses the first point of a legal move that the engine has found, and returns it;
  /// `play_planned_step` goes on with it.
  std::string play_first_step(std::string_view move);
  /// The next point of the engine's move, which is chosen now; nothing if it has none to go on
  /// with.
  std::optional<std::string> play_planned_step();
  /// Runs `change`; if it throws, the game and its history are as they were before.
  void all_or_nothing(const std::function<void()>& change);

  [[nodiscard]] engine::Options options() const;
  /// Sets an option and says when it takes effect. A search that runs is not left without a bound.
  engine::Effect set_option(std::string_view name, std::string_view value);
  /// The options as a table of UCI lines; the defaults are those the session began with.
  [[nodiscard]] std::string option_lines() const;

  /// Sets up a search of the position, bounded by the options and, if `timed`, by the clock.
  void begin_search(bool timed);
  [[nodiscard]] engine::Progress search(std::chrono::microseconds slice);
  /// The search that `begin_search` has set up.
  [[nodiscard]] std::shared_ptr<engine::Search> current_search() const { return search_; }
  /// Ends the search and tells its move: the best of those that go on with the points chosen.
  [[nodiscard]] std::string best_move();
  /// Ends a search that has failed.
  void abandon_search() noexcept;
  /// The last search of this game; nothing if there was none.
  [[nodiscard]] std::optional<engine::Report> last_search() const;

  /// The position which that search began with; null if there was none in this game.
  [[nodiscard]] const games::AnyGame* searched_position() const { return searched_position_.get(); }

  /// Ends the search that runs, if any.
  void interrupt() noexcept;

 private:
  std::int64_t tree_mb_limit_;
  std::unique_ptr<games::AnyGame> game_;
  std::unique_ptr<games::AnyGame> start_;
  std::vector<std::string> moves_;
  MoveSteps steps_;
  Clock clock_;
  std::shared_ptr<engine::Search> search_;
  bool searched_ = false;
  std::unique_ptr<games::AnyGame> searched_position_;

  const engine::Options start_options_;

  mutable std::mutex mutex_;  ///< guards those below, which other threads reach
  engine::Options options_;
  engine::Search* running_ = nullptr;
  engine::Options running_options_;  ///< what the search that runs began with, and live changes
  bool running_timed_ = false;       ///< a clock bounds it
};

}  // namespace pitboss::protocol
