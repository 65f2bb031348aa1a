#include "engine/search/exact_search.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "engine/search/slice.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

namespace {

using environment::AwakeClock;

/// What an endless search looks for: proofs in so much time of its solver, which has half of the
/// search's. After ten times as much it expects none any more.
constexpr double endless_seconds = 20;
constexpr std::size_t most_table_bytes = std::size_t{128} << 20U;
constexpr double table_bytes_a_position = 32;
/// A table is for so many positions at least: a proof may take ten thousand times what is expected,
/// and in a table that keeps next to nothing of a bite it is never found.
constexpr double least_table_positions = 2 * positions_a_bite;
/// How often a thread that is to help with the simulations looks whether they have begun.
constexpr std::chrono::milliseconds helper_pause{2};

/// How long a simulation takes, about.
double seconds_a_simulation(const Options& options) {
  return options.evaluation == EvaluatorKind::network ? 200e-6 : 20e-6;
}

double value_of(int score) { return score > 0 ? 1 : score < 0 ? 0 : 0.5; }

void prove(MoveReport& move, int score) {
  move.proven = proven_of(score);
  move.value = value_of(score);
  move.variance = 0;
}

/// What is known of a drawn position's moves; those that lose come last.
void prove_known(std::vector<MoveReport>& moves, std::span<const ExactMove> known) {
  for (MoveReport& move : moves) {
    const auto exact = std::ranges::find(known, move.code, &ExactMove::code);
    if (exact != known.end() && exact->score) prove(move, *exact->score);
  }
  std::ranges::stable_partition(moves,
                                [](const MoveReport& move) { return move.proven != Proven::loss; });
}

}  // namespace

void ExactSearch::begin(const games::AnyGame& position, int ply, const Options& options,
                        const Limits& limits, Waker waker) {
  search_->begin(position, ply, options, limits, std::move(waker));
  control_.begin(options, limits);
  solver_.reset();
  table_.release();
  proof_.reset();
  positions_ = 0;
  has_simulated_ = false;
  processor_time_ = solving_time_ = time_ = {};
  position_ = position.clone();
  const bool asks_for_best_move = limits.avoided.empty() && !limits.goes_on && !limits.root_rule &&
                                  !limits.until_full && !limits.processor_time;
  is_solving_ = options.exact && asks_for_best_move && is_promising();
  helpers_wait_ = is_solving_ && is_first();
}

/// How many positions the solver may look at.
double ExactSearch::most_positions() const {
  const double speed = positions_a_second(*position_);
  if (const auto simulations = control_.limits().simulations) {
    return static_cast<double>(*simulations) * seconds_a_simulation(control_.options()) * speed;
  }
  return control_.limits().endless ? 10 * endless_seconds * speed
                                   : std::numeric_limits<double>::infinity();
}

/// Until when the solver may go on.
SearchControl::TimePoint ExactSearch::deadline() const {
  const auto deadline = control_.deadline();
  if (!is_first() || deadline == SearchControl::TimePoint::max()) return deadline;
  return control_.begun() + (deadline - control_.begun()) / 2;
}

bool ExactSearch::is_promising() const {
  const double speed = positions_a_second(*position_);
  double affordable = most_positions();
  if (control_.limits().endless) affordable = std::min(affordable, endless_seconds * speed);
  if (control_.deadline() != SearchControl::TimePoint::max()) {
    const std::chrono::duration<double> time = control_.deadline() - control_.begun();
    affordable = std::min(affordable, time.count() / 2 * speed);
  }
  const auto expected = expected_positions(*position_);
  return expected && *expected <= affordable;
}

Progress ExactSearch::run(std::chrono::microseconds slice) {
  if (is_solving_) {
    if (!is_first()) slice /= 2;
    const auto before = solving_time_;
    solve(slice);
    if (is_solving_ && is_first()) return Progress::runnable;
    // A solver's bite may take several slices.
    const auto taken =
        std::chrono::duration_cast<std::chrono::microseconds>(solving_time_ - before);
    if (!is_first()) slice = std::max(slice, taken);
  }
  if (is_decided()) return end_simulations(slice);
  has_simulated_ = true;
  const Progress progress = simulate(slice);
  // Who has been stopped while the solver was at work still chooses by the simulations of a slice.
  if (control_.is_stopped()) search_->stop();
  if (progress == Progress::done) end_solving();
  if (proof_ && control_.limits().endless) return end_simulations(slice);
  return is_solving_ ? Progress::runnable : progress;
}

Progress ExactSearch::simulate(std::chrono::microseconds slice) {
  try {
    return search_->run(slice);
  } catch (const OutOfBudget&) {
    if (!solver_) throw;
    end_solving();  // there may be enough without its table
    return Progress::runnable;
  }
}

/// The move is known: ends the search that has begun, and that others may help.
Progress ExactSearch::end_simulations(std::chrono::microseconds slice) {
  search_->stop();
  try {
    while (has_simulated_ && search_->run(slice) != Progress::done) {
    }
  } catch (const OutOfBudget&) {  // NOLINT(bugprone-empty-catch): there is nothing to end
  }
  return Progress::done;
}

Progress ExactSearch::help(std::chrono::microseconds slice) {
  if (helpers_wait_ && !control_.is_stopped())
    return Progress::waiting(AwakeClock::now() + helper_pause);
  return search_->help(slice);
}

void ExactSearch::make_solver() {
  const double expected = expected_positions(*position_).value_or(0);
  const double likely = std::max(10 * expected, least_table_positions);
  const double wanted = std::min(most_positions(), likely) * table_bytes_a_position;
  const auto most =
      std::min(most_table_bytes, static_cast<std::size_t>(control_.options().tree_mb) << 20U);
  const auto bytes = static_cast<std::size_t>(std::min(wanted, static_cast<double>(most)));
  table_ = Reservation(memory_, MemorySource::Kind::trees, bytes);
  solver_ = make_exact_solver(*position_, bytes);
}

/// Goes on with the solver for a slice; afterwards it is at work no more if it has proven the root
/// or has had its share.
void ExactSearch::solve(std::chrono::microseconds slice) {
  const auto begun = AwakeClock::now();
  const auto processor_time = thread_time();
  try {
    if (!solver_) make_solver();
    search_for_proof(begun + slice);
  } catch (const std::bad_alloc&) {
    is_solving_ = false;
  }
  if (!is_solving_) end_solving();
  const auto now = AwakeClock::now();
  processor_time_ += thread_time() - processor_time;
  solving_time_ += now - begun;
  time_ = now - control_.begun();
}

void ExactSearch::end_solving() {
  is_solving_ = false;
  helpers_wait_ = false;
  solver_.reset();
  table_.release();
}

void ExactSearch::search_for_proof(SearchControl::TimePoint until) {
  do {
    if (control_.has_update()) control_.take_update();
    const bool has_had_its_share =
        static_cast<double>(positions_) >= most_positions() || AwakeClock::now() >= deadline();
    if (control_.is_stopped() || has_had_its_share) {
      is_solving_ = false;
      return;
    }
    Patience patience(deadline(), {}, positions_a_bite);
    const auto best = solver_->best(patience);
    positions_ += patience.positions();
    if (best) {
      auto moves = solver_->moves();
      const int score = *best->score;
      const bool counts_points = solver_->counts_points();
      const bool is_only_draw =
          score == 0 && std::ranges::count(moves, best->score, &ExactMove::score) == 1;
      const bool ranks_loss = score < 0 && solver_->ranks_losses();
      proof_ = {.best = *best,
                .counts_points = counts_points,
                .decides = score > 0 || is_only_draw || counts_points || ranks_loss,
                .moves = std::move(moves)};
      is_solving_ = false;
      return;
    }
  } while (AwakeClock::now() < until);
}

void ExactSearch::stop() noexcept {
  control_.stop();
  if (!helpers_wait_) search_->stop();
}

void ExactSearch::update(const Options& options) {
  control_.update(options);
  search_->update(options);
}

void ExactSearch::forget() {
  end_solving();
  proof_.reset();
  search_->forget();
}

const ExactMove& ExactSearch::chosen() const {
  const auto drawing = [&](games::Move code) -> const ExactMove* {
    const auto move = std::ranges::find(proof_->moves, code, &ExactMove::code);
    return move != proof_->moves.end() && move->score == 0 ? &*move : nullptr;
  };
  if (proof_->decides) return proof_->best;
  if (const ExactMove* const move = drawing(search_->best_move())) return *move;
  for (const MoveReport& next : search_->report().moves) {
    if (const ExactMove* const move = drawing(next.code)) return *move;
  }
  return proof_->best;
}

games::Move ExactSearch::best_move() const {
  const bool chooses = proof_ && (proof_->decides || *proof_->best.score == 0);
  return chooses ? chosen().code : search_->best_move();
}

std::optional<double> ExactSearch::best_value() const {
  return proof_ ? std::optional(value_of(*proof_->best.score)) : search_->best_value();
}

Report ExactSearch::report(int continuations) const {
  Report report = search_->report(continuations);
  report.seconds += std::chrono::duration<double>(solving_time_).count();
  if (!has_simulated_) {  // so that it has taken no update
    const std::uint64_t seed = report.options.seed;
    report.options = control_.options();
    report.options.seed = seed;
  }
  if (!proof_) return report;
  const int score = *proof_->best.score;
  report.exact = ExactResult{score, proof_->counts_points};
  if (report.moves.empty()) {  // no simulation has been made
    for (const ExactMove& move : proof_->moves) {
      report.moves.push_back({.move = move.move, .visits = 0, .value = 0.5, .novelty = 0});
      report.moves.back().code = move.code;
    }
  }
  if (score < 0) {
    for (MoveReport& move : report.moves) prove(move, score);
  }
  if (!proof_->decides && score < 0) return report;
  report.move = chosen().move;
  if (score == 0) prove_known(report.moves, proof_->moves);
  const auto best = std::ranges::find(report.moves, report.move, &MoveReport::move);
  prove(*best, score);
  std::rotate(report.moves.begin(), best, best + 1);
  const std::vector<std::string>& line = report.moves.front().pv;
  if (!line.empty()) {
    report.pv = line;
  } else if (report.pv.empty() || report.pv.front() != report.move) {
    report.pv = {report.move};
  }
  return report;
}

Effort ExactSearch::effort() const {
  Effort effort = search_->effort();
  effort.processor_time += processor_time_;
  effort.time = std::max(effort.time, time_);
  return effort;
}

}  // namespace pitboss::engine
