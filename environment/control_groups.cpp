#include "environment/control_groups.hpp"

#include <fstream>
#include <string>

namespace pitboss::environment {

namespace fs = std::filesystem;

namespace {

/// Whether a name is in a list with commas.
bool is_listed(std::string_view name, std::string_view list) {
  while (!list.empty()) {
    const std::size_t end = list.find(',');
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(end == std::string_view::npos ? list.size() : end + 1);
  }
  return false;
}

}  // namespace

void for_each_control_group(const fs::path& root, std::string_view controller,
                            const std::function<void(const ControlGroup&)>& visit) {
  std::ifstream groups(root / "proc/self/cgroup");
  // NUMBER:CONTROLLERS:PATH; version 2 names no controllers.
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const bool is_unified = controllers.empty();
    if (!is_unified && !is_listed(controller, controllers)) continue;
    // Controllers that are mounted together are found under the name of each, too.
    const fs::path top = root / "sys/fs/cgroup" / (is_unified ? "" : std::string(controller));
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    while (true) {
      visit({top / group, is_unified});
      if (group.empty()) break;
      group = group.parent_path();
    }
  }
}

}  // namespace pitboss::environment
