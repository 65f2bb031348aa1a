#include "server/session/table_options.hpp"

#include <algorithm>

#include "engine/search/search.hpp"
#include "protocol/limit.hpp"

namespace pitboss::server {

namespace {

engine::Options within(engine::Options options, std::int64_t tree_mb_limit) {
  options.tree_mb = std::min(options.tree_mb, tree_mb_limit);
  if (engine::memory_mb(options) <= tree_mb_limit) return options;
  options.tree_mb = std::clamp<std::int64_t>(tree_mb_limit - options.threads, 1, options.tree_mb);
  options.estimators_mb =
      std::max<std::int64_t>((tree_mb_limit - options.tree_mb) / options.threads, 1);
  if (engine::memory_mb(options) > tree_mb_limit) {
    throw engine::BadOption("estimators on " + std::to_string(options.threads) +
                            " threads need more than --tree-mb-limit allows, " +
                            std::to_string(tree_mb_limit) + " MiB");
  }
  return options;
}

}  // namespace

TableOptions::TableOptions(const engine::Options& start, std::int64_t tree_mb_limit)
    : tree_mb_limit_(tree_mb_limit), start_(within(start, tree_mb_limit)), current_(start_) {}

engine::Options TableOptions::current() const {
  const std::scoped_lock lock(mutex_);
  return current_;
}

engine::Options TableOptions::start_with(const std::vector<engine::Assignment>& assignments) const {
  engine::Options options = start_;
  for (const auto& [name, value] : assignments) engine::set_option(options, name, value);
  return options;
}

std::vector<engine::Assignment> TableOptions::changed() const {
  const engine::Options current = this->current();
  engine::Options made = start_;
  std::vector<engine::Assignment> all;
  const auto add = [&](const engine::OptionRow& row) {
    std::string value = engine::get_option(current, row);
    if (value == engine::get_option(made, row)) return;
    engine::set_option(made, row.name, value);
    all.push_back({std::string(row.name), std::move(value)});
  };
  add(engine::option_row("preset"));  // before what it sets
  for (const engine::OptionRow& row : engine::option_rows()) {
    if (row.name != "simulations") add(row);
  }
  // What `get_option` tells of it may follow from other options, and be no bound that was set.
  if (current.simulations && current.simulations != made.simulations) {
    all.push_back({"simulations", std::to_string(*current.simulations)});
  }
  return all;
}

void TableOptions::set(const engine::Options& options) {
  const std::scoped_lock lock(mutex_);
  current_ = options;
}

void TableOptions::check(const engine::Options& options, const games::AnyGame& game) const {
  if (options.tree_mb > tree_mb_limit_) {
    throw protocol::LimitError(
        protocol::Limit::tree_mb_limit,
        "tree_mb must be at most " + std::to_string(tree_mb_limit_) + " on this server");
  }
  if (engine::memory_mb(options) > tree_mb_limit_) {
    throw protocol::LimitError(protocol::Limit::tree_mb_limit,
                               "tree_mb plus threads times estimators_mb must be at most " +
                                   std::to_string(tree_mb_limit_) + " on this server");
  }
  engine::check_options(game, options);
}

bool TableOptions::allows(const engine::Options& options, const games::AnyGame& game) const {
  try {
    check(options, game);
    return true;
  } catch (const engine::BadOption&) {
    return false;
  } catch (const protocol::LimitError&) {
    return false;
  }
}

}  // namespace pitboss::server
