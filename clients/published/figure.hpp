#pragma once

#include <string>

#include "clients/published/table.hpp"

namespace pitboss::clients {

/// The figure of a table whose players have points, as a file in SVG: each series' scores with
/// their 95 % intervals. Empty if no match with a point has a record.
[[nodiscard]] std::string figure_of(const Table& table);

}  // namespace pitboss::clients
