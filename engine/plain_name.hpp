#pragma once

#include <algorithm>
#include <string_view>

namespace pitboss::engine {

/// Whether the text may be a name that people choose and files, logs and lines have as it is: 1 to
/// 64 of A-Z a-z 0-9 _ - .
[[nodiscard]] constexpr bool is_plain_name(std::string_view text) {
  constexpr std::size_t longest = 64;
  return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  });
}

}  // namespace pitboss::engine
