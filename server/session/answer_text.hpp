#pragma once

#include <string>
#include <string_view>

/// Lists as answers write them.
namespace pitboss::server {

/// The items with `separator` between them.
[[nodiscard]] std::string joined(const auto& items, std::string_view separator) {
  std::string text;
  for (const auto& item : items) text.append(text.empty() ? "" : separator).append(item);
  return text;
}
[[nodiscard]] std::string lines(const auto& items) { return joined(items, "\n"); }
[[nodiscard]] std::string words(const auto& items) { return joined(items, " "); }

}  // namespace pitboss::server
