#include "clients/players/own_daemon.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "clients/experiments/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

/// Sets XDG_RUNTIME_DIR as long as it lives.
class RuntimeFolder {
 public:
  RuntimeFolder() { ::setenv("XDG_RUNTIME_DIR", folder_.path().c_str(), 1); }
  ~RuntimeFolder() { ::unsetenv("XDG_RUNTIME_DIR"); }
  RuntimeFolder(const RuntimeFolder&) = delete;
  RuntimeFolder& operator=(const RuntimeFolder&) = delete;
  [[nodiscard]] fs::path tokens() const { return folder_ / "pitboss"; }

 private:
  ScratchFolder folder_;
};

/// Whether another program of the user plays there.
bool can_use(const std::string& address) {
  const auto end = peers::ended({tests::bin_folder() + "/pitboss", "load", "--connect", address,
                                 "--seconds", "0.1", "--command", "games", "--json"});
  return end.code == 0 && end.out.find("\"refused\": 0,") != std::string::npos;
}

}  // namespace

TEST_CASE("OwnDaemon: serves its user's programs alone, and leaves nothing") {
  const RuntimeFolder runtime;
  Address place;
  {
    const OwnDaemon daemon({"--workers", "1", "--log-level", "error"});
    place = parse_address(daemon.address().text());
    const fs::path file = runtime.tokens() / place.text();
    CHECK((fs::status(file).permissions() & fs::perms::mask) == fs::perms(0600));
    CHECK(token_of_own_daemon(place) == daemon.address().access.token);
    CHECK(token_of_own_daemon(place).size() == 64);
    tests::Client stranger(place.port);
    CHECK(stranger.ask("sessions").starts_with("? this server asks for a token"));
    CHECK(can_use(place.text()));
    // Somebody else could have put tokens into such a folder.
    fs::permissions(runtime.tokens(), fs::perms(0755));
    CHECK(token_of_own_daemon(place).empty());
    CHECK_FALSE(can_use(place.text()));
    fs::permissions(runtime.tokens(), fs::perms(0700));
  }
  CHECK(fs::is_empty(runtime.tokens()));
  CHECK_THROWS_WITH_AS(OwnDaemon({"--nonsense"}), doctest::Contains("pitbossd does not start"),
                       UserError);
  CHECK(fs::is_empty(runtime.tokens()));
}

TEST_CASE("OwnDaemon: what lies there of a daemon that is gone keeps nobody out of the next one") {
  const RuntimeFolder runtime;
  tests::Daemon open;
  const std::string address = tests::Daemon::address_of(open.output_line());
  fs::create_directory(runtime.tokens());
  fs::permissions(runtime.tokens(), fs::perms(0700));
  write_text(runtime.tokens() / address, random_token() + "\n");
  CHECK(token_of_own_daemon(parse_address(address)).empty());
  CHECK(can_use(address));
}

TEST_CASE("random_token: never the same") {
  CHECK(random_token().size() == 64);
  CHECK(random_token() != random_token());
}

}  // namespace pitboss::clients
