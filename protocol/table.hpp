#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/search.hpp"
#include "games/any_game.hpp"
#include "games/records/game_record.hpp"
#include "games/records/move_steps.hpp"
#include "protocol/clock.hpp"
#include "protocol/session.hpp"
#include "protocol/turn.hpp"

namespace pitboss::protocol {

/// An engine instance: a game with its history, the clock, the options and the search. One session
/// sits at it, or several do if it has a name (tables.hpp). Every member checks before it changes
/// anything; failures are BadGame or BadOption. `set_options`, `options`, `option_lines` and
/// `interrupt` may be called by any thread; `turn` belongs to the thread that handles lines; the
/// rest to whoever has the turn.
class Table {
 public:
  explicit Table(const SessionConfig& config);
  /// Who uses the table just now, and who is waiting for it.
  [[nodiscard]] Turn& turn() { return turn_; }
  [[nodiscard]] const Turn& turn() const { return turn_; }

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  /// The position before the first of the moves.
  [[nodiscard]] const games::AnyGame& start() const { return *start_; }
  [[nodiscard]] const std::vector<std::string>& moves() const { return moves_; }
  /// Which of the games of this table it is, counted from 1; one from another position is another.
  [[nodiscard]] std::uint64_t game_number() const { return game_number_; }
  [[nodiscard]] Clock& clock() { return clock_; }

  /// A new game; the search and its memory are kept if it is of the same kind.
  void new_game(std::string_view name, const games::Parameters& parameters);
  /// The same game from its initial position.
  void clear();
  /// A new game that has come as far as the record, whose moves are legal.
  void resume(games::Record record);
  /// The same, with all options reset to what the table began with but for these.
  void resume(games::Record record, const std::vector<engine::Assignment>& assignments);
  void set_position(std::string_view text);
  /// A position of the same game, without a history; the game goes on with its clock.
  void start_from(std::unique_ptr<games::AnyGame> position);
  void play(std::string_view move);
  /// If the game is over and the move a pass, of either side, notes it, to be taken back like any;
  /// else, or if there are a hundred of them, returns false. Referees that know only Go end a drawn
  /// game by two passes.
  bool pass_after_end(std::string_view move);
  /// Takes the last `count` whole moves back, and what has been chosen of the next. False, and
  /// changes nothing, if there are not so many.
  bool undo(std::size_t count = 1);

  /// The move that is being made point by point (docs/dialects.md).
  [[nodiscard]] const games::MoveSteps& steps() const { return steps_; }
  /// Chooses a point of a move, or plays a whole move.
  void play_step(std::string_view text);
  /// Takes the last `count` chosen points back; false, and changes nothing, if there are not so
  /// many.
  bool undo_steps(std::size_t count);
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
  /// Sets options, all or none, and says whether all of them take effect at once. A search that
  /// runs is not left without a bound.
  engine::Effect set_options(const std::vector<engine::Assignment>& assignments);
  /// Sets all options, to what the table began with but for these. No search may run.
  void reset_options(const std::vector<engine::Assignment>& assignments);
  /// The options as a table of UCI lines; the defaults are those the session began with.
  [[nodiscard]] std::string option_lines() const;

  /// Sets up a search of the position, bounded by the options and, if `timed`, by the clock, that
  /// does not try some of the moves.
  void begin_search(bool timed, std::vector<std::string> avoided = {});
  /// Sets up a search that nothing but `interrupt` ends, and that does not try some of the moves.
  void begin_analysis(std::vector<std::string> avoided);
  /// Sets up a search on the opponent's time by one thread: ends when the tree is full, or after
  /// ten minutes. `last_search` does not tell of it.
  void begin_pondering();
  [[nodiscard]] engine::Progress search(std::chrono::microseconds slice);
  /// Engine::Search::on_ready of the search that has been set up, until it ends.
  void on_ready(std::function<void()> call) { search_->on_ready(std::move(call)); }
  /// Engine::Search::wake_at of that search.
  [[nodiscard]] std::chrono::steady_clock::time_point wake_at() const { return search_->wake_at(); }
  /// The search that `begin_search` has set up.
  [[nodiscard]] std::shared_ptr<engine::Search> current_search() const { return search_; }
  /// What the search that `begin_search` has set up has found so far, between two slices.
  [[nodiscard]] engine::Report report(int continuations) const {
    return search_->report(continuations);
  }
  /// Ends the search and tells its move: the best of those that go on with the points chosen.
  [[nodiscard]] std::string best_move();
  /// Ends the search, of which nothing more is wanted.
  void end_search() noexcept;
  /// Ends a search that has failed.
  void abandon_search() noexcept;
  /// Keeps nothing of the last search.
  void forget_search();
  /// The last search of this game, pondering apart; nothing if there was none.
  [[nodiscard]] std::optional<engine::Report> last_search() const;
  /// The position which `last_search` began with; null if there was none in this game.
  [[nodiscard]] const games::AnyGame* searched_position() const { return searched_position_.get(); }

  /// Whether there has been a search, so that there is a tree.
  [[nodiscard]] bool has_search() const { return search_ || outdated_search_; }
  /// Whether a search has begun and not ended. Any thread.
  [[nodiscard]] bool is_searching() const;

  /// Takes from the clock of the side to move what its move has used, and its way to the client.
  void spend_time(std::chrono::steady_clock::duration used);
  /// What all searches here have used of the processor; of a search with several threads the first
  /// one's.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const { return processor_time_; }

  /// Ends the search that runs, if any.
  void interrupt() noexcept;

 private:
  /// What the clock allows the side to move.
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_for_move() const;

  /// Throws BadOption unless this table may have these options for that game.
  void check(const engine::Options& options, const games::AnyGame& game) const;
  [[nodiscard]] engine::Options start_options_with(
      const std::vector<engine::Assignment>& assignments) const;
  void enter(games::Record record, const engine::Options& options);
  void begin(const engine::Options& options, const engine::Limits& limits, bool bounded_by_options);

  Turn turn_;
  MakeSearch make_search_;
  std::int64_t tree_mb_limit_;
  std::unique_ptr<games::AnyGame> game_;
  std::unique_ptr<games::AnyGame> start_;
  std::vector<std::string> moves_;
  std::uint64_t game_number_ = 1;
  games::MoveSteps steps_;
  Clock clock_;
  std::shared_ptr<engine::Search> search_;
  /// Of the game before, until the next search runs: to release a large tree takes too long for the
  /// thread that handles lines.
  std::shared_ptr<engine::Search> outdated_search_;
  bool searched_ = false;
  std::unique_ptr<games::AnyGame> searched_position_;
  std::optional<engine::Report> before_pondering_;
  std::chrono::nanoseconds processor_time_{};

  const engine::Options start_options_;

  mutable std::mutex mutex_;  ///< guards those below, which other threads reach
  engine::Options options_;
  engine::Search* running_ = nullptr;
  engine::Options running_options_;  ///< what the search that runs began with, and live changes
  bool running_bounded_ = false;     ///< by the options alone
  bool running_ponders_ = false;
};

}  // namespace pitboss::protocol
