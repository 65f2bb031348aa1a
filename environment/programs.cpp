#include "environment/programs.hpp"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <system_error>

#include "environment/variable.hpp"

namespace pitboss::environment {

namespace fs = std::filesystem;

namespace {

bool may_be_executed(const fs::path& file) {
  std::error_code ignored;
  return fs::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0;
}

}  // namespace

fs::path program_file(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    return may_be_executed(name) ? fs::path(name) : fs::path();
  }
  const std::string path = variable("PATH");
  const std::string folders = (path.empty() ? "/bin:/usr/bin" : path) + ":/usr/games";
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    // An empty folder is the current one.
    fs::path file = fs::path(folders.substr(begin, end - begin)) / name;
    if (may_be_executed(file)) return file;
    begin = end + 1;
  }
  return {};
}

}  // namespace pitboss::environment
