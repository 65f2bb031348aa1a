#pragma once

#include <filesystem>
#include <string>

#include "clients/experiments/user_error.hpp"
#include "environment/folders.hpp"

namespace pitboss::clients {

/// A path that a user has written: see environment::expanded. Throws UserError.
[[nodiscard]] inline std::filesystem::path user_path(const std::string& text) {
  try {
    return environment::expanded(text);
  } catch (const environment::NoFolder& missing) {
    throw UserError(missing.what());
  }
}

}  // namespace pitboss::clients
