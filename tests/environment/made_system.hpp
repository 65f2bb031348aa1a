#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace pitboss::tests {

/// Files of a system, in a folder that is removed.
class MadeSystem {
 public:
  MadeSystem() { std::filesystem::remove_all(root); }
  ~MadeSystem() { std::filesystem::remove_all(root); }
  MadeSystem(const MadeSystem&) = delete;
  MadeSystem& operator=(const MadeSystem&) = delete;
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root / file).parent_path());
    std::ofstream(root / file) << text;
  }

  const std::filesystem::path root = std::filesystem::temp_directory_path() /
                                     ("pitboss-made-system-" + std::to_string(::getpid()));
};

}  // namespace pitboss::tests
