#pragma once

#include <chrono>
#include <string>

#include "engine/search.hpp"
#include "server/session/table_search.hpp"

namespace pitboss::server {

/// The answer of `last_search`, one line of JSON: the report, with the options that differ from the
/// program's defaults.
[[nodiscard]] std::string search_json(const engine::Report& report);

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
