#include "server/net/tokens.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "engine/sha256.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

using namespace pitboss;
using protocol::Right;
using server::Tokens;

namespace {

std::string hash_of(const std::string& token) { return engine::sha256(token); }

std::string mistake_in(const std::string& text) {
  try {
    static_cast<void>(Tokens::parse(text, "tokens"));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("Tokens: a file is read, and tells who has a token") {
  std::string upper = hash_of("third");
  for (char& c : upper) c = static_cast<char>(std::toupper(c));
  const auto tokens = Tokens::parse("# who may use it\n\nalice play " + hash_of("first") +
                                        " # since May\r\n\t bob.b-2_  watch " + hash_of("second") +
                                        "\nroot admin " + upper,
                                    "tokens");
  CHECK(tokens.size() == 3);
  REQUIRE(tokens.client_with("first"));
  CHECK(tokens.client_with("first")->name == "alice");
  CHECK(tokens.client_with("first")->right == Right::play);
  CHECK(tokens.client_with("second")->name == "bob.b-2_");
  CHECK(tokens.client_with("second")->right == Right::watch);
  CHECK(tokens.client_with("third")->right == Right::admin);
  for (const std::string& wrong : {std::string(), std::string("First"), hash_of("first")}) {
    CHECK_FALSE(tokens.client_with(wrong));
  }
}

TEST_CASE("Tokens: mistakes are told with their line") {
  const std::string hash = hash_of("x");
  CHECK(mistake_in("") == "tokens has no token");
  CHECK(mistake_in("# a b c\n") == "tokens has no token");
  CHECK(mistake_in("a play " + hash + "\nb play\n") == "tokens, line 2: expected NAME RIGHT HASH");
  CHECK(mistake_in("a play " + hash + " more") == "tokens, line 1: expected NAME RIGHT HASH");
  CHECK(mistake_in("a/b play " + hash) ==
        "tokens, line 1: the name must have 1 to 64 letters, digits, '.', '_' or '-'");
  CHECK(mistake_in(std::string(65, 'a') + " play " + hash).find("1 to 64") != std::string::npos);
  CHECK(mistake_in("\na write " + hash) ==
        "tokens, line 2: the right must be watch, play or admin, not 'write'");
  CHECK(mistake_in("a nobody " + hash).find("not 'nobody'") != std::string::npos);
  const std::string expected =
      "tokens, line 1: the hash must be a SHA-256, 64 hexadecimal digits, as `pitboss token` "
      "prints it";
  CHECK(mistake_in("a play " + hash.substr(1)) == expected);
  CHECK(mistake_in("a play g" + hash.substr(1)) == expected);
  CHECK(mistake_in("a play " + hash + "\na watch " + hash_of("y")) ==
        "tokens, line 2: the name a is given twice");
  CHECK(mistake_in("a play " + hash + "\nb play " + hash) ==
        "tokens, line 2: this token is also that of a");
}

TEST_CASE("Tokens: a byte order mark is no part of a name") {
  const clients::ScratchFolder folder;
  const std::string file = (folder / "tokens").string();
  clients::write_text(file,
                      "\xEF\xBB\xBF"
                      "alice play " +
                          hash_of("first") + "\n");
  CHECK(Tokens::read(file).client_with("first")->name == "alice");
}

TEST_CASE("Tokens: a file that cannot be read") {
  CHECK_THROWS_WITH(static_cast<void>(Tokens::read("/nowhere/tokens")),
                    "cannot read /nowhere/tokens: No such file or directory");
  CHECK_THROWS_WITH(static_cast<void>(Tokens::read("/")), "cannot read /: Is a directory");
}

TEST_CASE("Tokens::changed") {
  const std::string a = "a play " + hash_of("a") + "\n";
  const std::string b = "b play " + hash_of("b") + "\n";
  const auto names = [](const std::string& before, const std::string& after) {
    return Tokens::parse(before, "").changed(Tokens::parse(after, ""));
  };
  CHECK(names(a + b, b + a + "c admin " + hash_of("c")).empty());
  CHECK(names(a + b, a) == std::set<std::string>{"b"});
  CHECK(names(a + b, a + "b watch " + hash_of("b")) == std::set<std::string>{"b"});
  CHECK(names(a + b, b + "a play " + hash_of("new")) == std::set<std::string>{"a"});
}

TEST_CASE("pitboss token: makes a token and the line that knows it") {
  const clients::ScratchFolder folder;
  const std::string program = pitboss::tests::bin_folder() + "/pitboss";
  const std::string file = (folder / "alice.token").string();
  const auto made = peers::ended({program, "token", "alice", "--token-file", file});
  CHECK(made.code == 0);
  std::istringstream words(clients::read_text(file));
  std::string secret;
  words >> secret;
  CHECK(secret.size() == 64);
  const auto client = Tokens::parse(made.out, "out").client_with(secret);
  REQUIRE(client);
  CHECK(client->name == "alice");
  CHECK(client->right == Right::play);
  using std::filesystem::perms;
  CHECK(std::filesystem::status(file).permissions() == (perms::owner_read | perms::owner_write));
  CHECK(peers::ended({program, "token", "alice", "--token-file", file}).code == 2);  // is kept

  const auto printed = peers::ended({program, "token", "bob", "--right", "watch"});
  std::istringstream lines(printed.out);
  std::string remark;
  std::string line;
  std::getline(lines, remark);
  std::getline(lines, line);
  std::getline(lines, remark);
  lines >> secret;
  CHECK(Tokens::parse(line, "out").client_with(secret).value().right == Right::watch);

  CHECK(peers::ended({program, "token"}).err.find("name must have 1 to 64") != std::string::npos);
  CHECK(peers::ended({program, "token", "a", "--right", "x"}).err.find("--right must be watch") !=
        std::string::npos);
}
