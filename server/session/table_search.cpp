#include "server/session/table_search.hpp"

#include <algorithm>
#include <utility>

namespace pitboss::server {

namespace {

void add_once(const std::string& sha256, std::vector<std::string>& known) {
  if (std::ranges::find(known, sha256) == known.end()) known.push_back(sha256);
}

}  // namespace

void ModelsUsed::add(const engine::Report& report, const engine::NetworkUse& counted) {
  if (report.features) add_once(report.features->sha256, feature_sets);
  if (!report.network) return;
  add_once(report.network->sha256, networks);
  const engine::NetworkUse more = report.network->since(counted);
  network.evaluations += more.evaluations;
  network.cached += more.cached;
  network.remote += more.remote;
}

TableSearch::TableSearch(MakeSearch make_search, SharedByTables shared)
    : make_search_(std::move(make_search)), shared_(std::move(shared)) {
  if (shared_.memory) part_ = std::make_shared<engine::MemoryPart>(shared_.memory);
}

TableSearch::~TableSearch() {
  if (shared_.memory) shared_.memory->forget(*this);
}

void TableSearch::begin(const games::AnyGame& position, int ply, const SearchPlan& plan) {
  if (part_) part_->belong_to(plan.caller.client);
  recall();
  try {
    auto reported = plan.is_reported ? position.clone() : nullptr;
    const std::scoped_lock lock(mutex_);
    if (!search_) search_ = make_search_(position, part_);
    auto before = plan.is_reported ? std::nullopt : told();
    search_->begin(position, ply, plan.options, plan.limits, plan.caller.waker);
    running_ = Running{plan.options, plan.bounded_by_options};
    hurry_ = plan.caller.hurry;
    has_begun_ = true;
    before_ = std::move(before);
    if (reported) position_ = std::move(reported);
  } catch (...) {
    lend();
    throw;
  }
  patience_ = SteadyClock::now() + engine::OutOfBudget::patience;
  counted_ = search_->effort();  // some, if the last search goes on
  if (counted_.simulations == 0) counted_use_ = {};
  if (shared_.counts) shared_.counts->searches.fetch_add(1, std::memory_order_relaxed);
}

engine::Progress TableSearch::run(std::chrono::microseconds slice) {
  release_outdated();
  const engine::Progress progress = run_or_wait(slice);
  count(search_->effort());
  if (progress == engine::Progress::done && uses_models()) {
    const engine::Report report = search_->report();
    models_used_.add(report, counted_use_);
    counted_use_ = report.network.value_or(engine::NetworkUse{});
  }
  return progress;
}

engine::Progress TableSearch::run_or_wait(std::chrono::microseconds slice) {
  try {
    return search_->run(slice);
  } catch (const engine::OutOfBudget& refusal) {
    const auto now = SteadyClock::now();
    if (!refusal.is_coming() || now >= patience_) {
      search_->stop();  // its helpers wait, too
      throw;
    }
    return engine::Progress::waiting(now + engine::OutOfBudget::pause);
  }
}

void TableSearch::begin_evaluation(const games::AnyGame& position, const Caller& caller) {
  if (part_) part_->belong_to(caller.client);
  recall();
  try {
    const std::scoped_lock lock(mutex_);
    if (!search_) search_ = make_search_(position, part_);
  } catch (...) {
    lend();
    throw;
  }
}

std::vector<engine::Assessment> TableSearch::evaluate(
    std::span<const games::AnyGame* const> positions, const engine::Options& options,
    const std::stop_token& stop) {
  release_outdated();
  return search_->evaluate_all(positions, options, stop);
}

void TableSearch::release_outdated() noexcept {
  std::shared_ptr<engine::Search> outdated;
  const std::scoped_lock lock(mutex_);
  outdated.swap(outdated_);
}

void TableSearch::count(const engine::Effort& effort) noexcept {
  processor_time_ += effort.processor_time - counted_.processor_time;
  if (shared_.counts) {
    shared_.counts->simulations.fetch_add(effort.simulations - counted_.simulations,
                                          std::memory_order_relaxed);
  }
  counted_ = effort;
}

/// Whether the running search uses a network or features.
bool TableSearch::uses_models() const {
  const std::scoped_lock lock(mutex_);
  if (!running_) return false;
  const engine::Options& options = running_->options;
  return options.evaluation == engine::EvaluatorKind::network || engine::uses_features(options);
}

void TableSearch::end() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    running_.reset();
  }
  lend();
}

void TableSearch::abandon() noexcept {
  {
    const std::scoped_lock lock(mutex_);
    has_begun_ = false;
  }
  end();
}

/// The tree may be released from now on.
void TableSearch::lend() noexcept {
  if (shared_.memory) shared_.memory->lend(*this);
}

void TableSearch::recall() noexcept {
  if (shared_.memory) shared_.memory->recall(*this, part_);
}

engine::MemoryBudget::Lent TableSearch::give_up() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || running_) return {};
  try {
    before_ = told();
  } catch (const std::bad_alloc&) {
    before_.reset();
  }
  has_begun_ = false;
  return {std::move(search_), std::move(outdated_)};
}

engine::MemoryBudget::Lender::Way TableSearch::give_way() noexcept {
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || !running_) return {};
  search_->stop();
  if (shared_.counts) shared_.counts->gave_way.fetch_add(1, std::memory_order_relaxed);
  return {true, hurry_};
}

void TableSearch::forget() {
  const std::scoped_lock lock(mutex_);
  if (search_) search_->forget();
  forget_results();
}

void TableSearch::forget_type() {
  const std::scoped_lock lock(mutex_);
  // If there is an outdated search already, `search_` has not run and has no tree.
  if (!outdated_) outdated_ = std::move(search_);
  search_.reset();
  forget_results();
}

void TableSearch::forget_results() {
  has_begun_ = false;
  position_.reset();
  before_.reset();
}

std::optional<TableSearch::Told> TableSearch::told() const {
  if (before_ || !has_begun_) return before_;
  return Told{search_->report(), search_->best_value(), search_->effort()};
}

std::optional<engine::Report> TableSearch::last() const {
  const std::scoped_lock lock(mutex_);
  if (before_) return before_->report;
  if (!has_begun_) return std::nullopt;
  return search_->report();
}

std::optional<engine::Report> TableSearch::last_below(std::span<const games::Move> path) const {
  const std::scoped_lock lock(mutex_);
  return !before_ && has_begun_ ? search_->report_below(path) : std::nullopt;
}

bool TableSearch::has_last_tree() const {
  const std::scoped_lock lock(mutex_);
  return !before_ && has_begun_;
}

std::optional<double> TableSearch::last_value() const {
  const std::scoped_lock lock(mutex_);
  if (before_) return before_->value;
  return has_begun_ ? search_->best_value() : std::nullopt;
}

std::optional<engine::Effort> TableSearch::last_effort() const {
  const std::scoped_lock lock(mutex_);
  if (before_) return before_->effort;
  return has_begun_ ? std::optional(search_->effort()) : std::nullopt;
}

bool TableSearch::last_is_exact() const {
  const auto effort = last_effort();
  return effort && effort->simulations == 0 && last()->exact;
}

bool TableSearch::has_tree() const {
  const std::scoped_lock lock(mutex_);
  return search_ || outdated_;
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

}  // namespace pitboss::server
