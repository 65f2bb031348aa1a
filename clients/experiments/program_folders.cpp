#include "clients/experiments/program_folders.hpp"

#include <string>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;

/// The folder `installed` beside the program, or `built` in the repository that holds the program.
fs::path folder_of(const fs::path& program, const fs::path& installed, const fs::path& built) {
  std::error_code ignored;
  const fs::path bin = program.parent_path();
  fs::path beside = bin.parent_path() / "share" / "pitboss" / installed;
  if (fs::is_directory(beside, ignored)) return beside;
  for (fs::path folder = bin; folder.has_relative_path(); folder = folder.parent_path()) {
    if (fs::is_regular_file(folder / "CMakeLists.txt", ignored) &&
        fs::is_directory(folder / built, ignored)) {
      return folder / built;
    }
  }
  throw UserError("the files that come with this program are missing: there is no " +
                  beside.string());
}

}  // namespace

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path data_folder(const fs::path& program) { return folder_of(program, "", "data"); }
fs::path python_folder(const fs::path& program) {
  return folder_of(program, "python", "clients/python");
}

}  // namespace pitboss::clients
