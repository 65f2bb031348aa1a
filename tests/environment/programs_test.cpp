#include "environment/programs.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/clients/scratch_folder.hpp"
#include "tests/environment/variable_set.hpp"

namespace pitboss::environment {

namespace fs = std::filesystem;
using tests::VariableSet;

TEST_CASE("program_file: a path itself, a name in the folders of PATH in their order") {
  const clients::ScratchFolder folder;
  const auto make = [&](const char* name, fs::perms permissions) {
    const fs::path file = folder.path() / name;
    fs::create_directories(file.parent_path());
    clients::write_text(file, "#!/bin/sh\n");
    fs::permissions(file, permissions);
    return file;
  };
  const fs::path second = make("second/engine", fs::perms::owner_all);
  const fs::path plain = make("first/engine", fs::perms::owner_read);
  const fs::path first = make("first/other", fs::perms::owner_all);
  make("second/other", fs::perms::owner_all);
  fs::create_directories(folder.path() / "first" / "folder");

  CHECK(program_file(second.string()) == second);
  CHECK(program_file(plain.string()).empty());
  CHECK(program_file((folder.path() / "first").string()).empty());
  const std::string folders =
      (folder.path() / "first").string() + ":" + (folder.path() / "second").string();
  const VariableSet path("PATH", folders.c_str());
  CHECK(program_file("engine") == second);  // the first one is no program
  CHECK(program_file("other") == first);
  CHECK(program_file("folder").empty());
  CHECK(program_file("no-such-engine").empty());
  CHECK(program_file("").empty());
}

TEST_CASE("program_file: Debian's games are found whatever PATH says") {
  if (!fs::exists("/usr/games")) return;
  const VariableSet path("PATH", "/bin");
  for (const auto& entry : fs::directory_iterator("/usr/games")) {
    const std::string name = entry.path().filename().string();
    if (!fs::exists(fs::path("/bin") / name)) CHECK(program_file(name) == entry.path());
  }
}

}  // namespace pitboss::environment
