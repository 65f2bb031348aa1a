#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace pitboss::environment {

/// A control group that this process is in, or one above it.
struct ControlGroup {
  std::filesystem::path folder;  ///< where its limits are read, perhaps missing
  bool is_unified;               ///< of version 2
};

/// Calls `visit` with each control group that may limit what the controller (`memory`, `cpu`) gives
/// this process, as the files below `root` tell (`/`, but in tests).
void for_each_control_group(const std::filesystem::path& root, std::string_view controller,
                            const std::function<void(const ControlGroup&)>& visit);

}  // namespace pitboss::environment
