#pragma once

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <csignal>
#include <fstream>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/database_server.hpp"
#include "clients/referee/ledger/ledger_place.hpp"
#include "tests/clients/scratch_folder.hpp"

/// Where tests keep ledgers: in folders, and in a database where PostgreSQL is installed.
namespace pitboss::clients {

/// A PostgreSQL server that goes away with this object.
class ScratchServer {
 public:
  ScratchServer() {
    ::chmod(folder_.path().c_str(), 0711);  // for the user that runs it if the test runs as root
    url_ = start_server(folder_ / "server").url();
  }
  ~ScratchServer() {
    try {
      stop_server(folder_ / "server");
    } catch (const UserError&) {  // NOLINT(bugprone-empty-catch): it is down already
    }
  }
  ScratchServer(const ScratchServer&) = delete;
  ScratchServer& operator=(const ScratchServer&) = delete;

  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] std::filesystem::path folder() const { return folder_ / "server"; }

  /// Ends it as a failure of the machine would.
  void kill() const { send(SIGKILL); }
  /// Has it answer nothing, and go on.
  void freeze() const { send(SIGSTOP); }
  void thaw() const { send(SIGCONT); }
  void rise() const { static_cast<void>(start_server(folder())); }

  /// Whether there can be one; says so if not.
  static bool is_possible() {
    if (has_server_programs()) return true;
    MESSAGE("skipped: PostgreSQL is not installed");
    return false;
  }

 private:
  /// A signal to all its processes; the first makes no more of them after it.
  void send(int signal) const {
    std::ifstream file(folder() / "data/postmaster.pid");
    pid_t process = 0;
    file >> process;
    REQUIRE(process > 1);
    const std::string number = std::to_string(process);
    if (signal == SIGSTOP) ::kill(process, signal);
    std::vector<pid_t> all{process};
    std::ifstream children("/proc/" + number + "/task/" + number + "/children");
    for (pid_t child = 0; children >> child;) all.push_back(child);
    for (const pid_t one : all) ::kill(one, signal);
  }

  ScratchFolder folder_;
  std::string url_;
};

/// The server that the tests of one program share.
inline const ScratchServer& shared_server() {
  static const ScratchServer server;
  return server;
}

/// A kind of ledgers, and room for some.
class LedgerHome {
 public:
  explicit LedgerHome(bool is_database) : is_database_(is_database) {}

  [[nodiscard]] bool is_database() const { return is_database_; }
  /// Another place for each name.
  [[nodiscard]] LedgerPlace operator/(const std::string& name) const {
    if (!is_database_) return folder_ / name;
    return DatabasePlace(shared_server().url(), folder_.path().filename().string() + " " + name);
  }

 private:
  bool is_database_;
  ScratchFolder folder_;
};

/// Runs a test with each kind of ledgers.
template <class Test>
void in_each_home(const Test& test) {
  for (const bool is_database : {false, true}) {
    CAPTURE(is_database);
    if (!is_database || ScratchServer::is_possible()) test(LedgerHome(is_database));
  }
}

}  // namespace pitboss::clients
