#include "tests/server/commands/transcripts.hpp"
#include "tests/folders.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "server/commands/commands.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::tests;

namespace {

/// The server that the pages tell of.
class DocumentedServer final : public server::ServerControl {
 public:
  [[nodiscard]] std::string stats() const override {
    return R"({"pitboss_sessions":1,"pitboss_sessions_limit":1024})";
  }
  [[nodiscard]] int workers() const override { return 2; }
  [[nodiscard]] std::string log_level() const override { return level_; }
  void set_log_level(const std::string& word) override { level_ = word; }
  void check_room_for_search(const protocol::Identity& /*client*/) override {}
  [[nodiscard]] std::string sessions() const override {
    return "7 127.0.0.1:53422 alice play idle 12\n8 127.0.0.1:53424 - nobody idle 0";
  }
  bool disconnect(std::int64_t number) override { return number == 7; }
  [[nodiscard]] std::optional<protocol::Identity> client_with(std::string_view token) override {
    if (!token.starts_with("5b82a2f4")) return std::nullopt;
    return protocol::Identity{"alice", protocol::Right::play, {}};
  }

 private:
  std::string level_ = "info";
};

/// What the pages are written for: a daemon with `--seed 1 --sgf FOLDER`; that about access, with
/// `--tokens FILE`.
server::SessionConfig documented(DocumentedServer& server, const std::string& page) {
  server::SessionConfig config;
  config.options.seed = 1;
  config.sgf_folder = pitboss::tests::tests_folder() + "/golden/games";
  config.server = &server;
  if (page == "security.md") config.client.right = protocol::Right::nothing;
  return config;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// The name of the command in a line, behind the id.
std::string name_in(const std::string& line) {
  auto begin = line.find_first_not_of("0123456789 ");
  if (begin == std::string::npos) return {};
  return line.substr(begin, line.find(' ', begin) - begin);
}

/// Plays a page's transcripts, each in a session of its own; `shown` gets the commands. Returns the
/// page with the answers that were given where they are not those expected.
std::string play(const std::string& page, const std::string& name, std::set<std::string>& shown) {
  std::string corrected = page;
  auto transcripts = transcripts_of(page);
  std::vector<std::pair<Transcript::Exchange, std::string>> wrong;
  for (const Transcript& transcript : transcripts) {
    DocumentedServer server;
    Conversation session(documented(server, name));
    for (const auto& exchange : transcript.exchanges) {
      shown.insert(name_in(exchange.command));
      const auto actual = answer_lines(session.raw(exchange.command));
      if (!matches(exchange.answer, actual)) wrong.emplace_back(exchange, joined(actual));
    }
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  const bool updating = std::getenv("PITBOSS_UPDATE_DOCS") != nullptr;
  std::ranges::reverse(wrong);  // from the end, so that places stay where they are
  for (const auto& [exchange, answer] : wrong) {
    corrected.replace(exchange.begin, exchange.end - exchange.begin, answer);
    if (updating) continue;
    FAIL_CHECK("docs/", name, " says of '", exchange.command, "':\n", joined(exchange.answer),
               "the program answers:\n", answer, "correct it, or run ./dev update");
  }
  return corrected;
}

}  // namespace

TEST_CASE("docs: every transcript is true, and every command has one") {
  std::set<std::string> shown;
  for (const auto& entry : std::filesystem::directory_iterator(pitboss::tests::docs_folder())) {
    if (entry.path().extension() != ".md") continue;
    const std::string page = clients::read_text(entry.path());
    const std::string corrected = play(page, entry.path().filename(), shown);
    // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
    if (std::getenv("PITBOSS_UPDATE_DOCS") != nullptr && corrected != page) {
      clients::write_text(entry.path(), corrected);
    }
  }
  std::string missing;
  for (const server::Command& c : server::commands()) {
    if (!shown.contains(std::string(c.name))) missing.append(" ").append(c.name);
  }
  CHECK_MESSAGE(missing.empty(), "commands without a transcript in docs/*.md:", missing);
}

TEST_CASE("transcripts_of") {
  const auto list =
      transcripts_of("text\n```gtp\n> 1 name\n=1 x  \n\n> quit\n=\n```\n> no\n```\n> no\n```\n");
  REQUIRE(list.size() == 1);
  CHECK(list[0].line == 2);
  REQUIRE(list[0].exchanges.size() == 2);
  CHECK(list[0].exchanges[0].command == "1 name");
  CHECK(list[0].exchanges[0].answer == std::vector<std::string>{"=1 x"});
  CHECK(list[0].exchanges[1].answer == std::vector<std::string>{"="});
}

TEST_CASE("matches") {
  CHECK(answer_lines("= a \nb\n\n") == std::vector<std::string>{"= a", "b"});
  CHECK(matches({"= a", "b"}, {"= a", "b"}));
  CHECK_FALSE(matches({"= a"}, {"= a", "b"}));
  CHECK_FALSE(matches({"= a", "b"}, {"= a"}));
  CHECK(matches({"= ...", "b"}, {"= whatever", "b"}));
  CHECK(matches({"= x...z"}, {"= xyz"}));
  CHECK_FALSE(matches({"= x...z"}, {"= xyzz y"}));
  CHECK(matches({"= a", "...", "z"}, {"= a", "b", "c", "z"}));
  CHECK(matches({"= a", "...", "z"}, {"= a", "z"}));
  CHECK_FALSE(matches({"= a", "...", "z"}, {"= a", "b"}));
}
