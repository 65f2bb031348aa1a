#pragma once

#include <algorithm>
#include <string_view>

namespace pitboss::games {

/// The small letter of an ASCII capital; any other character as it is.
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// Whether the texts are the same but for capitals of ASCII.
[[nodiscard]] constexpr bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace pitboss::games
