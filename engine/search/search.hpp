#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/models.hpp"
#include "engine/options/options.hpp"
#include "engine/progress.hpp"
#include "engine/root_rule.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

class Company;
class LeafBatch;

/// What has been proven of a move, for its mover: draws by an exact solver only.
enum class Proven : std::uint8_t { no, win, loss, draw };

/// What the search knows of one move of a position, its root or another one.
struct MoveReport {
  std::string move;     ///< as players write it
  std::int64_t visits;  ///< simulations that began with this move
  /// Mean reward for the side to move, in [0, 1]; bonuses widen that by up to half their bounds on
  /// either side. 1, 0 or 1/2 if the move is proven.
  double value;
  double novelty;       ///< mean novelty of the positions below it, not scaled by alpha
  double variance = 0;  ///< of the results whose mean is `value`
  std::optional<double>
      prior{};  ///< probability of the move before it was searched, if there is one

  Proven proven = Proven::no;

  // Only for moves whose continuation was asked for.
  std::vector<std::string> pv{};          ///< principal variation that begins with this move
  std::vector<std::int64_t> pv_visits{};  ///< of each of its moves

  games::Move code{};  ///< of the move, as `AnyGame::play` takes it
};

/// The tables of one estimator, of all threads together (ME-MCTS).
struct TableReport {
  std::string estimator;
  std::int64_t bytes = 0;
  std::int64_t entries = 0;    ///< moves in contexts that it knows
  std::int64_t evictions = 0;  ///< entries that others have replaced
};

/// What an exact solver has proven of the root.
struct ExactResult {
  int score;           ///< of the best move (ExactMove::score)
  bool counts_points;  ///< whether that is the points by which the game is won or lost
};

/// Where one simulation went.
struct PathReport {
  std::vector<std::string> moves;  ///< from the root to the leaf
  std::vector<double> values;      ///< of the leaf, by colour, in turn order
  bool expanded;                   ///< it was the leaf's first: the tree has grown by the leaf
};

/// The state of a search between two slices.
struct Report {
  std::string game;
  std::int64_t simulations = 0;
  std::int64_t reused = 0;  ///< simulations of earlier searches whose results were kept
  double seconds = 0;       ///< spent inside `run`
  std::int64_t nodes = 0;   ///< positions in the tree
  std::int64_t bytes = 0;   ///< of tree memory in use
  int max_depth = 0;        ///< plies
  bool tree_full = false;   ///< the tree reached its bound and stopped growing
  std::uint64_t seed = 0;   ///< that repeats this search

  // Of the position that is reported: the root, or that of `report_below`.
  std::vector<std::string> path{};  ///< the moves from the root to it
  std::int64_t visits = 0;          ///< simulations through it, those reused included
  std::string move;                 ///< to be played; empty if none below the root has been tried
  std::optional<ExactResult> exact{};  ///< proven; what `move`, a best one, comes to
  /// Most visited first (split_moves: by first halves), proven wins before, losses after others.
  std::vector<MoveReport> moves;
  std::vector<std::string> pv;  ///< principal variation; begins with `move`

  Options options;                  ///< that the search used, live changes included
  std::vector<PathReport> paths{};  ///< of the last simulations, the newest last (Limits::paths)
  std::vector<TableReport> tables{};
  std::optional<NetworkUse> network{};
  std::optional<FeatureUse> features{};  ///< that the options name and use
  int players = 2;
};

/// What a search has taken since it began.
struct Effort {
  std::int64_t simulations = 0;
  int depth = 0;                              ///< of its deepest simulation, in plies
  std::chrono::nanoseconds processor_time{};  ///< of all its threads
  std::chrono::nanoseconds time{};            ///< from its begin to the end of its last slice
};

/// What an evaluator says of one position.
struct Assessment {
  std::vector<double> values;  ///< by colour, in turn order
  /// The legal moves and their probabilities; empty if the evaluator has no policy.
  std::vector<std::pair<std::string, double>> policy;
  std::optional<NetworkUse> network;
  std::optional<FeatureUse> features{};
};

/// When a search ends by itself: at whichever bound comes first; at least one must be set unless it
/// is endless. Times are wall clock from `begin`, but for `processor_time`. No search makes more
/// than `max_simulations`.
struct Limits {
  std::optional<std::int64_t> simulations;        ///< the option's
  std::optional<std::chrono::milliseconds> time;  ///< the option's
  /// The option's: what the search may use of a processor. For one thread that evaluates leaves
  /// itself.
  std::optional<std::chrono::milliseconds> processor_time;
  std::optional<std::chrono::milliseconds> clock;  ///< a game clock's; no option changes it
  bool endless = false;           ///< options set no bound, neither now nor by live changes
  bool until_full = false;        ///< ends when the tree is full
  std::set<std::string> avoided;  ///< root moves that are not tried; one must be left
  /// The last search goes on as if it had not ended, and `simulations` counts from there. It can if
  /// it was of this very position, by one thread and with evaluations at once, if neither search
  /// avoids moves and if their options differ in live ones only. If it cannot, a new search begins
  /// and reuses its tree as by `reuse_tree`; for the same position whatever that option says.
  bool goes_on = false;
  /// Of how many simulations, the last ones, `report` tells the paths; only with one thread.
  std::size_t paths = 0;
  /// Begins the simulations; empty: the selection rule does. For a search by one thread without
  /// estimators.
  RootRule root_rule{};

  [[nodiscard]] bool is_bounded() const { return simulations || time || processor_time || clock; }
};

/// The limits that the options and, if given, a clock set. Throws BadOption if there is none.
[[nodiscard]] Limits limits_of(const Options& options,
                               std::optional<std::chrono::milliseconds> clock = std::nullopt);

/// A tree search for one game, as a task that is run in slices. It holds no thread and prints
/// nothing. Memory is taken at the first `run` and kept for the next search.
///
/// One thread at a time uses a search, and reports are asked for between two slices. Any thread may
/// call `help`, `stop` and `update` at any time: of a search with one thread neither `run` nor a
/// report takes a lock; one with several guards what they share by a lock of its own, which is held
/// for about a microsecond.
class Search {
 public:
  virtual ~Search() = default;

  /// Sets up a search from `position`, which must be a game of this search's type and not be
  /// finished. `ply` is the number of plies played so far and makes the random numbers of one
  /// game's searches differ. Quick; blocks while threads are inside `help`. Throws BadOption if the
  /// options do not fit together or the game lacks what they ask for; then the last search can
  /// still be reported. `waker` is called when a search that has returned `waiting` is to be run
  /// again: an evaluation has arrived, or `stop` or `update` was called.
  virtual void begin(const games::AnyGame& position, int ply, const Options& options,
                     const Limits& limits, Waker waker = {}) = 0;
  /// Searches for about `slice` of the thread's processor time and returns; blocks the caller.
  /// `waiting`: nothing can be done before a leaf's evaluation arrives, or the search's time is
  /// over. Throws std::bad_alloc if there is no memory for the tree: OutOfBudget if `memory` has
  /// none; BadOption if a network cannot serve the search.
  virtual Progress run(std::chrono::microseconds slice) = 0;

  // The same leaf by leaf, for one thread with several searches whose networks it has evaluate
  // their leaves together. A seed gives the same search however `run` and `step` alternate.

  /// Whether the search that has begun can be made leaf by leaf: it has one thread, and a network
  /// evaluates in this process.
  [[nodiscard]] virtual bool has_steps() const = 0;
  /// Searches until there is a leaf to evaluate and leaves it in the batch, which is to be
  /// evaluated before the next `step`, `run` or report; or makes a few simulations whose leaves are
  /// known. `now` is the time, about. Reports do not count the time that it takes. Throws as `run`.
  virtual Progress step(LeafBatch& batch, Progress::TimePoint now) = 0;
  /// The next `run` of a search that has steps has the company's searches make theirs.
  virtual void run_next_with(Company& company) = 0;

  /// For the threads beyond the first of a search with `threads` above 1: searches along with `run`
  /// for about `slice`; blocks the caller. `done` when the search is over or has its threads. When
  /// `run` returns `done`, no thread is inside `help` any more.
  virtual Progress help(std::chrono::microseconds slice) = 0;
  /// Threads for which the search begun last has work.
  [[nodiscard]] virtual int threads() const = 0;
  /// Ends the search that runs within a fraction of a millisecond (a few simulations). Does not
  /// wait for that.
  virtual void stop() noexcept = 0;
  /// Hands the live options (OptionRow::effect) to the search that runs; a bound set to 0 is
  /// removed, unless none would be left. Does not wait for the search.
  virtual void update(const Options& options) = 0;

  /// Evaluates unfinished positions of one game of this search's type as a search with `options`
  /// would evaluate leaves; a network evaluates them together. Neither uses nor changes a search,
  /// but holds the network for the next call; may block for a network's loading, and for an
  /// evaluator elsewhere until `stop` is requested. Throws as `begin` does, BadOption also when it
  /// was stopped.
  [[nodiscard]] virtual std::vector<Assessment> evaluate_all(
      std::span<const games::AnyGame* const> positions, const Options& options,
      const std::stop_token& stop) const = 0;
  /// The same of one position.
  [[nodiscard]] Assessment evaluate(const games::AnyGame& position, const Options& options,
                                    const std::stop_token& stop = {}) const {
    const games::AnyGame* const one = &position;
    return std::move(evaluate_all({&one, 1}, options, stop).front());
  }

  /// Forgets the last search: the next one reuses nothing of it, and it can no longer be reported.
  /// Not to be called while a search runs.
  virtual void forget() = 0;

  // To be called between two slices; but for the first two, threads in `help` may be searching.

  /// The move to play in the position that the search began with (AnyGame::play); before the first
  /// simulation any legal move that is not avoided. No thread may be inside `help`.
  [[nodiscard]] virtual games::Move best_move() const = 0;
  /// Its value, as in its `MoveReport`; nothing before the first simulation. No thread may be
  /// inside `help`.
  [[nodiscard]] virtual std::optional<double> best_value() const = 0;
  /// All that is known. The best `continuations` moves come with their principal variations, some
  /// microseconds each.
  [[nodiscard]] virtual Report report(int continuations = 0) const = 0;
  /// The same of the position after these moves, each legal after those before it, as the tree
  /// knows it; nothing if the tree does not have it. No thread may be inside `help`.
  [[nodiscard]] virtual std::optional<Report> report_below(
      std::span<const games::Move> path) const = 0;
  /// What has been done since `begin`: the part of the report that costs nothing.
  [[nodiscard]] virtual Effort effort() const = 0;
};

class MemorySource;

/// A search for games of `game`'s type, with the models that options may name. Takes some kB, from
/// `begin` on some ten kB for each thread, estimators' tables at the first `run`, and its tree as
/// it grows: tables and trees are reserved in `memory`, if there is one. A tree for which there is
/// no memory stops to grow (Report::tree_full).
[[nodiscard]] std::unique_ptr<Search> make_search(
    const games::AnyGame& game, const Models& models = {},
    const std::shared_ptr<MemorySource>& memory = nullptr);
/// Throws the BadOption that `Search::begin` would.
void check_options(const games::AnyGame& game, const Options& options);

}  // namespace pitboss::engine
