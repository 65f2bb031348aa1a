#pragma once

#include <filesystem>
#include <string>

namespace pitboss::environment {

/// The file of a program that a user names: a name with a slash is its path, any other is looked
/// for in the folders of PATH, then in /usr/games, where Debian has games and root's PATH does not
/// look. Empty if there is no such file that may be executed.
[[nodiscard]] std::filesystem::path program_file(const std::string& name);

}  // namespace pitboss::environment
