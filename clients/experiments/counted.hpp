#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// "1 game", "2 games".
[[nodiscard]] std::string counted(std::integral auto count, std::string_view thing) {
  return std::to_string(count) + " " + std::string(thing) + (count == 1 ? "" : "s");
}

}  // namespace pitboss::clients
