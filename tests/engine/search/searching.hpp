#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/search/search.hpp"
#include "games/all_games.hpp"
#include "games/boxed_game.hpp"

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

/// The names of all estimators, with commas between them.
inline std::string all_estimators() {
  std::string names;
  for (const auto& row : engine::estimator_rows()) {
    names.append(names.empty() ? "" : ",").append(row.name);
  }
  return names;
}

/// The position inside of a game of type G.
template <class G>
const G& inside(const games::AnyGame& game) {
  return dynamic_cast<const games::BoxedGame<G>&>(game).game();
}
template <class G>
G initial_position(const games::Parameters& parameters = {}) {
  return inside<G>(*games::make_game(G::name, parameters));
}

/// A whole search of `game` at `ply` by one thread; slices as small as `slice`.
inline engine::Report search_on(engine::Search& search, const games::AnyGame& game, int ply,
                                const engine::Options& options,
                                std::chrono::microseconds slice = std::chrono::seconds(1)) {
  search.begin(game, ply, options, engine::limits_of(options));
  while (search.run(slice) != engine::Progress::done) {
  }
  return search.report();
}

/// The same by a search of its own.
inline engine::Report searched(const games::AnyGame& game, const engine::Options& options,
                               std::chrono::microseconds slice = std::chrono::seconds(1)) {
  return search_on(*engine::make_search(game), game, 0, options, slice);
}

/// A whole search with all the threads that it wants; `meanwhile` is done between two slices.
inline engine::Report search_by_threads(
    engine::Search& search, const games::AnyGame& game, const engine::Options& options,
    std::chrono::microseconds slice = std::chrono::seconds(1),
    const std::function<void(engine::Search&)>& meanwhile = {}) {
  search.begin(game, 0, options, engine::limits_of(options));
  std::vector<std::jthread> helpers;
  for (int i = 1; i < search.threads(); ++i) {
    helpers.emplace_back([&] {
      while (search.help(slice) == engine::Progress::runnable) {
      }
    });
  }
  while (search.run(slice) != engine::Progress::done) {
    if (meanwhile) meanwhile(search);
  }
  return search.report();
}

/// The same by a search of its own.
inline engine::Report searched_by_threads(
    const games::AnyGame& game, const engine::Options& options,
    std::chrono::microseconds slice = std::chrono::seconds(1),
    const std::function<void(engine::Search&)>& meanwhile = {}) {
  return search_by_threads(*engine::make_search(game), game, options, slice, meanwhile);
}

inline std::vector<std::int64_t> visits(const engine::Report& report) {
  std::vector<std::int64_t> list;
  for (const engine::MoveReport& m : report.moves) list.push_back(m.visits);
  return list;
}

inline std::int64_t sum_of_visits(const engine::Report& report) {
  const auto counts = visits(report);
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// Of an estimator's table; -1 if the search had none.
inline std::int64_t entries_of(const engine::Report& report, std::string_view estimator) {
  const auto found = std::ranges::find(report.tables, estimator, &engine::TableReport::estimator);
  return found == report.tables.end() ? -1 : found->entries;
}

inline const std::vector<std::string> measures{
    "none",      "pseudocount",         "pseudocount-features", "evaluation",
    "threshold", "evaluation-features", "threshold-features"};

/// Whether that game has what the measure counts.
inline bool is_measured(std::string_view game, std::string_view measure) {
  bool has_features = false;
  games::with_game(game,
                   [&]<class G>(std::type_identity<G>) { has_features = games::HasFeatures<G>; });
  return has_features || !measure.ends_with("-features");
}

/// What holds of every search of a game, made with `options` into an empty tree.
inline void check_report(const engine::Report& report, const games::AnyGame& game,
                         const engine::Options& options) {
  CHECK(report.simulations == options.simulations);
  // Every simulation begins with one move of the root.
  CHECK(sum_of_visits(report) == options.simulations);
  CHECK(std::ranges::is_sorted(visits(report), std::greater{}));
  CHECK(report.moves.size() == game.legal_moves().size());
  CHECK(report.nodes > 0);
  // A thread whose turn is over may leave a move that it has been given without a visit.
  if (options.threads == 1) CHECK(report.nodes <= options.simulations);
  const bool with_novelty = options.novelty != engine::Novelty::none;
  for (const engine::MoveReport& m : report.moves) {
    CHECK(m.value >= 0);
    CHECK(m.value <= 1);
    CHECK((with_novelty ? m.novelty >= 0 : m.novelty == 0));
  }
  // The principal variation can be played.
  CHECK_FALSE(report.pv.empty());
  const auto line = game.clone();
  for (const std::string& move : report.pv) CHECK_NOTHROW(line->play(move));
}

}  // namespace pitboss::tests
