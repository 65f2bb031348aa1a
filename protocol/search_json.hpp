#pragma once

#include <string>

#include "engine/search.hpp"

namespace pitboss::protocol {

/// The answer of `last_search`: the report and the options that are not at their defaults, as one
/// line of JSON.
[[nodiscard]] std::string search_json(const engine::Report& report, const engine::Options& options);

}  // namespace pitboss::protocol
