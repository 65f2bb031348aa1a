#pragma once

#include <string>

#include "engine/search.hpp"

namespace pitboss::protocol {

/// The answer of `last_search`, one line of JSON: the report, with those of its options that are
/// not at the program's defaults.
[[nodiscard]] std::string search_json(const engine::Report& report);

}  // namespace pitboss::protocol
