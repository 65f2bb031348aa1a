#include "clients/experiments/program_folders.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

TEST_CASE("program folders: an installed program has its files in PREFIX/share/pitboss") {
  const ScratchFolder folder;
  const fs::path prefix = folder.path() / "usr";
  const fs::path program = prefix / "bin" / "pitboss";
  fs::create_directories(prefix / "share" / "pitboss" / "python");
  CHECK(fs::equivalent(data_folder(program), prefix / "share" / "pitboss"));
  CHECK(fs::equivalent(python_folder(program), prefix / "share" / "pitboss" / "python"));
}

TEST_CASE("program folders: a program that was built has the repository's, however deep it lies") {
  const ScratchFolder folder;
  fs::create_directories(folder.path() / "data");
  fs::create_directories(folder.path() / "clients" / "python");
  const fs::path program = folder.path() / "build" / "release" / "bin" / "pitboss";
  CHECK_THROWS_AS(static_cast<void>(data_folder(program)), UserError);  // any folder has a `data`
  write_text(folder / "CMakeLists.txt", "");
  CHECK(data_folder(program) == folder.path() / "data");
  CHECK(python_folder(program) == folder.path() / "clients" / "python");
  CHECK(fs::equivalent(data_folder(), fs::path(tests::data_folder())));
}

TEST_CASE("program folders: a program without its files says which folder it misses") {
  const ScratchFolder folder;
  const fs::path program = folder.path() / "bin" / "pitboss";
  const std::string missing = (folder.path() / "share" / "pitboss" / "python").string();
  try {
    static_cast<void>(python_folder(program));
    FAIL("nothing is missing");
  } catch (const UserError& error) {
    CHECK(std::string(error.what()).ends_with("there is no " + missing));
  }
}

}  // namespace pitboss::clients
