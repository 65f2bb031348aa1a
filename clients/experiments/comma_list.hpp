#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// "0.1,0.3,1" as its parts, of which some may be empty; there is at least one.
[[nodiscard]] inline std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == ',') {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

}  // namespace pitboss::clients
