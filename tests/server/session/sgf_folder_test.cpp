#include "server/session/sgf_folder.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/clients/scratch_folder.hpp"

using namespace pitboss;
using namespace pitboss::server;

TEST_CASE("read_file_in: files of the folder, and no others") {
  const clients::ScratchFolder scratch;
  const std::filesystem::path root = scratch.path();
  const std::string folder = root / "games";
  std::filesystem::create_directories(root / "games/inner");
  std::ofstream(root / "secret.sgf") << "secret";
  std::ofstream(root / "games/a.sgf") << "a\n";
  std::ofstream(root / "games/inner/b.sgf") << "b";
  std::ofstream(root / "games/large.sgf") << std::string(262145, 'x');
  std::ofstream(root / "games/largest.sgf") << std::string(262144, 'x');
  std::ofstream(root / "games/empty.sgf");
  std::filesystem::create_symlink(root / "secret.sgf", root / "games/link.sgf");
  std::filesystem::create_symlink("a.sgf", root / "games/inside.sgf");
  std::filesystem::create_directory_symlink(root, root / "games/out");
  REQUIRE(::mkfifo((root / "games/pipe").c_str(), 0600) == 0);

  CHECK(read_file_in(folder, "a.sgf") == "a\n");
  CHECK(read_file_in(folder, "./a.sgf") == "a\n");
  CHECK(read_file_in(folder, "inner/b.sgf") == "b");
  CHECK(read_file_in(folder, "inner//b.sgf") == "b");
  CHECK(read_file_in(folder, "empty.sgf").empty());
  CHECK(read_file_in(folder, "largest.sgf").size() == 262144);
  const std::string absolute = root / "secret.sgf";
  for (const std::string& name :
       {std::string("../secret.sgf"), std::string("inner/../../secret.sgf"),
        std::string("inner/../a.sgf"), std::string(".."), absolute, std::string(), std::string("/"),
        std::string("link.sgf"), std::string("inside.sgf"), std::string("out/secret.sgf"),
        std::string("inner"), std::string("."), std::string("pipe"), std::string("nothing.sgf"),
        std::string("a.sgf/"), std::string("a.sgf/b"), std::string("large.sgf"),
        std::string(5000, 'n'), std::string("\xff\xfe")}) {
    CAPTURE(name);
    CHECK_THROWS_AS((void)read_file_in(folder, name), BadFile);
  }
  CHECK_THROWS_WITH_AS((void)read_file_in("", "a.sgf"), doctest::Contains("no folder of games"),
                       BadFile);
  CHECK_THROWS_AS((void)read_file_in(root / "nowhere", "a.sgf"), BadFile);
}
