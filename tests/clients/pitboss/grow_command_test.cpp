#include <doctest/doctest.h>

#include <csignal>
#include <string>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {

TEST_CASE("pitboss grow: Ctrl-C, and how to go on") {
  const ScratchFolder folder;
  const std::string out = (folder / "it's here").string();
  const std::vector<std::string> command{tests::bin_folder() + "/pitboss",
                                         "grow",
                                         "--game",
                                         "hex size=5",
                                         "--out",
                                         out,
                                         "--games",
                                         "500",
                                         "--simulations",
                                         "200"};
  peers::Process first(command);
  CHECK(first.output_line().starts_with("game 1: "));
  first.signal(SIGINT);
  CHECK(first.wait() == 130);
  const std::string goes_on = "interrupted; the same command goes on:\n";
  const auto told = first.output().find(goes_on);
  REQUIRE(told != std::string::npos);
  std::string line = first.output().substr(told + goes_on.size());
  CHECK(line == "pitboss grow --game 'hex size=5' --out '" + (folder / "it").string() +
                    "'\\''s here' --games 500 --simulations 200\n");

  // A shell reads it as it was meant.
  line.erase(0, std::string("pitboss").size());
  peers::Process second({"/bin/sh", "-c", "exec " + command[0] + line});
  CHECK_FALSE(second.output_line().starts_with("game 1: "));
  second.signal(SIGINT);
  CHECK(second.wait() == 130);
}

}  // namespace pitboss::clients
