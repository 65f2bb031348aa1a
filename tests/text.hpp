#pragma once

#include <string>
#include <string_view>

namespace pitboss::tests {

/// How often a part stands in a text.
inline int count(const std::string& text, std::string_view part) {
  int found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace pitboss::tests
