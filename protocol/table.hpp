#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/search.hpp"
#include "games/any_game.hpp"
#include "protocol/clock.hpp"
#include "protocol/game_record.hpp"
#include "protocol/session.hpp"

namespace pitboss::protocol {

/// What a session has in front of it: a game with its history, the clock, the options and the
/// search. Every member checks before it changes anything; failures are BadGame or BadOption.
/// `set_options`, `options` and `interrupt` may be called by any thread, the rest by one at a time.
class Table {
 public:
  explicit Table(const SessionConfig& config);

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  /// The position before the first of the moves.
  [[nodiscard]] const games::AnyGame& start() const { return *start_; }
  [[nodiscard]] const std::vector<std::string>& moves() const { return moves_; }
  [[nodiscard]] Clock& clock() { return clock_; }

  /// A new game; the search and its memory are kept if it is of the same kind.
  void new_game(std::string_view name, const games::Parameters& parameters);
  /// The same game from its initial position.
  void clear();
  /// A new game that has come as far as the record, whose moves are legal.
  void resume(GameRecord record);
  void set_position(std::string_view text);
  /// A position of the same game, without a history; the game goes on with its clock.
  void start_from(std::unique_ptr<games::AnyGame> position);
  void play(std::string_view move);
  /// False if there is nothing to take back.
  bool undo();

  [[nodiscard]] engine::Options options() const;
  /// Sets options, all or none, and says whether all of them take effect at once. A search that
  /// runs is not left without a bound.
  engine::Effect set_options(const std::vector<engine::Assignment>& assignments);
  /// The options as a table of UCI lines; the defaults are those the session began with.
  [[nodiscard]] std::string option_lines() const;

  /// Sets up a search of the position, bounded by the options and, if `timed`, by the clock.
  void begin_search(bool timed);
  [[nodiscard]] engine::Progress search(std::chrono::microseconds slice);
  /// The search that `begin_search` has set up.
  [[nodiscard]] std::shared_ptr<engine::Search> current_search() const { return search_; }
  /// Ends the search and tells its move.
  [[nodiscard]] std::string best_move();
  /// Ends a search that has failed.
  void abandon_search() noexcept;
  /// Keeps nothing of the last search.
  void forget_search();
  /// The last search of this game; nothing if there was none.
  [[nodiscard]] std::optional<engine::Report> last_search() const;

  /// Takes from the clock of the side to move what its move has used, and its way to the client.
  void spend_time(std::chrono::steady_clock::duration used);
  /// What all searches here have used of the processor; of a search with several threads the first
  /// one's.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const { return processor_time_; }

  /// Ends the search that runs, if any.
  void interrupt() noexcept;

 private:
  /// What the clock allows the side to move; with the mutex held.
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_for_move() const;

  std::int64_t tree_mb_limit_;
  std::unique_ptr<games::AnyGame> game_;
  std::unique_ptr<games::AnyGame> start_;
  std::vector<std::string> moves_;
  Clock clock_;
  std::shared_ptr<engine::Search> search_;
  bool searched_ = false;
  std::chrono::nanoseconds processor_time_{};

  const engine::Options start_options_;

  mutable std::mutex mutex_;  ///< guards those below, which other threads reach
  engine::Options options_;
  engine::Search* running_ = nullptr;
  engine::Options running_options_;  ///< what the search that runs began with, and live changes
  bool running_timed_ = false;       ///< a clock bounds it
};

}  // namespace pitboss::protocol
