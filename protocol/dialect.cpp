#include "protocol/dialect.hpp"

#include <algorithm>
#include <array>

namespace pitboss::protocol {

namespace {

constexpr std::array<std::string_view, 3> names{"plain", "gogui", "hexgui"};

}  // namespace

std::string_view dialect_name(Dialect dialect) { return names[static_cast<std::size_t>(dialect)]; }

std::optional<Dialect> dialect_named(std::string_view name) {
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Dialect>(found - names.begin());
}

}  // namespace pitboss::protocol
