#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace pitboss::clients {

/// The number that the whole text is; nothing if it is anything else.
template <class Number>
[[nodiscard]] std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

}  // namespace pitboss::clients
