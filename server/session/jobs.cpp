#include "server/session/jobs.hpp"

#include <algorithm>
#include <iterator>
#include <new>
#include <span>

#include "engine/search/company.hpp"
#include "protocol/error.hpp"
#include "protocol/limit.hpp"
#include "server/session/answer_text.hpp"
#include "server/session/graphics.hpp"
#include "server/session/search_json.hpp"

namespace pitboss::server {

namespace {

protocol::LimitError no_memory(const std::bad_alloc& error) {
  const std::string begin = "not enough memory for the search: ";
  const std::string advice = "set tree_mb or estimators_mb lower";
  const bool is_budget = dynamic_cast<const engine::OutOfBudget*>(&error) != nullptr;
  return {protocol::Limit::memory, begin + (is_budget ? std::string(error.what()) + "; " : "") +
                                       advice + (is_budget ? ", or ask again later" : "")};
}

}  // namespace

engine::Progress search_on(Table& table, std::chrono::microseconds slice) {
  try {
    return table.run_search(slice);
  } catch (const std::bad_alloc& error) {
    table.search().abandon();
    throw no_memory(error);
  } catch (const engine::BadOption&) {  // the network cannot be used
    table.search().abandon();
    throw;
  }
}

SearchJob::SearchJob(Table& table, Caller caller, bool plays, protocol::Dialect dialect, bool draws,
                     std::set<std::string> avoided)
    : table_(table), plays_(plays), dialect_(dialect), draws_(draws) {
  table_.begin_move(plays, std::move(caller), std::move(avoided));
}

engine::Progress SearchJob::run(std::chrono::microseconds slice) {
  const auto progress = search_on(table_, slice);
  is_over_ = progress == engine::Progress::done;
  return progress;
}

EvaluationJob::EvaluationJob(Table& table, const Caller& caller)
    : table_(table), has_list_(false), options_(table.options()) {
  positions_.push_back(table.game().clone());
  table_.search().begin_evaluation(table.game(), caller);
}

EvaluationJob::EvaluationJob(Table& table, const Caller& caller, Positions positions)
    : table_(table), positions_(std::move(positions)), has_list_(true), options_(table.options()) {
  table_.search().begin_evaluation(table.game(), caller);
}

engine::Progress EvaluationJob::run(std::chrono::microseconds slice) {
  const auto end = SteadyClock::now() + slice;
  do {
    if (!assessments_.empty() && stop_.stop_requested()) {
      throw protocol::CommandError(protocol::FailureCode::interrupted, "interrupted");
    }
    evaluate_some();
    if (assessments_.size() == positions_.size()) return engine::Progress::done;
  } while (SteadyClock::now() < end);
  return engine::Progress::runnable;
}

/// Evaluates as many positions together as leaves of searches in company.
void EvaluationJob::evaluate_some() {
  const std::size_t begin = assessments_.size();
  const std::size_t count = std::min<std::size_t>(positions_.size() - begin, engine::Company::most);
  std::vector<const games::AnyGame*> some;
  for (const auto& position : std::span(positions_).subspan(begin, count)) {
    some.push_back(position.get());
  }
  try {
    std::ranges::move(table_.search().evaluate(some, options_, stop_.get_token()),
                      std::back_inserter(assessments_));
  } catch (const std::bad_alloc& error) {
    throw no_memory(error);
  }
}

std::string EvaluationJob::answer() {
  if (!has_list_) return assessment_json(*positions_[0], options_, assessments_[0]);
  std::string list;
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    list += (i > 0 ? "," : "") + assessment_json(*positions_[i], options_, assessments_[i]);
  }
  return "{\"positions\":[" + list + "]}";
}

std::string SearchJob::answer() {
  const games::Move move = table_.best_move();
  std::string text = table_.game().text(move);
  if (plays_) {
    table_.spend_time(SteadyClock::now() - begun_);
    if (dialect_ == protocol::Dialect::gogui) {
      text = table_.history().play_first_step(text);
    } else {
      table_.history().play(move);
    }
  } else if (dialect_ == protocol::Dialect::gogui) {
    text = table_.history().first_step(text);
  }
  return spoken(dialect_, table_.game().shape(), text);
}

std::string SearchJob::update() {
  const auto now = SteadyClock::now();
  if (!draws_ || !(is_over_ || pictures_.is_due(now))) return {};
  pictures_.made(now);
  const std::string picture = live_graphics(table_.game(), table_.search().report(),
                                            table_.history().steps().chosen(), dialect_);
  return picture.empty() ? std::string{} : "gogui-gfx:\n" + picture + "\n\n";
}

TellingSearchJob::TellingSearchJob(Table& table, Caller caller, AnalysisRequest request,
                                   ClientFindings findings)
    : SearchJob(table, std::move(caller), true, protocol::Dialect::plain, false, request.avoided),
      analysis_(table, std::move(request)),
      findings_(std::move(findings)) {}

std::string TellingSearchJob::answer() {
  analysis_.leave_to(findings_);
  const std::string line = analysis_.line();
  return line + "\nplay " + SearchJob::answer();
}

AnalysisJob::AnalysisJob(Table& table, Caller caller, AnalysisRequest request,
                         ClientFindings findings)
    : table_(table), analysis_(table, request), findings_(std::move(findings)) {
  SearchPlan plan{table_.options(), {}};
  plan.limits.endless = true;
  plan.limits.simulations = request.most_simulations;
  plan.limits.time = request.most_time;
  plan.limits.goes_on = request.goes_on;
  plan.limits.avoided = std::move(request.avoided);
  plan.caller = std::move(caller);
  table_.begin_search(plan);
}

engine::Progress AnalysisJob::run(std::chrono::microseconds slice) {
  const auto progress = search_on(table_, slice);
  is_over_ = progress == engine::Progress::done;
  return progress;
}

std::string AnalysisJob::answer() {
  analysis_.leave_to(findings_);
  return is_interrupted_ ? analysis_.last_line() : analysis_.line();
}

SimulationsJob::SimulationsJob(Table& table, Caller caller, std::int64_t count,
                               ClientFindings findings)
    : table_(table), findings_(std::move(findings)) {
  SearchPlan plan{table_.options(), {}};
  plan.options.threads = 1;
  plan.limits.simulations = count;
  plan.limits.endless = true;
  plan.limits.goes_on = true;
  plan.limits.paths = most_paths;
  plan.caller = std::move(caller);
  table_.begin_search(plan);
}

std::string SimulationsJob::answer() {
  Analysis(table_, {AnalysisForm::json}).leave_to(findings_);
  return simulations_json(table_.search().report(), table_.game());
}

TruthJob::TruthJob(const games::AnyGame& position, SharedByTables shared, std::string client,
                   std::size_t table_bytes, std::chrono::duration<double> time)
    : position_(position.clone()),
      shared_(std::move(shared)),
      table_bytes_(table_bytes),
      end_(begun_ + std::chrono::duration_cast<SteadyClock::duration>(time)) {
  if (position.result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: no move has a result");
  }
  if (!engine::expected_positions(position)) {
    throw protocol::CommandError(protocol::FailureCode::unsupported,
                                 engine::why_unsolved(position));
  }
  if (!shared_.memory) return;
  part_ = std::make_shared<engine::MemoryPart>(shared_.memory);
  part_->belong_to(std::move(client));
  shared_.memory->recall(*this, part_);
}

TruthJob::~TruthJob() {
  // First, for whoever waits for the memory waits as long as the budget knows the lender.
  solver_.reset();
  reservation_.release();
  if (shared_.memory) shared_.memory->forget(*this);
}

engine::MemoryBudget::Lender::Way TruthJob::give_way() noexcept {
  stop_.request_stop();
  if (shared_.counts) shared_.counts->gave_way.fetch_add(1, std::memory_order_relaxed);
  return {true};
}

/// False if memory is coming.
bool TruthJob::make_solver() {
  // What has been interrupted finds nothing more.
  const std::size_t bytes = stop_.stop_requested() ? 0 : table_bytes_;
  try {
    reservation_ = engine::Reservation(part_, engine::MemorySource::Kind::trees, bytes);
    solver_ = engine::make_exact_solver(*position_, bytes);
    return true;
  } catch (const engine::OutOfBudget& refusal) {
    const auto patience = begun_ + engine::OutOfBudget::patience;
    if (refusal.is_coming() && SteadyClock::now() < patience) return false;
    throw no_memory(refusal);
  } catch (const std::bad_alloc& error) {
    throw no_memory(error);
  }
}

engine::Progress TruthJob::run(std::chrono::microseconds slice) {
  if (!solver_ && !make_solver()) {
    return engine::Progress::waiting(SteadyClock::now() + engine::OutOfBudget::pause);
  }
  engine::Patience patience(std::min(SteadyClock::now() + slice, end_), stop_.get_token());
  if (!best_) best_ = solver_->best(patience);
  const bool is_over =
      (best_ && solver_->run(patience)) || stop_.stop_requested() || SteadyClock::now() >= end_;
  return is_over ? engine::Progress::done : engine::Progress::runnable;
}

std::string TruthJob::answer() {
  return truth_json(*position_, *solver_, best_ ? best_->score : std::nullopt);
}

engine::Progress PerftJob::run(std::chrono::microseconds slice) {
  constexpr std::int64_t positions_per_look = 1000;
  const auto end = SteadyClock::now() + slice;
  do {
    if (interrupted_.load(std::memory_order_relaxed))
      throw protocol::CommandError(protocol::FailureCode::interrupted, "interrupted");
    if (perft_->advance(positions_per_look)) return engine::Progress::done;
  } while (SteadyClock::now() < end);
  return engine::Progress::runnable;
}

}  // namespace pitboss::server
