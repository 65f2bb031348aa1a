#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "engine/search.hpp"

/// What the tests of searches share.
namespace pitboss::tests {

inline engine::Options options_of(std::string_view assignments) {
  engine::Options options;
  options.seed = 1;
  for (const auto& [name, value] : engine::parse_assignments(assignments)) {
    engine::set_option(options, name, value);
  }
  return options;
}

/// A whole search by one thread; slices as small as `slice`.
inline engine::Report searched(const games::AnyGame& game, const engine::Options& options,
                               std::chrono::microseconds slice = std::chrono::seconds(1)) {
  const auto search = engine::make_search(game);
  search->begin(game, 0, options, engine::limits_of(options));
  while (search->run(slice) != engine::Progress::done) {
  }
  return search->report();
}

inline std::vector<std::int64_t> visits(const engine::Report& report) {
  std::vector<std::int64_t> list;
  for (const engine::MoveReport& m : report.moves) list.push_back(m.visits);
  return list;
}

inline const std::vector<std::string> measures{"none", "pseudocount", "pseudocount-features",
                                               "evaluation", "threshold"};

}  // namespace pitboss::tests
