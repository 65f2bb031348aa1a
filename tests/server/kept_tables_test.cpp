// Tables that outlive the server.

#include <doctest/doctest.h>

#include <csignal>
#include <filesystem>
#include <string>

#include "server/session/saved_table.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/running_server.hpp"
#include "tests/server/token_file.hpp"

using namespace pitboss;
using tests::Client;
using tests::Daemon;
using tests::Entered;
using tests::eventually;
using tests::RunningServer;
using tests::TokenFile;

namespace {

std::uint16_t port_of(Daemon& daemon) { return Daemon::port_of(daemon.output_line()); }

server::Config with_folder(const std::filesystem::path& folder) {
  auto config = RunningServer::small();
  config.state_folder = folder.string();
  return config;
}

}  // namespace

TEST_CASE("kept tables: game, clock and options are there after a restart, and after a kill") {
  const clients::ScratchFolder scratch;
  const std::string folder = (scratch / "state").string();
  const std::vector<std::string> arguments{"--listen", "127.0.0.1:0", "--state", folder};
  {
    Daemon daemon(arguments);
    Client client(port_of(daemon));
    client.ask("game hex size=7 swap=on");
    client.ask("attach room");
    client.ask("keep on");
    client.ask("setoption preset paper");
    client.ask("setoption k 0.25");
    client.ask("setoption simulations 5000");  // set, though it is the default
    client.ask("kata-time_settings byoyomi 100 10 3");
    client.ask("play b c3");
    client.ask("play w swap");
    CHECK(eventually([&] { return std::filesystem::exists(folder + "/room.json"); }));
    daemon.signal(SIGTERM);
    CHECK(daemon.wait() == 0);
  }
  for (const int death : {SIGKILL, SIGTERM}) {
    Daemon daemon(arguments);
    Client client(port_of(daemon));
    CHECK(client.ask("tables") == "= room hex 0 idle\n\n");
    client.ask("attach room");
    CHECK(client.ask("keep") == "= on\n\n");
    CHECK(client.ask("moves").starts_with("= c3 swap"));
    CHECK(client.ask("game").find("size=7 swap=on") != std::string::npos);
    CHECK(client.ask("getoption k") == "= 0.25\n\n");
    CHECK(client.ask("getoption preset") == "= paper\n\n");
    client.ask("setoption movetime 1000");
    CHECK(client.ask("getoption simulations") == "= 5000\n\n");  // stays a bound
    client.ask("setoption movetime 0");
    const std::string file = clients::read_text(folder + "/room.json");
    client.ask("play b d4");
    CHECK(eventually([&] { return clients::read_text(folder + "/room.json") != file; }));
    CHECK(client.ask("undo") == "= \n\n");
    CHECK(eventually([&] { return clients::read_text(folder + "/room.json") == file; }));
    daemon.signal(death);
    daemon.wait();
  }
}

TEST_CASE("kept tables: what HexGui's swap has changed is there after a restart") {
  const clients::ScratchFolder scratch;
  const auto config = with_folder(scratch / "state");
  {
    const RunningServer server(config);
    Client client(server.port());
    client.ask("game hex size=5 swap=on");
    client.ask("attach room");
    client.ask("keep on");
    for (const char* line : {"dialect hexgui", "play black a2", "play white swap-pieces",
                             "play white c3", "play black d4"}) {
      CHECK(client.ask(line) == "= \n\n");
    }
    const std::string file = (scratch / "state" / "room.json").string();
    CHECK(eventually([&] {
      return std::filesystem::exists(file) &&
             clients::read_text(file).find("\"d4\"") != std::string::npos;
    }));
  }
  const RunningServer server(config);
  Client client(server.port());
  client.ask("attach room");
  client.ask("dialect hexgui");
  CHECK(client.ask("moves") == "= a2 c3 d4\n\n");
  CHECK(client.ask("gg-undo 3") == "= \n\n");
  CHECK(client.ask("moves") == "= a2\n\n");  // the third was that the players changed sides
  CHECK(client.ask("clear_board") == "= \n\n");
  CHECK(client.ask("game") == "= hex size=5 swap=on\n\n");
}

TEST_CASE("kept tables: keep off, release and tables that nobody keeps leave nothing behind") {
  const clients::ScratchFolder scratch;
  const auto folder = scratch / "state";
  auto config = with_folder(folder);
  config.limits.keep_tables = std::chrono::milliseconds(0);
  const RunningServer server(config);
  Client client(server.port());
  CHECK(client.ask("keep on").starts_with("? only a table with a name can be kept"));
  for (const std::string last : {"keep off", "release"}) {
    CAPTURE(last);
    client.ask("attach room");
    CHECK(client.ask("keep") == "= off\n\n");
    CHECK(client.ask("keep on") == "= \n\n");
    CHECK(client.ask("keep maybe").starts_with("? syntax error"));
    CHECK(eventually([&] { return std::filesystem::exists(folder / "room.json"); }));
    CHECK(client.ask(last) == "= \n\n");
    CHECK(eventually([&] { return !std::filesystem::exists(folder / "room.json"); }));
    client.ask("detach");
  }
  // A kept table waits for its players for ever.
  client.ask("attach room");
  client.ask("keep on");
  client.ask("detach");
  Client other(server.port());
  CHECK_FALSE(
      eventually([&] { return other.ask("tables") == "= \n\n"; }, std::chrono::milliseconds(300)));
}

TEST_CASE("kept tables: the owner decides, and owns the table after a restart") {
  const clients::ScratchFolder scratch;
  const TokenFile file;
  auto config = file.config();
  config.state_folder = (scratch / "state").string();
  {
    const RunningServer server(config);
    Entered alice(server, "alice");
    alice.ask("attach room");
    alice.ask("share watch");
    Entered eve(server, "eve");
    eve.ask("attach room");
    CHECK(eve.ask("keep on") == "? this table belongs to alice\n\n");
    CHECK(alice.ask("keep on") == "= \n\n");
    CHECK(eve.ask("keep") == "= on\n\n");
  }
  const RunningServer server(config);
  Entered eve(server, "eve");
  CHECK(eve.ask("attach room") == "= \n\n");
  CHECK(eve.ask("release").starts_with("? "));
  Entered alice(server, "alice");
  alice.ask("attach room");
  CHECK(alice.ask("share") == "= watch\n\n");
  CHECK(alice.ask("play b d1") == "= \n\n");
}

TEST_CASE("kept tables: a file that is none is left, and costs the others nothing") {
  const clients::ScratchFolder scratch;
  const auto folder = scratch / "state";
  {
    const RunningServer server(with_folder(folder));
    Client client(server.port());
    client.ask("attach good");
    client.ask("play b d1");
    client.ask("keep on");
  }
  const std::string good = clients::read_text((folder / "good.json").string());
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  const std::string bad[] = {"",
                             "{",
                             "[]",
                             good.substr(0, good.size() / 2),
                             replaced("connect4", "chess"),
                             replaced("\"d1\"", "\"z9\""),
                             replaced("\"version\": 1", "\"version\": 2"),
                             replaced("\"nobody\"", "\"admin\""),
                             replaced("\"options\": []", "\"options\": [[\"k\", \"x\"]]")};
  for (const std::string& text : bad) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(server::restored_table(text, {})), std::exception);
    clients::write_text((folder / "bad.json").string(), text);
    const RunningServer server(with_folder(folder));
    Client client(server.port());
    CHECK(client.ask("tables") == "= good connect4 0 idle\n\n");
    CHECK(clients::read_text((folder / "bad.json").string()) == text);
    client.ask("attach bad");
    CHECK(client.ask("keep on").starts_with("? a kept table of this name could not be restored"));
  }
}

TEST_CASE("kept tables: without a folder they are refused, and a bad folder ends the start") {
  const RunningServer server;
  Client client(server.port());
  client.ask("attach room");
  CHECK(client.ask("keep on").starts_with("? this server keeps no tables: start pitbossd with "));
  for (const char* bad : {"/dev/null/state", ""}) {
    Daemon daemon({"--listen", "127.0.0.1:0", "--state", bad});
    CHECK(daemon.wait() == 1);
    CHECK(daemon.errors().find("--state must name a folder") != std::string::npos);
  }
  const clients::ScratchFolder scratch;
  const std::string folder = (scratch / "state").string();
  const RunningServer first(with_folder(folder));
  Daemon second({"--listen", "127.0.0.1:0", "--state", folder});
  CHECK(second.wait() == 1);
  CHECK(second.errors().find("another pitbossd has it") != std::string::npos);
}
