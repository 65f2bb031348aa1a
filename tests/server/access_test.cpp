#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>

#include "engine/sha256.hpp"
#include "server/credentials.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/peers/certificate.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using namespace pitboss;
using tests::Client;
using tests::Daemon;
using tests::eventually;
using tests::RunningServer;

namespace {

std::string line_of(const std::string& name, const std::string& right, const std::string& token) {
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

/// A named pipe in the place of a file: who reads it waits for what is written.
class Pipe {
 public:
  explicit Pipe(std::string path) : path_(std::move(path)) {
    std::filesystem::remove(path_);
    REQUIRE(mkfifo(path_.c_str(), 0600) == 0);
  }
  ~Pipe() { end(); }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  /// Whether somebody begins to read it.
  [[nodiscard]] bool is_read() {
    return eventually([&] { return (writer_ = open(path_.c_str(), O_WRONLY | O_NONBLOCK)) >= 0; });
  }
  void write(const std::string& text) const {
    REQUIRE(::write(writer_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  }
  void end() {
    if (writer_ >= 0) close(std::exchange(writer_, -1));
  }

 private:
  std::string path_;
  int writer_ = -1;
};

/// A client that has shown a token.
class Entered : public Client {
 public:
  Entered(const RunningServer& server, const std::string& token, const std::string& own = "")
      : Client(server.port(), "127.0.0.1", own) {
    CHECK(ask("auth " + token).starts_with("= " + token));
  }
};

/// What the server counts under the limit's name.
int counted(Client& administrator, const std::string& limit) {
  const std::string stats = administrator.ask("stats");
  const auto at = stats.find('"' + limit + "\":");
  REQUIRE(at != std::string::npos);
  return std::stoi(stats.substr(at + limit.size() + 3));
}

}  // namespace

TEST_CASE("Access: without a token next to nothing, with a token what its right says") {
  const TokenFile file;
  const RunningServer server(file.config());
  Client client(server.port());
  CHECK(client.ask("name") == "= Pitboss\n\n");
  CHECK(client.ask("genmove b") == "? this server asks for a token first: auth TOKEN\n\n");
  CHECK(client.ask("auth alic") == "? wrong token\n\n");
  CHECK(client.ask("auth alice") == "= alice play\n\n");
  CHECK(client.ask("genmove b").starts_with("= "));
  CHECK(client.ask("stats").starts_with("? stats needs the right admin"));
  Entered watcher(server, "eve");
  CHECK(watcher.ask("showboard").starts_with("= "));
  CHECK(watcher.ask("genmove b").starts_with("? genmove needs the right play"));
  Entered administrator(server, "root");
  CHECK(counted(administrator, "wrong_token") == 1);
}

TEST_CASE("Access: wrong tokens end a connection, and nobody else waits") {
  const TokenFile file;
  const RunningServer server(file.config());
  Entered other(server, "alice");
  Client client(server.port());
  client.write("auth a\nauth b\nauth c\nauth alice\nname\n");
  CHECK(client.rest() == "? wrong token\n\n? wrong token\n\n? wrong token\n\n");
  CHECK(other.ask("name") == "= Pitboss\n\n");
  CHECK(eventually([&] { return server.counts().sessions == 1; }));
}

TEST_CASE("Access: who shows no token in time is disconnected") {
  const TokenFile file;
  auto config = file.config();
  config.limits.entry = 2s;
  const RunningServer server(config);
  Client late(server.port());
  late.ask("name");
  Entered in_time(server, "root");
  CHECK(late.rest().empty());
  CHECK(counted(in_time, "entry_seconds") == 1);
}

TEST_CASE("Access: tokens are read anew, but for a file that is not in order") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered alice(server, "alice");
  Entered eve(server, "eve");
  file.write("alice play nonsense\n");
  server.reload();
  CHECK(Entered(server, "root").ask("name") == "= Pitboss\n\n");
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  // Eve has another token, Bob comes, root goes.
  file.write(line_of("alice", "play", "alice") + line_of("eve", "watch", "new") +
             line_of("bob", "play", "bob"));
  server.reload();
  CHECK(eve.rest().empty());
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  CHECK(Entered(server, "bob").ask("showboard").starts_with("= "));
  CHECK(Client(server.port()).ask("auth root") == "? wrong token\n\n");
  CHECK(Client(server.port()).ask("auth eve") == "? wrong token\n\n");
  CHECK(Client(server.port()).ask("auth new") == "= eve watch\n\n");
}

TEST_CASE("Access: nobody waits while tokens are read anew") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered alice(server, "alice");
  std::jthread reader;
  Pipe pipe(file.path());
  reader = std::jthread([&server] { server.reload(); });
  REQUIRE(pipe.is_read());
  CHECK(alice.ask("name") == "= Pitboss\n\n");
  pipe.write(line_of("alice", "play", "alice") + line_of("bob", "play", "bob"));
  pipe.end();
  reader.join();
  CHECK(Entered(server, "bob").ask("name") == "= Pitboss\n\n");
}

TEST_CASE("Credentials: tokens that others can write are told, and a key that they can use") {
  using std::filesystem::perms;
  using Warnings = std::vector<std::string>;
  const auto own = perms::owner_read | perms::owner_write;
  const std::string advice = "; chmod 600 keeps it from them";
  SUBCASE("tokens, of which there are only hashes") {
    const TokenFile file;
    const auto told = [&](perms others) {
      std::filesystem::permissions(file.path(), own | others);
      return server::Credentials({file.path(), {}, {}}).warnings();
    };
    const std::string warning = "others than its owner can write " + file.path();
    CHECK(told(perms::group_read | perms::others_read).empty());
    for (const auto others : {perms::group_write, perms::others_write}) {
      CHECK(told(others) == Warnings{warning + advice});
    }
    // Who does not own the file cannot follow the advice. Not everybody may give it away.
    if (chown(file.path().c_str(), geteuid() + 1, getegid()) == 0) {
      CHECK(told(perms::others_write) == Warnings{warning});
    }
  }
  SUBCASE("a key") {
    const tests::Certificate certificate(24h * 60);
    const auto told = [&](perms others) {
      std::filesystem::permissions(certificate.key(), own | others);
      return server::Credentials({{}, certificate.file(), certificate.key()}).warnings();
    };
    CHECK(told(perms::none).empty());
    for (const auto others :
         {perms::group_read, perms::group_write, perms::others_read, perms::others_write}) {
      CHECK(told(others) ==
            Warnings{"others than its owner can use " + certificate.key() + advice});
    }
  }
}

TEST_CASE("tokens: what a client has sent is not done when its token has gone") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered root(server, "root");
  Entered alice(server, "alice");
  alice.ask("attach study");
  root.write(std::string(tests::minute_search) + "genmove b\n");
  root.answer();
  root.answer();
  CHECK(eventually([&] { return server.counts().searching == 1; }));
  root.write("play w d1\nattach study\nclear_board\n");
  CHECK(alice.ask("play b d1") == "= \n\n");
  file.write(line_of("alice", "play", "alice"));
  server.reload();
  const std::string rest = root.rest();
  CHECK(rest.starts_with("= "));  // the search's move
  CHECK(rest.find("\n\n") == rest.size() - 2);
  CHECK(alice.ask("moves").find("d1") != std::string::npos);
}

TEST_CASE("tokens: strangers keep nobody out") {
  const TokenFile file;
  auto config = file.config();
  config.limits.max_sessions = 3;
  const RunningServer server(config);
  std::deque<Client> strangers;
  for (int i = 0; i < 3; ++i) strangers.emplace_back(server.port());
  CHECK(eventually([&] { return server.counts().sessions == 3; }));
  const Entered alice(server, "alice");
  CHECK(strangers.front().rest().empty());
  const Entered eve(server, "eve");
  const Entered root(server, "root");
  Client late(server.port());
  CHECK(late.rest() == "? too many sessions (limit 3)\n\n");
}

TEST_CASE("pitbossd: tokens are read anew by SIGHUP, and the log tells names and failures") {
  const TokenFile file;
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  const auto port = Daemon::port_of(daemon.output_line());
  Client alice(port);
  CHECK(alice.ask("auth alice") == "= alice play\n\n");
  file.write("broken\n");
  daemon.signal(SIGHUP);
  const auto log_has = [&](const std::string& text) {
    std::string line;
    do line = daemon.error_line();
    while (line.find(text) == std::string::npos);
    return line;
  };
  CHECK(log_has(" (alice) has the right play").find("session 1: 127.0.0.1:") != std::string::npos);
  CHECK(log_has("stay as they were").find("line 1: NAME RIGHT HASH") != std::string::npos);
  file.write(line_of("bob", "play", "bob"));
  std::filesystem::permissions(file.path(), std::filesystem::perms(0622));
  daemon.signal(SIGHUP);
  log_has("read anew: 1 tokens, of which 3 were changed or removed");
  log_has("warning others than its owner can write " + file.path());
  log_has(" (alice) disconnected: its token has changed");
  CHECK(alice.rest().empty());
  CHECK(Client(port).ask("auth bob") == "= bob play\n\n");
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}

TEST_CASE("pitbossd: ends although a file hangs that is being read anew") {
  const TokenFile file;
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  Client client(Daemon::port_of(daemon.output_line()));
  client.ask("auth alice");
  Pipe pipe(file.path());
  daemon.signal(SIGHUP);
  REQUIRE(pipe.is_read());
  daemon.signal(SIGTERM);
  CHECK(client.rest().empty());
  client.close();
  CHECK(daemon.wait() == 0);
}

TEST_CASE("pitbossd, pitboss gtp: a token that is asked for, and one that has gone") {
  const TokenFile file;
  const clients::ScratchFolder folder;
  const auto token = (folder / "token").string();
  clients::write_text(token, "alice\n");
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  const std::string address = Daemon::address_of(daemon.output_line());
  const std::string program = std::string(PITBOSS_BIN) + "/pitboss";
  const std::vector<std::string> words{program, "gtp", "--connect", address, "--game", "hex"};
  const auto without = peers::ended(words);
  CHECK(without.code == 2);
  CHECK(without.err == "pitboss: " + address +
                           ": refused: game hex: this server asks for a token first: auth TOKEN; "
                           "--token-file FILE names the file that has one\n");
  auto with_token = words;
  with_token.insert(with_token.end(), {"--token-file", token});
  peers::Process bridge(with_token);
  bridge.write("name\n");
  CHECK(bridge.output_line() == "= Pitboss");
  file.write(line_of("bob", "play", "bob"));
  daemon.signal(SIGHUP);
  CHECK(bridge.wait() == 1);
  CHECK(bridge.errors().ends_with(
      "has closed the connection: it ends, or nothing was asked for too long, or the token is not "
      "valid any more\n"));
}

TEST_CASE("pitbossd: does not start with tokens or addresses that are not in order") {
  const TokenFile file;
  const auto sentence = [](const std::vector<std::string>& arguments) {
    Daemon daemon(arguments);
    CHECK(daemon.wait() == 1);
    return daemon.errors();
  };
  const auto has = [](const std::string& text, std::string_view part) {
    CHECK_MESSAGE(text.find(part) != std::string::npos, text);
  };
  has(sentence({"--listen", "127.0.0.1:0", "--tokens", "/nowhere/file"}),
      "cannot read the tokens in /nowhere/file");
  file.write("alice plays\n");
  has(sentence({"--listen", "127.0.0.1:0", "--tokens", file.path()}),
      "line 1: NAME RIGHT HASH is expected");
  has(sentence({"--listen", "0.0.0.0:0"}), "give it --tokens FILE, or --open");
  has(sentence({"--listen", "127.0.0.1:0", "--listen", "[::]:0"}), "give it --tokens FILE");
  has(sentence({"--listen", "127.0.0.1:0,tls"}), "needs --certificate FILE and --key FILE");
  has(sentence({"--listen", "127.0.0.1:0,ssl"}), "'tls' is expected after ','");
  has(sentence({"--certificate", "x"}), "--certificate and --key belong together");
  Daemon open({"--listen", "0.0.0.0:0", "--open"});
  CHECK(Client(Daemon::port_of(open.output_line())).ask("genmove b").starts_with("= "));
}

TEST_CASE("Access: over the limit of an address its clients are told, and others come in") {
  auto config = RunningServer::small();
  config.limits.max_sessions_per_address = 2;
  const RunningServer server(config);
  Client first(server.port());
  first.ask("name");
  Client second(server.port());
  second.ask("name");
  Client third(server.port());
  CHECK(third.rest() == "? too many sessions from this address (limit 2)\n\n");
  Client other(server.port(), "127.0.0.1", "127.0.0.2");
  CHECK(other.ask("name") == "= Pitboss\n\n");
  CHECK(counted(other, "max_sessions_per_address") == 1);
  first.ask("quit");
  first.close();
  CHECK(eventually([&] { return server.counts().sessions == 2; }));
  CHECK(Client(server.port()).ask("name") == "= Pitboss\n\n");
}

TEST_CASE("Access: refused clients of one address leave room for others") {
  auto config = RunningServer::small();
  config.limits.max_sessions = 3;
  config.limits.max_sessions_per_address = 1;
  const RunningServer server(config);
  Client first(server.port());
  first.ask("name");
  std::deque<Client> flood;
  for (int i = 0; i < 40; ++i) flood.emplace_back(server.port());
  Client other(server.port(), "127.0.0.1", "127.0.0.2");
  CHECK(other.ask("name") == "= Pitboss\n\n");
  CHECK(server.counts().sockets <= 6);  // four of the flood linger
}

TEST_CASE("Access: a client runs as many commands that take time as it may") {
  const TokenFile file;
  auto config = file.config();
  config.limits.max_searches_per_client = 2;
  const RunningServer server(config);
  std::deque<Entered> all;
  for (int i = 0; i < 3; ++i) {
    all.emplace_back(server, "alice", "127.0.0." + std::to_string(1 + i));
    all.back().write(tests::minute_search);
    all.back().answer();
    all.back().answer();
  }
  all[0].write("genmove b\n");
  all[1].write("genmove b\n");
  CHECK(eventually([&] { return server.counts().searching == 2; }));
  const std::string refused = "? too many commands that take time at once (limit 2)\n\n";
  CHECK(all[2].ask("genmove b") == refused);
  CHECK(all[2].ask("perft 2") == refused);
  Entered other(server, "root");
  CHECK(other.ask("perft 2").starts_with("= "));
  CHECK(counted(other, "max_searches_per_client") == 2);
  all[0].write("# interrupt\n");
  CHECK(all[0].answer().starts_with("= "));
  CHECK(all[2].ask("perft 2").starts_with("= "));
}

TEST_CASE("Access: who asks little is answered early, however much another asks") {
  auto config = RunningServer::small();
  config.workers = 1;
  config.options.tree_mb = 1;
  config.options.simulations = 2000;
  const RunningServer server(config);
  std::deque<Client> busy;  // a thousand searches
  for (int i = 0; i < 50; ++i) busy.emplace_back(server.port());
  Client modest(server.port(), "127.0.0.1", "127.0.0.2");
  modest.ask("setoption simulations 20000");
  for (Client& client : busy) {
    for (int i = 0; i < 20; ++i) client.write("reg_genmove b\n");
  }
  CHECK(eventually([&] { return server.counts().searching == 50; }));
  modest.write("stats\ngenmove b\nstats\n");
  const auto answers_of_workers = [](const std::string& stats) {
    constexpr std::string_view name = "\"by_workers\":{\"count\":";
    const auto at = stats.find(name);
    REQUIRE(at != std::string::npos);
    return std::stoi(stats.substr(at + name.size()));
  };
  const int before = answers_of_workers(modest.answer());
  CHECK(modest.answer().starts_with("= "));
  // Meanwhile the other client has computed about as much, which is ten searches. One queue for all
  // would give it fifty times as much.
  CHECK(answers_of_workers(modest.answer()) - before < 60);
}
