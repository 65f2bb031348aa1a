#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {

using peers::ProgramEnd;

TEST_CASE("engines: all of them, one, and a program whose files are missing") {
  const std::string program = tests::bin_folder() + "/pitboss";
  const ProgramEnd all = peers::ended({program, "engines"});
  CHECK(all.code == 0);
  CHECK(all.out.find("\ngtp-rhino ") != std::string::npos);
  const ProgramEnd one = peers::ended({program, "engines", "fairy-stockfish"});
  CHECK(one.code == 0);
  CHECK(one.out.find("speaks uci; movetime=1000\n") != std::string::npos);
  const ProgramEnd none = peers::ended({program, "engines", "gtp-rino"});
  CHECK(none.code == 2);
  CHECK(none.err.find("did you mean 'gtp-rhino'?") != std::string::npos);

  const ScratchFolder folder;
  const std::filesystem::path copy = folder / "pitboss";
  std::filesystem::copy_file(program, copy);
  const ProgramEnd alone = peers::ended({copy.string(), "engines"});
  CHECK(alone.code == 2);
  CHECK(alone.err.find("the files that come with this program are missing") != std::string::npos);
}

}  // namespace pitboss::clients
