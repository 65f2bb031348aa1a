#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// What the solver knows of a move, for the side that makes it.
enum class Proven : std::uint8_t { no, win, loss };

/// What the search knows of one move of its root.
struct MoveReport {
  std::string move;
  std::int64_t visits;  ///< simulations that began with this move
  /// Mean reward for the side to move, in [0, 1]; bonuses widen that by up to half their bounds on
  /// either side. 1 or 0 if proven.
  double value;
  double novelty;       ///< mean novelty of the positions behind it, not scaled by alpha
  double variance = 0;  ///< of the results whose mean is `value`

  Proven proven = Proven::no;

  // Only of the moves whose continuation was asked for.
  std::vector<std::string> pv{};          ///< principal variation that begins with this move
  std::vector<std::int64_t> pv_visits{};  ///< of each of its moves
};

/// The memory of one estimator, of all threads together (ME-MCTS).
struct TableReport {
  std::string estimator;
  std::int64_t bytes = 0;
  std::int64_t entries = 0;    ///< moves in contexts that it knows
  std::int64_t evictions = 0;  ///< entries that had to make room for others
};

/// The state of a search between two slices.
struct Report {
  std::string game;
  std::int64_t simulations = 0;
  std::int64_t reused = 0;  ///< simulations of the searches before whose results were kept
  double seconds = 0;       ///< spent inside `run`
  std::int64_t nodes = 0;   ///< positions in the tree
  std::int64_t bytes = 0;   ///< of tree memory in use
  int max_depth = 0;        ///< plies
  bool tree_full = false;   ///< the tree reached its bound and stopped growing
  std::uint64_t seed = 0;   ///< that repeats this search
  std::string move;         ///< to be played
  /// Most visited first, but proven wins before and proven losses behind all others.
  std::vector<MoveReport> moves;
  std::vector<std::string> pv;  ///< principal variation; begins with `move`
  Options options;              ///< that the search used, live changes included
  std::vector<TableReport> tables{};
};

/// When a search ends by itself: at whichever bound comes first; at least one must be set unless it
/// is endless. Times are wall clock from `begin`. No search makes more than `max_simulations`.
struct Limits {
  std::optional<std::int64_t> simulations;         ///< the option's
  std::optional<std::chrono::milliseconds> time;   ///< the option's
  std::optional<std::chrono::milliseconds> clock;  ///< a game clock's; no option changes it
  bool endless = false;     ///< the options bound nothing, neither now nor when they change
  bool until_full = false;  ///< ends when the tree is full
  std::vector<std::string> avoided;  ///< moves of the root that are not tried; not all of them
};

/// The limits that the options and perhaps a clock state. Throws BadOption if there is none.
[[nodiscard]] Limits limits_of(const Options& options,
                               std::optional<std::chrono::milliseconds> clock = std::nullopt);

/// What a slice of a search has come to. `waiting`: nothing can be done before the value of a leaf
/// arrives; whoever runs the search need not run it before `on_ready` calls or `wake_at` has come.
enum class Progress : std::uint8_t { runnable, waiting, done };

/// A tree search for one game, as a task that is run in slices. It holds no thread and prints
/// nothing. One thread at a time may use it, except for `help`, `stop`, `update` and `on_ready`,
/// which any thread may call at any time. Memory is taken at the first `run` and kept for the next
/// search.
class Search {
 public:
  virtual ~Search() = default;

  /// Sets up a search from `position`, which must be a game of this search's type and not be
  /// finished. `ply` is the number of plies played so far and makes the random numbers of one
  /// game's searches differ. Throws BadOption if the options do not fit together or the game lacks
  /// what they ask for; then the last search is still there to report.
  virtual void begin(const games::AnyGame& position, int ply, const Options& options,
                     const Limits& limits) = 0;
  /// Searches for about `slice` of the thread's processor time and returns; blocks the caller.
  /// Throws std::bad_alloc if there is no memory for the tree.
  virtual Progress run(std::chrono::microseconds slice) = 0;
  /// Sets what is called when a search that has answered `waiting` is to be run again: a value has
  /// arrived, or `stop` or `update` was called. The call comes from any thread, perhaps when
  /// nothing waits; it must not block, throw or use the search. When `on_ready` returns, no call of
  /// the function set before is under way. An empty function: nobody is called.
  virtual void on_ready(std::function<void()> call) = 0;
  /// When a search that waits is to be run again though nothing has arrived: the end of its time;
  /// time_point::max() if it has none.
  [[nodiscard]] virtual std::chrono::steady_clock::time_point wake_at() const = 0;
  /// For the threads beyond the first of a search whose option `threads` is above 1: searches
  /// along with `run` for about `slice`. `done` when the search is over or has its threads. When
  /// `run` returns `done`, none is in here any more.
  virtual Progress help(std::chrono::microseconds slice) = 0;
  /// Threads that the search which has begun has work for.
  [[nodiscard]] virtual int threads() const = 0;
  /// Ends the search that runs within a fraction of a millisecond (a few simulations).
  virtual void stop() noexcept = 0;
  /// Hands the live options (OptionRow::effect) to the search that runs; a bound of the options
  /// that is taken away falls, unless it is the last. Does not wait for the search.
  virtual void update(const Options& options) = 0;

  /// The next search reuses nothing of the last one, which can no longer be reported. Not while one
  /// runs.
  virtual void forget() = 0;

  /// The move to play; valid once a simulation has been made, else any legal move.
  [[nodiscard]] virtual std::string best_move() const = 0;
  /// Between two slices; threads that help may be searching. The best `continuations` moves come
  /// with theirs, which takes some microseconds each.
  [[nodiscard]] virtual Report report(int continuations = 0) const = 0;
};

/// A search for games of `game`'s type; takes some kB, from `begin` on some ten kB for each thread,
/// and its tree at the first `run`.
[[nodiscard]] std::unique_ptr<Search> make_search(const games::AnyGame& game);
/// Throws the BadOption that `Search::begin` would.
void check_options(const games::AnyGame& game, const Options& options);

}  // namespace pitboss::engine
