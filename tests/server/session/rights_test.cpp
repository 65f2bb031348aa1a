#include <doctest/doctest.h>

#include <set>
#include <string>

#include "server/commands/commands.hpp"
#include "tests/server/commands/known_tokens.hpp"
#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using tests::contains;
using tests::Conversation;

namespace {

tests::KnownTokens tokens_of_all_rights() {
  return tests::KnownTokens({{"watching", {"eve", Right::watch, {}}},
                             {"playing", {"alice", Right::play, {}}},
                             {"managing", {"root", Right::admin, {}}}});
}

bool is_refused_by_right(const std::string& answer) {
  return contains(answer, " needs the right ") || contains(answer, "asks for a token first");
}

/// What a watching session must not be able to change.
std::string state_of(Conversation& session) {
  return session.ask("get_position") + session.ask("moves") + session.ask("kata-get-params") +
         session.ask("attach") + session.ask("tables");
}

}  // namespace

TEST_CASE("rights: each command is for those who have its right, and for nobody else") {
  auto server = tokens_of_all_rights();
  const std::vector<std::pair<std::string, Right>> clients{{"", Right::nothing},
                                                           {"auth watching", Right::watch},
                                                           {"auth playing", Right::play},
                                                           {"auth managing", Right::admin}};
  for (const auto& [entry, right] : clients) {
    for (const Command& command : commands()) {
      Conversation session(server.config());
      if (!entry.empty()) session.ask(entry);
      if (command.name == "analyze" || command.name.ends_with("-analyze")) continue;  // below
      const std::string answer = session.raw("7 " + std::string(command.name));
      CAPTURE(command.name);
      CAPTURE(answer);
      CHECK(is_refused_by_right(answer) == (command.right > right));
      if (command.right > right) CHECK(answer.starts_with("?7 "));
      CHECK(session.session.session.client().right == right);
    }
  }
}

TEST_CASE("rights: what strangers, watchers and administrators have of their own") {
  std::set<std::string_view> for_strangers;
  std::set<std::string_view> for_administrators;
  for (const Command& command : commands()) {
    if (command.right == Right::nothing) for_strangers.insert(command.name);
    if (command.right == Right::admin) for_administrators.insert(command.name);
    if (command.blocks) CHECK_MESSAGE(command.right >= Right::play, command.name);
  }
  CHECK(for_strangers == std::set<std::string_view>{"protocol_version", "name", "version", "auth",
                                                    "error_codes", "quit"});
  CHECK(for_administrators ==
        std::set<std::string_view>{"stats", "log_level", "sessions", "disconnect", "evaluators"});
}

TEST_CASE("rights: who watches changes nothing") {
  auto server = tokens_of_all_rights();
  Conversation owner(server.config());
  owner.ask("auth playing");
  owner.ask("attach study");
  owner.ask("share watch");
  owner.ask("genmove b");
  Conversation watcher(server.config());
  watcher.ask("auth watching");
  watcher.ask("attach study");
  const std::string before = state_of(watcher);
  for (const Command& command : commands()) {
    if (command.name == "detach" || command.name == "quit") continue;
    for (const char* arguments : {"", " b", " d1", " b d1", " 1", " alpha 0.7", " study"}) {
      watcher.raw(std::string(command.name) + arguments);
    }
  }
  CHECK(state_of(watcher) == before);
}

TEST_CASE("auth: tells who has come in") {
  auto server = tokens_of_all_rights();
  Conversation session(server.config());
  CHECK(session.raw("showboard") == "? this server asks for a token first: auth TOKEN\n\n");
  CHECK(session.raw("setoption alpha 0.5").starts_with("? this server asks"));
  CHECK(session.raw("nonsense").starts_with("? unknown command"));
  CHECK(session.raw("auth").starts_with("? syntax error"));
  CHECK(session.raw("3 auth wrong") == "?3 wrong token\n\n");
  CHECK(session.ask("auth playing") == "alice play");
  CHECK(session.session.session.client().name == "alice");
  CHECK(session.raw("auth managing") == "? this connection has shown its token already\n\n");
  CHECK(session.raw("stats") ==
        "? stats needs the right admin; the token alice has the right play\n\n");
  CHECK(session.ask("genmove b").size() == 2);
}

TEST_CASE("error_codes: failures have codes from on to off, before a token is shown, too") {
  auto server = tokens_of_all_rights();
  Conversation session(server.config());
  CHECK(session.ask("error_codes") == "off");
  CHECK(session.raw("error_codes on") == "= \n\n");
  CHECK(session.ask("error_codes") == "on");
  CHECK(session.raw("error_codes perhaps").starts_with("? bad-argument: syntax error"));
  CHECK(session.raw("7 showboard") ==
        "?7 needs-token: this server asks for a token first: auth TOKEN\n\n");
  CHECK(session.raw("nonsense").starts_with("? unknown-command: unknown command 'nonsense'"));
  CHECK(session.raw("auth wrong") == "? wrong-token: wrong token\n\n");
  CHECK(session.ask("auth playing") == "alice play");
  CHECK(session.raw("stats").starts_with("? needs-right: stats needs the right admin"));
  CHECK(session.raw("undo") == "? wrong-state: cannot undo\n\n");
  CHECK(session.raw("play b zz").starts_with("? bad-argument: "));
  CHECK(session.raw("play b e9").starts_with("? illegal-move: "));
  CHECK(session.raw("play w d1").starts_with("? illegal-move: "));
  CHECK(session.raw("setoption evaluation network").starts_with("= "));
  CHECK(session.raw("genmove b").starts_with("? unsupported: there are no networks: start"));
  CHECK(session.raw("loadsgf nothing.sgf").starts_with("? bad-file: "));
  CHECK(session.raw("error_codes off") == "= \n\n");
  CHECK(session.raw("undo") == "? cannot undo\n\n");
}

TEST_CASE("auth: three wrong tokens end the connection") {
  auto server = tokens_of_all_rights();
  std::vector<Limit> limits;
  auto config = server.config();
  config.on_limit = [&](Limit limit) { limits.push_back(limit); };
  Conversation session(config);
  session.raw("auth a");
  session.raw("auth b");
  CHECK(session.status == tests::SteppedSession::Status::ready);
  CHECK(session.raw("auth c") == "? wrong token\n\n");
  CHECK(session.status == tests::SteppedSession::Status::closed);
  CHECK(limits == std::vector<Limit>(3, Limit::wrong_token));
}

TEST_CASE("auth: a server without tokens asks for none, and lets everybody do everything") {
  Conversation session;
  CHECK(session.raw("auth x") == "? this server asks for no token\n\n");
  for (const Command& command : commands()) {
    if (command.name == "analyze" || command.name.ends_with("-analyze")) continue;
    CHECK_FALSE(is_refused_by_right(Conversation().raw(command.name)));
  }
  session.ask("attach study");
  CHECK(session.raw("share").starts_with("? this table belongs to no token"));
}
