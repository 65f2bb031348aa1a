#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace pitboss::games {

/// The small letter of an ASCII capital; any other character as it is.
[[nodiscard]] constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// The text with small letters for ASCII's capitals.
[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), lower);
  return result;
}
/// Whether the texts are the same but for capitals of ASCII.
[[nodiscard]] constexpr bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace pitboss::games
