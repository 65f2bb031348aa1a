// What the log tells of clients.

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "engine/sha256.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"

using pitboss::clients::read_text;
using pitboss::clients::ScratchFolder;
using pitboss::clients::write_text;
using pitboss::tests::Client;
using pitboss::tests::Daemon;
using pitboss::tests::eventually;

namespace {

std::string address_of(Client& client) {
  return "127.0.0.1:" + std::to_string(client.socket().local_endpoint().port());
}

std::size_t occurrences(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("Log: who connects, is refused and goes, with the address") {
  Daemon daemon({"--listen", "127.0.0.1:0", "--max-sessions", "1"});
  const auto port = Daemon::port_of(daemon.output_line());
  Client first(port);
  const std::string peer = address_of(first);
  first.ask("name");
  Client second(port);
  const std::string refused = address_of(second);
  second.rest();
  first.ask("quit");
  first.rest();
  first.close();
  second.close();
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  const std::string& log = daemon.errors();
  CHECK(log.find("info session 1: " + peer + " connected\n") != std::string::npos);
  CHECK(log.find("info " + refused + " refused: too many sessions (limit 1)\n") !=
        std::string::npos);
  CHECK(log.find("info session 1: " + peer + " disconnected; connect4, 2 commands\n") !=
        std::string::npos);
}

TEST_CASE("Log: begins with version, addresses and workers, and ends with why") {
  Daemon daemon({"--listen", "127.0.0.1:0=hex", "--listen", "127.0.0.1:0", "--workers", "3"});
  const std::string hex = Daemon::address_of(daemon.output_line());
  const std::string connect4 = Daemon::address_of(daemon.output_line());
  const std::string first = daemon.error_line();
  CHECK(first.find(" info pitbossd 0.") != std::string::npos);
  CHECK(first.ends_with(" listens on " + hex + " hex, " + connect4 + " connect4; 3 workers"));
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  CHECK(daemon.errors().ends_with(
      " info the end: signal 15 told it to stop, and all clients have gone\n"));
}

TEST_CASE("Log: tells what a session did") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const auto port = Daemon::port_of(daemon.output_line());
  Client client(port);
  client.ask("game hex size=5");
  client.write("# no command\n");
  client.ask("setoption simulations 100");
  client.ask("genmove b");
  client.ask("nonsense");
  client.ask("quit");
  client.rest();
  client.close();
  Client idle(port);
  idle.close();
  Client(port).ask("name");  // it has been taken, and gone, before that
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  CHECK(daemon.errors().find(" disconnected; hex, 5 commands\n") != std::string::npos);
  CHECK(daemon.errors().find(" disconnected; connect4, 0 commands\n") != std::string::npos);
}

TEST_CASE("Log: no folder is made for its file, and why a start fails stands in it") {
  const ScratchFolder folder;
  const std::string missing = (folder / "no/such/log").string();
  Daemon lost({"--listen", "127.0.0.1:0", "--log-file", missing});
  CHECK(lost.wait() == 1);
  CHECK(lost.errors() ==
        "pitbossd: cannot write the log: " + missing + ": No such file or directory\n");
  CHECK(!std::filesystem::exists(folder / "no"));
  const std::string file = (folder / "log").string();
  Daemon wrong({"--listen", "203.0.113.1:0", "--log-file", file});
  CHECK(wrong.wait() == 1);
  CHECK(read_text(file).find(" critical the end: cannot listen on 203.0.113.1:0") !=
        std::string::npos);
}

TEST_CASE("Log: the level changes while the daemon runs") {
  Daemon daemon({"--listen", "127.0.0.1:0", "--log-level", "warning", "--tree-mb-limit", "300"});
  const auto port = Daemon::port_of(daemon.output_line());
  Client client(port);
  CHECK(client.ask("log_level") == "= warning\n\n");
  client.ask("setoption name tree_mb value 301");
  CHECK(client.ask("log_level debug") == "= \n\n");
  CHECK(client.ask("log_level") == "= debug\n\n");
  client.ask("setoption name tree_mb value 301");
  CHECK(client.ask("log_level loud").starts_with("? syntax error: the log level must be trace,"));
  CHECK(client.ask("log_level") == "= debug\n\n");
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  CHECK(daemon.errors().find(" connected\n") == std::string::npos);
  CHECK(occurrences(daemon.errors(), "session 1: refused by the limit tree_mb_limit\n") == 1);
}

TEST_CASE("Log: clients who come and go do not fill it") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  const auto port = Daemon::port_of(daemon.output_line());
  for (int i = 0; i < 2000; ++i) Client(port).ask("name");
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  // A hundred in ten seconds; the machine may be slow.
  const auto lines = occurrences(daemon.errors(), " connected\n") +
                     occurrences(daemon.errors(), " disconnected; ");
  CHECK(lines < 2000);
  CHECK(lines >= 100);
}

TEST_CASE("Log: a wrong token is told, but not which, and guesses do not fill it") {
  const ScratchFolder folder;
  const std::string tokens = (folder / "tokens").string();
  write_text(tokens, "alice play " + pitboss::engine::sha256("secret") + "\n");
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", tokens});
  const auto port = Daemon::port_of(daemon.output_line());
  Client client(port);
  CHECK(client.ask("auth guess") == "? wrong token\n\n");
  CHECK(client.ask("auth secret") == "= alice play\n\n");
  constexpr int guesses = 900;
  for (int i = 0; i < guesses / 3; ++i) {  // few from each host, or they would have to wait
    const std::string own = "127.0." + std::to_string(1 + i / 100) + '.' + std::to_string(i % 100);
    Client guesser(port, "127.0.0.1", own);
    guesser.write("auth guess\nauth guess\nauth guess\n");
    guesser.rest();
  }
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  const std::string& log = daemon.errors();
  CHECK(occurrences(log, "info session 1: " + address_of(client) + " has shown a wrong token\n") ==
        1);
  CHECK(occurrences(log, "guess") == 0);
  CHECK(occurrences(log, "wrong token\n") < guesses);
}

TEST_CASE("Log: strangers cannot hide in it what those do who have a token") {
  const ScratchFolder folder;
  const std::string tokens = (folder / "tokens").string();
  write_text(tokens, "root admin " + pitboss::engine::sha256("secret") + "\n");
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", tokens});
  const auto port = Daemon::port_of(daemon.output_line());
  for (int i = 0; i < 300; ++i) Client(port).ask("name");
  Client root(port);
  CHECK(root.ask("auth secret") == "= root admin\n\n");
  CHECK(root.ask("log_level trace") == "= \n\n");
  CHECK(root.ask("log_level info") == "= \n\n");
  write_text(tokens, "alice play " + pitboss::engine::sha256("other") + "\n");
  daemon.signal(SIGHUP);
  CHECK(root.rest().empty());
  root.close();
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
  const std::string& log = daemon.errors();
  CHECK(occurrences(log, " (root) has the right admin\n") == 1);
  CHECK(occurrences(log, "the log level is trace now\n") == 1);
  CHECK(occurrences(log, " (root) disconnected: its token has changed; connect4, 3 commands\n") ==
        1);
}

TEST_CASE("Log: SIGHUP opens its file anew, and keeps the old one if that fails") {
  const ScratchFolder folder;
  const auto file = folder / "pitbossd.log";
  const auto rotated = folder / "pitbossd.log.1";
  const auto has = [](const std::filesystem::path& path, const std::string& text) {
    return eventually([&] { return read_text(path).find(text) != std::string::npos; });
  };
  Daemon daemon({"--listen", "127.0.0.1:0", "--log-file", file.string()});
  const auto port = Daemon::port_of(daemon.output_line());
  Client(port).ask("name");
  CHECK(has(file, "session 1: "));

  std::filesystem::rename(file, rotated);
  std::filesystem::create_directory(file);  // which cannot be opened as a file
  daemon.signal(SIGHUP);
  CHECK(has(rotated, "cannot open the log's file anew, so the log goes on in the old one: "));
  Client(port).ask("name");
  CHECK(has(rotated, "session 2: "));

  std::filesystem::remove(file);
  daemon.signal(SIGHUP);
  CHECK(has(file, "the log's file is opened anew"));
  Client(port).ask("name");
  CHECK(has(file, "session 3: "));
  CHECK(read_text(rotated).find("session 3: ") == std::string::npos);
  daemon.signal(SIGTERM);
  CHECK(daemon.wait() == 0);
}
