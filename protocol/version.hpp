#pragma once

#include <string>
#include <string_view>

namespace pitboss::protocol {

/// Of the release, as "0.1.0".
extern const std::string_view version;
/// The commit that the program is built from, "-modified" behind it if sources have changed since;
/// empty if the sources do not lie in a repository.
extern const std::string_view commit;

/// "NAME 0.1.0 (commit 0123456789)".
[[nodiscard]] inline std::string version_of(const std::string& name) {
  const std::string built = commit.empty() ? "" : " (commit " + std::string(commit) + ")";
  return name + " " + std::string(version) + built;
}

}  // namespace pitboss::protocol
