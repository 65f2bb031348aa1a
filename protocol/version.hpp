#pragma once

#include <string>
#include <string_view>

namespace pitboss::protocol {

/// The release, as in "0.1.0".
extern const std::string_view version;
/// The commit that the program is built from, with "-modified" appended if sources have changed
/// since; empty outside a repository.
extern const std::string_view commit;

/// "NAME 0.1.0 (commit 0123456789)".
[[nodiscard]] inline std::string version_of(const std::string& name) {
  const std::string built = commit.empty() ? "" : " (commit " + std::string(commit) + ")";
  return name + " " + std::string(version) + built;
}

}  // namespace pitboss::protocol
