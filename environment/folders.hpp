#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace pitboss::environment {

/// A folder that cannot be told. The text is a sentence for the user.
class NoFolder : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A path as a user writes it, with `~` at its beginning replaced by the home folder (HOME, else
/// the one in the list of users), and `~NAME` by that of another user; any other path as it is.
/// Throws NoFolder if there is no such folder.
[[nodiscard]] std::filesystem::path expanded(const std::string& path);

/// Where files may be made that nobody needs later (TMPDIR, else /tmp). Throws NoFolder if that is
/// no folder.
[[nodiscard]] std::filesystem::path temporary_folder();

/// Where Pitboss keeps files that can be made anew (`pitboss` in XDG_CACHE_HOME if that is an
/// absolute path, else in `.cache` in the home folder); it need not exist. Throws NoFolder if there
/// is no home folder.
[[nodiscard]] std::filesystem::path cache_folder();
/// The same; empty if there is no home folder.
[[nodiscard]] std::filesystem::path cache_folder_if_any();

}  // namespace pitboss::environment
