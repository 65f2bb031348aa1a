#include "protocol/table_search.hpp"

#include <algorithm>
#include <utility>

#include "engine/drivers/thread_time.hpp"

namespace pitboss::protocol {

void TableSearch::begin(const games::AnyGame& position, int ply, const SearchPlan& plan) {
  if (!search_) search_ = make_search_(position);
  auto before = plan.is_reported ? std::nullopt : last();
  {
    const std::scoped_lock lock(mutex_);
    search_->begin(position, ply, plan.options, plan.limits);
    running_ = Running{plan.options, plan.bounded_by_options};
  }
  has_begun_ = true;
  before_ = std::move(before);
  if (plan.is_reported) position_ = position.clone();
}

engine::Progress TableSearch::run(std::chrono::microseconds slice) {
  outdated_.reset();
  const auto before = engine::thread_time();
  const engine::Progress progress = search_->run(slice);
  processor_time_ += engine::thread_time() - before;
  if (progress == engine::Progress::done && has_network()) count_evaluations();
  return progress;
}

/// Whether the search that runs has one.
bool TableSearch::has_network() const {
  const std::scoped_lock lock(mutex_);
  return running_ && running_->options.evaluation == engine::EvaluatorKind::network;
}

void TableSearch::count_evaluations() {
  const auto use = search_->report().network;
  if (!use) return;
  evaluations_.evaluations += use->evaluations;
  evaluations_.cached += use->cached;
  evaluations_.remote += use->remote;
}

void TableSearch::end() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    running_.reset();
  }
  if (search_) search_->on_ready({});
}

void TableSearch::abandon() noexcept {
  end();
  has_begun_ = false;
}

void TableSearch::forget() {
  if (search_) search_->forget();
  has_begun_ = false;
  position_.reset();
  before_.reset();
}

void TableSearch::forget_type() {
  if (search_) outdated_ = std::move(search_);
  forget();
}

std::optional<engine::Report> TableSearch::last() const {
  if (before_) return before_;
  if (!has_begun_) return std::nullopt;
  return search_->report();
}

std::optional<double> TableSearch::last_value() const {
  if (!before_) return has_begun_ ? search_->best_value() : std::nullopt;
  const auto best = std::ranges::find(before_->moves, before_->move, &engine::MoveReport::move);
  return best == before_->moves.end() ? std::nullopt : std::optional(best->value);
}

bool TableSearch::is_running() const {
  const std::scoped_lock lock(mutex_);
  return running_.has_value();
}

void TableSearch::interrupt() noexcept {
  const std::scoped_lock lock(mutex_);
  if (running_) search_->stop();
}

bool TableSearch::update(const std::vector<engine::Assignment>& live,
                         const std::function<bool(const engine::Options&)>& allowed) {
  const std::scoped_lock lock(mutex_);
  if (!running_) return true;
  engine::Options options = running_->options;
  for (const auto& [name, value] : live) engine::set_option(options, name, value);
  if (options == running_->options) return true;
  if (!allowed(options)) return false;
  if (running_->bounded_by_options) static_cast<void>(engine::limits_of(options));
  running_->options = options;
  search_->update(options);
  return true;
}

}  // namespace pitboss::protocol
