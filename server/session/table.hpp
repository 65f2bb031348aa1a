#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "environment/awake_clock.hpp"
#include "protocol/access.hpp"
#include "server/session/audience.hpp"
#include "server/session/clock.hpp"
#include "server/session/colour_seats.hpp"
#include "server/session/game_history.hpp"
#include "server/session/session_config.hpp"
#include "server/session/table_options.hpp"
#include "server/session/table_search.hpp"
#include "server/session/turn.hpp"

namespace pitboss::server {

class Analysis;

/// What `state` and `geometry` tell of a table, as it was at one moment.
struct TableView {
  std::shared_ptr<const games::AnyGame> start;  ///< the position before the first move
  std::shared_ptr<const games::AnyGame> game;
  std::vector<std::string> moves;
  std::vector<games::Colour> movers;
  Clock clock;
};

/// An engine instance: a game with its history, the clock, the options and the search. One session
/// sits at it, or several do if it has a name (tables.hpp). Every member checks before it changes
/// anything; failures are BadGame, BadOption or LimitError. Any thread may call `played`,
/// `options`, `initial_options`, `audience` and what TableSearch lets any thread call. `turn`,
/// `ownership`, `colour_seats`, `seated` and `kept_view` belong to the thread that handles lines,
/// and so does `set_options`, to be called while no worker handles a line of the table; the rest
/// belongs to the command that has the turn.
class Table {
 public:
  /// A game without its position.
  struct Kind {
    std::string_view name;
    games::Parameters parameters;
  };

  explicit Table(const SessionConfig& config);
  ~Table();
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  /// The command that has the table, and who waits for it.
  [[nodiscard]] Turn& turn() { return turn_; }
  [[nodiscard]] const Turn& turn() const { return turn_; }
  /// The table's owner, if it has a name.
  [[nodiscard]] protocol::Ownership& ownership() { return ownership_; }
  [[nodiscard]] const protocol::Ownership& ownership() const { return ownership_; }
  /// Who may move for which colour, where people hold any.
  [[nodiscard]] ColourSeats& colour_seats() { return colour_seats_; }
  [[nodiscard]] const ColourSeats& colour_seats() const { return colour_seats_; }
  /// The client of each session at the table, if the table has or had a name; else empty.
  [[nodiscard]] std::vector<protocol::Identity>& seated() { return seated_; }
  [[nodiscard]] const std::vector<protocol::Identity>& seated() const { return seated_; }
  [[nodiscard]] GameHistory& history() { return history_; }
  [[nodiscard]] const GameHistory& history() const { return history_; }
  [[nodiscard]] const games::AnyGame& game() const { return history_.game(); }
  [[nodiscard]] Kind played() const;
  [[nodiscard]] Clock& clock() { return clock_; }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] TableSearch& search() { return search_; }
  [[nodiscard]] const TableSearch& search() const { return search_; }

  /// Those who watch.
  [[nodiscard]] Audience& audience() { return audience_; }
  /// Tells them if the game has changed since the last call. No command may have the table.
  void tell_changes();

  [[nodiscard]] std::shared_ptr<const TableView> view() const;
  /// For others to look at while a command has the table; null: they have to wait.
  [[nodiscard]] const std::shared_ptr<const TableView>& kept_view() const { return kept_view_; }
  /// Before a command takes the table, and when it releases it.
  void keep_view() { kept_view_ = seated_.empty() ? nullptr : view(); }
  void drop_view() { kept_view_.reset(); }

  /// Begins a new game; keeps the search and its memory if the game has the same name.
  void new_game(std::string_view name, const games::Parameters& parameters);
  /// Begins the same game from its initial position.
  void clear();
  /// Begins a new game and plays the moves of the record, which are legal.
  void resume(games::Record record);
  /// The same, with all options reset to the table's initial ones but for these.
  void resume(games::Record record, const std::vector<engine::Assignment>& assignments);
  /// Goes on under other parameters, until the game begins anew, with the moves of the record,
  /// which are legal. The clock runs on.
  void go_on_as(games::Record record);
  /// Runs `change`, which plays moves; if it throws, the game is as it was before.
  void all_or_nothing(const std::function<void()>& change);

  [[nodiscard]] engine::Options options() const { return options_.current(); }
  /// What makes the options of the table's initial ones: presets first.
  [[nodiscard]] std::vector<engine::Assignment> changed_options() const {
    return options_.changed();
  }
  /// Sets all of these options or none, and tells whether all take effect at once. Fails if that
  /// would leave a running search without a bound.
  engine::Effect set_options(const std::vector<engine::Assignment>& assignments);
  /// Resets all options to the table's initial ones but for these. No search may run.
  void reset_options(const std::vector<engine::Assignment>& assignments);
  [[nodiscard]] const engine::Options& initial_options() const { return options_.start(); }
  /// The most that `tree_mb` may be.
  [[nodiscard]] std::int64_t tree_mb_limit() const { return options_.tree_mb_limit(); }

  /// Runs the search for about `slice` (TableSearch::run), and tells those who watch about it, ten
  /// times a second at most.
  [[nodiscard]] engine::Progress run_search(std::chrono::microseconds slice);
  /// Sets up a search of the position.
  void begin_search(const SearchPlan& plan);
  /// Whether a search of the position has avoided moves, whose tree another one may go on with.
  [[nodiscard]] bool has_avoided_moves() const { return avoided_at_ == place(); }
  /// Sets up a search for a move, bounded by the options and, if `timed`, by the clock. The search
  /// does not try the moves `avoided`; if it waits, it calls `caller.waker` when it can go on.
  void begin_move(bool timed, Caller caller = {}, std::set<std::string> avoided = {});
  /// Ends the search and returns its move: the best of those that begin with the points chosen.
  [[nodiscard]] games::Move best_move();
  /// Subtracts from the clock of the side to move the time its move has used, and the lag to the
  /// client.
  void spend_time(environment::AwakeClock::duration used);

 private:
  /// What the clock allows the side to move.
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_for_move() const;
  void enter(games::Record record, const engine::Options& options);
  void set_history(GameHistory history);
  void tell_options(const engine::Options& before);

  /// By which `tell_changes` knows a position.
  struct Place {
    std::uint64_t game;
    std::size_t moves;
    std::string last_move;
    friend bool operator==(const Place&, const Place&) = default;
  };
  [[nodiscard]] Place place() const;

  Turn turn_;
  protocol::Ownership ownership_;
  ColourSeats colour_seats_;
  std::vector<protocol::Identity> seated_;
  mutable std::mutex mutex_;  ///< guards `kind_`
  Kind kind_;
  GameHistory history_;
  Clock clock_;
  TableOptions options_;
  TableSearch search_;
  Audience audience_;
  std::shared_ptr<const TableView> kept_view_;
  Place told_place_{};
  std::optional<Place> avoided_at_{};      ///< where the last search that avoided moves was
  std::unique_ptr<Analysis> told_search_;  ///< what is told of the search
  environment::AwakeClock::time_point next_report_{};
};

}  // namespace pitboss::server
