#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/exact/exact_solver.hpp"
#include "engine/search/search.hpp"
#include "server/session/search_tree.hpp"
#include "server/session/table_search.hpp"

namespace pitboss::server {

/// What has been proven, in a word: "win", "loss" or "draw".
[[nodiscard]] std::string_view word_of(engine::Proven proven);

/// What a solver knows of the moves of a position, and its score, if that is known.
[[nodiscard]] std::string truth_json(const games::AnyGame& position,
                                     const engine::ExactSolver& solver, std::optional<int> score);

/// The 95 % interval of a move's value, within [0, 1].
struct Interval {
  double low;
  double high;
};
/// Nothing for a move that is neither proven nor visited.
[[nodiscard]] std::optional<Interval> interval_of(const engine::MoveReport& move);

/// What a line of `analyze json` tells beside its report.
struct AnalysisFrame {
  std::int64_t sequence;             ///< of the line, from 1
  std::chrono::nanoseconds elapsed;  ///< since the analysis began
  const engine::Options& before;     ///< that the line before has told of
  bool pv_visits;
};
/// A line of `analyze json`, an object with the keys of `search_json`: of the moves only `told`,
/// each with up to `longest_pv` moves of its principal variation. `position` is the search's.
[[nodiscard]] std::string analysis_json(const engine::Report& report,
                                        const games::AnyGame& position,
                                        const std::vector<std::size_t>& told,
                                        const AnalysisFrame& frame);
inline constexpr std::size_t longest_pv = 15;  // as in KataGo

/// The answer of `last_search`, one line of JSON: the report, with the options that differ from the
/// program's defaults. `position` is the search's.
[[nodiscard]] std::string search_json(const engine::Report& report, const games::AnyGame& position);
/// The answer of `last_tree` and the key `tree` of `analyze json`, one line of JSON.
[[nodiscard]] std::string tree_json(const std::vector<TreeMove>& moves);
/// The answer of `simulate`: the same with the report's paths.
[[nodiscard]] std::string simulations_json(const engine::Report& report,
                                           const games::AnyGame& position);

/// The answer of `evaluations`: how many values other machines and this one have computed, and
/// which networks and features were used.
[[nodiscard]] std::string evaluations_json(const ModelsUsed& used);

/// What an evaluator says of a position, as one line of JSON: `values` by colour, `policy` by move
/// (null without one), `evaluator`, `network`.
[[nodiscard]] std::string assessment_json(const games::AnyGame& position,
                                          const engine::Options& options,
                                          const engine::Assessment& assessment);

/// The value of a move as `last_value` and `duel` write it: "0.512".
[[nodiscard]] std::string value_text(double value);
/// A time as `last_effort` and `duel` write it, in seconds: "0.003120".
[[nodiscard]] std::string seconds_text(std::chrono::nanoseconds time);

}  // namespace pitboss::server
