#include "server/session/table.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "environment/awake_clock.hpp"
#include "server/session/analysis.hpp"
#include "server/session/pondering.hpp"

namespace pitboss::server {

Table::Table(const SessionConfig& config)
    : history_({games::make_game(config.game), {}}),
      options_(config.options, config.tree_mb_limit),
      search_(config.make_search, config.shared) {
  engine::check_options(game(), options());
  kind_ = {game().name(), game().parameters()};
  told_place_ = place();
}

Table::~Table() = default;

Table::Kind Table::played() const {
  const std::scoped_lock lock(mutex_);
  return kind_;
}

void Table::new_game(std::string_view name, const games::Parameters& parameters) {
  resume({games::make_game(name, parameters), {}});
}

void Table::clear() { new_game(game().name(), games::Parameters(history_.begun_with())); }

void Table::resume(games::Record record) { enter(std::move(record), options()); }

void Table::resume(games::Record record, const std::vector<engine::Assignment>& assignments) {
  enter(std::move(record), options_.start_with(assignments));
}

void Table::go_on_as(games::Record record) {
  GameHistory next = history_;
  next.go_on_as(std::move(record));
  options_.check(options(), next.game());
  search_.forget();
  set_history(std::move(next));
}

void Table::all_or_nothing(const std::function<void()>& change) {
  GameHistory before = history_;
  try {
    change();
  } catch (...) {
    set_history(std::move(before));
    throw;
  }
}

void Table::enter(games::Record record, const engine::Options& options) {
  GameHistory next(std::move(record), history_.number() + 1);
  options_.check(options, next.game());
  const engine::Options before = this->options();
  options_.set(options);
  tell_options(before);
  // Even equal positions belong to another game.
  next.game().name() == game().name() ? search_.forget() : search_.forget_type();
  search_.count_anew();
  set_history(std::move(next));
  clock_.restart();
}

void Table::set_history(GameHistory history) {
  history_ = std::move(history);
  const std::scoped_lock lock(mutex_);
  kind_ = {game().name(), game().parameters()};
}

engine::Effect Table::set_options(const std::vector<engine::Assignment>& assignments) {
  const engine::Options before = options();
  engine::Options changed = before;
  std::vector<engine::Assignment> live;
  for (const engine::Assignment& assignment : assignments) {
    if (engine::set_option(changed, assignment.name, assignment.value) == engine::Effect::live) {
      live.push_back(assignment);
    }
  }
  // A search may be playing its move meanwhile: `check` reads only what never changes in a game.
  options_.check(changed, game());
  const bool fits_search = search_.update(
      live, [this](const engine::Options& options) { return options_.allows(options, game()); });
  options_.set(changed);
  tell_options(before);
  Pondering::obey_options(*this);
  return fits_search && live.size() == assignments.size() ? engine::Effect::live
                                                          : engine::Effect::next_search;
}

void Table::reset_options(const std::vector<engine::Assignment>& assignments) {
  const engine::Options options = options_.start_with(assignments);
  options_.check(options, game());
  const engine::Options before = this->options();
  options_.set(options);
  tell_options(before);
}

void Table::tell_options(const engine::Options& before) {
  if (audience_.is_empty()) return;
  const engine::Options now = options();
  std::map<std::string, std::string> changed;
  for (const engine::OptionRow& row : engine::option_rows()) {
    std::string value = engine::get_option(now, row);
    if (value != engine::get_option(before, row)) {
      changed.emplace(row.name, std::move(value));
    }
  }
  if (!changed.empty()) audience_.tell_options(changed);
}

Table::Place Table::place() const {
  const auto& moves = history_.moves();
  return {history_.number(), moves.size(), moves.empty() ? std::string() : moves.back()};
}

void Table::tell_changes() {
  const Place now = place();
  if (std::exchange(told_place_, now) != now) audience_.tell_position();
}

std::shared_ptr<const TableView> Table::view() const {
  return std::make_shared<const TableView>(TableView{history_.start().clone(), game().clone(),
                                                     history_.moves(), history_.movers(), clock_});
}

engine::Progress Table::run_search(std::chrono::microseconds slice) {
  constexpr auto interval = std::chrono::milliseconds(100);
  constexpr int divisor = 10;  // of the time for reports
  auto progress = search_.run(slice);
  if (audience_.is_empty()) return progress;
  const auto now = environment::AwakeClock::now();
  if (told_search_ && now >= next_report_) {
    audience_.tell_search(told_search_->line());
    const auto used = environment::AwakeClock::now() - now;
    next_report_ = now + std::max<environment::AwakeClock::duration>(interval, divisor * used);
  }
  if (progress.is_waiting()) progress.wake_at = std::min(progress.wake_at, next_report_);
  return progress;
}

std::optional<std::chrono::milliseconds> Table::time_for_move() const {
  const int to_come = moves_to_come(static_cast<int>(history_.moves().size()), game().max_plies(),
                                    game().players());
  return clock_.for_move(game().to_move(), std::chrono::milliseconds(options().lag_ms), to_come);
}

void Table::spend_time(environment::AwakeClock::duration used) {
  clock_.spend(game().to_move(), used + std::chrono::milliseconds(options().lag_ms));
}

void Table::begin_search(const SearchPlan& plan) {
  search_.begin(game(), static_cast<int>(history_.moves().size()), plan);
  if (!plan.limits.avoided.empty()) avoided_at_ = place();
  AnalysisRequest told{AnalysisForm::json};
  told.avoided = plan.limits.avoided;
  told_search_ = std::make_unique<Analysis>(*this, std::move(told));
}

void Table::begin_move(bool timed, Caller caller, std::set<std::string> avoided) {
  const auto time = timed ? time_for_move() : std::nullopt;
  const engine::Options options = this->options();
  SearchPlan plan{options, engine::limits_of(options, time), !time.has_value()};
  plan.limits.avoided = std::move(avoided);
  plan.caller = std::move(caller);
  begin_search(plan);
}

games::Move Table::best_move() {
  const games::Move best = search_.best_move();
  if (history_.steps().chosen().empty()) {
    search_.end();
    return best;
  }
  std::vector<std::string> moves{game().text(best)};
  for (const engine::MoveReport& m : search_.report().moves) moves.push_back(m.move);
  search_.end();
  return game().find(history_.steps().first_agreeing(game(), moves));
}

}  // namespace pitboss::server
