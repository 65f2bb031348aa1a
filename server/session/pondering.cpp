#include "server/session/pondering.hpp"

#include <exception>
#include <string_view>
#include <utility>

namespace pitboss::server {

namespace {

/// The command that `tables` shows for a table while it ponders.
constexpr std::string_view ponder_command = "ponder";

bool is_wanted(const engine::Options& options) { return options.ponder && options.reuse_tree; }

SearchPlan plan_for(engine::Options options, Caller caller) {
  options.threads = 1;
  SearchPlan plan{options, {}};
  plan.limits.endless = true;
  plan.limits.until_full = true;
  plan.limits.clock = std::chrono::minutes(10);
  plan.is_reported = false;
  plan.caller = std::move(caller);
  return plan;
}

}  // namespace

std::shared_ptr<Pondering> Pondering::begin(const std::shared_ptr<Table>& table, Caller caller) {
  const engine::Options options = table->options();
  if (!is_wanted(options) || !table->turn().is_free() || table->game().result().finished()) {
    return nullptr;
  }
  auto pondering = std::make_shared<Pondering>(table);
  // All that can fail comes before the table is taken, since a taken table must be released.
  std::function<void()> yield = [weak = std::weak_ptr(pondering)] {
    const auto it = weak.lock();
    if (!it) return;
    it->table_->search().interrupt();
    if (it->hurry_) it->hurry_();
  };
  // An idle task may have to wait for others for ever.
  caller.hurry = std::make_shared<const std::function<void()>>([weak = std::weak_ptr(pondering)] {
    const auto it = weak.lock();
    if (it && it->hurry_) it->hurry_();
  });
  table->begin_search(plan_for(options, std::move(caller)));
  table->keep_view();
  table->turn().take(ponder_command, std::move(yield));
  return pondering;
}

bool Pondering::has(const Turn& turn) { return turn.what() == ponder_command; }

void Pondering::obey_options(Table& table) {
  if (has(table.turn()) && !is_wanted(table.options())) table.turn().ask();
}

Pondering::~Pondering() {
  if (!ended_) table_->search().end();
}

engine::Progress Pondering::run(std::chrono::microseconds slice) noexcept {
  try {
    const auto progress = table_->run_search(slice);
    if (progress == engine::Progress::done) table_->search().end();
    return progress;
  } catch (const std::exception&) {
    // No memory for a second tree, or the network has gone: the next search begins anew.
    table_->search().abandon();
  }
  return engine::Progress::done;
}

void Pondering::end() {
  ended_ = true;
  table_->search().end();
  table_->drop_view();
  table_->turn().release();
}

}  // namespace pitboss::server
