#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "engine/sha256.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::tests {

inline std::string line_of(const std::string& name, const std::string& right,
                           const std::string& token) {
  return name + " " + right + " " + engine::sha256(token) + "\n";
}

/// A file of tokens: alice plays, eve watches, root administers; each one's token is the name.
class TokenFile {
 public:
  TokenFile() {
    write(line_of("alice", "play", "alice") + line_of("eve", "watch", "eve") +
          line_of("root", "admin", "root"));
    std::filesystem::permissions(path(), std::filesystem::perms(0600));
  }
  void write(const std::string& text) const { clients::write_text(path(), text); }
  [[nodiscard]] std::string path() const { return (folder_ / "tokens").string(); }
  [[nodiscard]] server::Config config() const {
    auto config = RunningServer::small();
    config.credentials.tokens = path();
    return config;
  }

 private:
  clients::ScratchFolder folder_;
};

/// A client that has shown a token.
class Entered : public Client {
 public:
  Entered(const RunningServer& server, const std::string& token, const std::string& own = "")
      : Client(server.port(), "127.0.0.1", own) {
    CHECK(ask("auth " + token).starts_with("= " + token));
  }
};

}  // namespace pitboss::tests
