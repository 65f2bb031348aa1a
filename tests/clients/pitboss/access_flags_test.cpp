#include "clients/pitboss/access_flags.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/token_file.hpp"

namespace pitboss::clients {

namespace {

const std::string tuning = R"(
game = "connect4"
games = 2
[[player]]
name = "a"
options = { novelty = "pseudocount", simulations = 2 }
[[player]]
name = "b"
options = { simulations = 2 }
[tune]
method = "ucb1-tuned"
games = 8
[tune.parameters]
k = [0.1, 0.3]
)";

/// The exit code and what is said on standard error.
std::pair<int, std::string> without_input(const std::vector<std::string>& command) {
  peers::Process program(command);
  program.end_input();
  const int code = program.wait();
  return {code, program.errors()};
}

}  // namespace

TEST_CASE("every program of a player shows the token that it is given") {
  const tests::TokenFile tokens;
  const tests::RunningServer server(tokens.config());
  const std::string address = "127.0.0.1:" + std::to_string(server.port());
  const ScratchFolder folder;
  const std::string token = (folder / "token").string();
  write_text(token, "alice\n");
  std::filesystem::permissions(token, std::filesystem::perms::owner_read);
  write_text(folder / "tuning.toml", tuning + "[[server]]\naddress = \"" + address + "\"\n");
  const std::string out = (folder / "out").string();
  const std::vector<std::vector<std::string>> commands{
      {"gtp", "--connect", address, "--game", "hex"},
      {"load", "--connect", address, "--seconds", "0.1", "--setup", "game hex"},
      {"referee", "--game", "connect4", "--games", "2", "--server", address, "--out", out,
       "--player", "name=a simulations=2", "--player", "name=b simulations=2"},
      {"tune", "--experiment", (folder / "tuning.toml").string(), "--out", out + "-2"}};
  for (std::vector<std::string> words : commands) {
    const std::string name = words[0];
    CAPTURE(name);
    words.insert(words.begin(), tests::bin_folder() + "/pitboss");
    CHECK(without_input(words).second.find("asks for a token first") != std::string::npos);
    words.insert(words.end(), {"--token-file", token});
    const auto [code, errors] = without_input(words);
    CAPTURE(errors);
    CHECK(code == 0);
  }
}

}  // namespace pitboss::clients
