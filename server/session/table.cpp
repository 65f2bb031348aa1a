#include "server/session/table.hpp"

#include <utility>

#include "server/session/pondering.hpp"

namespace pitboss::server {

Table::Table(const SessionConfig& config)
    : history_({games::make_game(config.game), {}}),
      options_(config.options, config.tree_mb_limit),
      search_(config.make_search, config.shared) {
  engine::check_options(game(), options());
  kind_ = {game().name(), game().parameters()};
}

Table::Kind Table::played() const {
  const std::scoped_lock lock(mutex_);
  return kind_;
}

void Table::new_game(std::string_view name, const games::Parameters& parameters) {
  resume({games::make_game(name, parameters), {}});
}

void Table::clear() { new_game(game().name(), game().parameters()); }

void Table::resume(games::Record record) { enter(std::move(record), options()); }

void Table::resume(games::Record record, const std::vector<engine::Assignment>& assignments) {
  enter(std::move(record), options_.start_with(assignments));
}

void Table::enter(games::Record record, const engine::Options& options) {
  GameHistory next(std::move(record), history_.number() + 1);
  options_.check(options, next.game());
  options_.set(options);
  // Even equal positions belong to another game.
  next.game().name() == game().name() ? search_.forget() : search_.forget_type();
  search_.count_anew();
  history_ = std::move(next);
  clock_.restart();
  const std::scoped_lock lock(mutex_);
  kind_ = {game().name(), game().parameters()};
}

engine::Effect Table::set_options(const std::vector<engine::Assignment>& assignments) {
  engine::Options changed = options();
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
  Pondering::obey_options(*this);
  return fits_search && live.size() == assignments.size() ? engine::Effect::live
                                                          : engine::Effect::next_search;
}

void Table::reset_options(const std::vector<engine::Assignment>& assignments) {
  const engine::Options options = options_.start_with(assignments);
  options_.check(options, game());
  options_.set(options);
}

std::optional<std::chrono::milliseconds> Table::time_for_move() const {
  const int to_come = moves_to_come(static_cast<int>(history_.moves().size()), game().max_plies(),
                                    game().players());
  return clock_.for_move(game().to_move(), std::chrono::milliseconds(options().lag_ms), to_come);
}

void Table::spend_time(std::chrono::steady_clock::duration used) {
  clock_.spend(game().to_move(), used + std::chrono::milliseconds(options().lag_ms));
}

void Table::begin_search(const SearchPlan& plan) {
  search_.begin(game(), static_cast<int>(history_.moves().size()), plan);
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
