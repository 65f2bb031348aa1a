#include "environment/folders.hpp"

#include <pwd.h>
#include <unistd.h>

#include <system_error>
#include <vector>

#include "environment/variable.hpp"

namespace pitboss::environment {

namespace fs = std::filesystem;

namespace {

/// The home folder of a user, of the process's own if `name` is empty; empty if there is none.
std::string listed_home(const std::string& name) {
  std::vector<char> text(16384);
  passwd user{};
  passwd* found = nullptr;
  const int error = name.empty()
                        ? ::getpwuid_r(::geteuid(), &user, text.data(), text.size(), &found)
                        : ::getpwnam_r(name.c_str(), &user, text.data(), text.size(), &found);
  return error == 0 && found != nullptr ? found->pw_dir : "";
}

}  // namespace

fs::path expanded(const std::string& path) {
  if (!path.starts_with('~')) return path;
  const std::size_t end = std::min(path.find('/'), path.size());
  const std::string name = path.substr(1, end - 1);
  std::string home = name.empty() ? variable("HOME") : "";
  if (home.empty()) home = listed_home(name);
  if (home.empty()) {
    throw NoFolder("'" + path + "' begins with the home folder of " +
                   (name.empty() ? "a user who has none" : "'" + name + "', who has none") +
                   "; a name that begins with ~ is written ./" + path);
  }
  return home + path.substr(end);
}

fs::path temporary_folder() {
  const std::string named = variable("TMPDIR");
  fs::path folder = named.empty() ? "/tmp" : named;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw NoFolder("there is no folder " + folder.string() + " for temporary files" +
                   (named.empty() ? "" : ", which TMPDIR names"));
  }
  return folder;
}

fs::path cache_folder() {
  const fs::path named = variable("XDG_CACHE_HOME");
  return (named.is_absolute() ? named : expanded("~") / ".cache") / "pitboss";
}

fs::path cache_folder_if_any() {
  try {
    return cache_folder();
  } catch (const NoFolder&) {
    return {};
  }
}

}  // namespace pitboss::environment
