#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "protocol/guesses.hpp"
#include "tests/folders.hpp"
#include "tests/server/daemon.hpp"
#include "tests/server/token_file.hpp"

using namespace std::chrono_literals;
using namespace pitboss;
using tests::Client;
using tests::Daemon;
using tests::Entered;
using tests::eventually;
using tests::line_of;
using tests::RunningServer;
using tests::TokenFile;

namespace {

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

TEST_CASE("Guesses: many from one host, until a minute has passed without one") {
  protocol::Guesses guesses;
  auto now = std::chrono::steady_clock::now();
  for (int i = 0; i < protocol::Guesses::most; ++i) {
    CHECK_FALSE(guesses.are_many("192.0.2.1", now));
    guesses.note("192.0.2.1", now += 50s);
  }
  CHECK(guesses.are_many("192.0.2.1", now + 59s));
  CHECK_FALSE(guesses.are_many("192.0.2.2", now));
  CHECK_FALSE(guesses.are_many("192.0.2.1", now + 61s));
  guesses.note("192.0.2.1", now + 61s);
  CHECK_FALSE(guesses.are_many("192.0.2.1", now + 61s));
}

TEST_CASE("Access: whoever guesses waits, and so does his host, but not who has entered") {
  const TokenFile file;
  const RunningServer server(file.config());
  Entered root(server, "root");
  for (int i = 0; i < 4; ++i) {
    Client guesser(server.port());
    guesser.write(i < 3 ? "auth a\nauth b\nauth c\n" : "auth a\nquit\n");
    guesser.rest();
  }
  const auto begin = std::chrono::steady_clock::now();
  const auto passed = [begin] { return std::chrono::steady_clock::now() - begin; };
  Client wrong(server.port());
  Client right(server.port());
  Client hidden(server.port());
  wrong.write("auth wrong\nquit\n");
  right.write("7 auth alice\n");
  hidden.write("# interrupt\n" + std::string(1000, ' ') + "8 \tauth  alice # indeed\n");
  CHECK(root.ask("name") == "= Pitboss\n\n");
  CHECK(Client(server.port()).ask("name") == "= Pitboss\n\n");
  Entered other(server, "alice", "127.0.0.9");
  CHECK(counted(root, "wrong_token") == 10);
  CHECK(eventually([&] { return counted(root, "guesses") == 3; }));
  CHECK(passed() < 2s);
  CHECK(wrong.rest() == "? wrong token\n\n= \n\n");
  CHECK(right.answer() == "=7 alice play\n\n");
  CHECK(hidden.answer() == "=8 alice play\n\n");
  CHECK(passed() >= protocol::Guesses::delay);
  CHECK(passed() < 2 * protocol::Guesses::delay);
  CHECK(counted(root, "wrong_token") == 11);
}

TEST_CASE("Access: who shows no token in time is disconnected") {
  const TokenFile file;
  auto config = file.config();
  config.limits.entry = 5s;
  const RunningServer server(config);
  Client late(server.port());
  late.ask("name");
  Entered in_time(server, "root");
  CHECK(late.rest().empty());
  CHECK(counted(in_time, "entry_seconds") == 1);
}

TEST_CASE("tokens: what a client has sent is not done when its token has gone") {
  const TokenFile file;
  RunningServer server(file.config());
  Entered root(server, "root");
  Entered alice(server, "alice");
  alice.ask("attach study");
  root.write(std::string(tests::endless_search) + "genmove b\n");
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

TEST_CASE("tokens: those who watch keep no tree, but what was found") {
  const TokenFile file;
  auto config = file.config();
  config.limits.keep_tables = 0ms;
  config.memory = std::make_shared<engine::MemoryBudget>(std::size_t{1} << 30);
  config.make_search = server::searches_with({});
  config.options.simulations = 200;
  const RunningServer server(config);
  Entered alice(server, "alice");
  alice.ask("attach study");
  alice.ask("share watch");
  CHECK(alice.ask("genmove b").starts_with("= "));
  Entered eve(server, "eve");
  eve.ask("attach study");
  const std::string moves = eve.ask("moves");
  const std::string found = eve.ask("last_search");
  CHECK(found.starts_with("= {"));
  CHECK(config.memory->used() > 0);
  alice.ask("detach");
  CHECK(eventually([&] { return config.memory->used() == 0; }));
  CHECK(eve.ask("attach") == "= \n\n");
  CHECK(eve.ask("moves") == moves);
  CHECK(eve.ask("last_search") == found);
  eve.ask("detach");

  alice.ask("attach study");
  alice.ask("share watch");
  CHECK(alice.ask("genmove b").starts_with("= "));
  eve.ask("attach study");
  CHECK(config.memory->used() > 0);
  alice.ask("release");
  alice.ask("detach");
  CHECK(eventually([&] { return config.memory->used() == 0; }));
}

TEST_CASE("tokens: strangers keep nobody out") {
  const TokenFile file;
  auto config = file.config();
  config.limits.max_sessions = 3;
  const RunningServer server(config);
  std::deque<Client> strangers;
  for (int i = 0; i < 7; ++i) strangers.emplace_back(server.port());  // the reserve, too
  CHECK(eventually([&] { return server.counts().sessions == 7; }));
  const Entered alice(server, "alice");
  CHECK(strangers.front().rest().empty());
  const Entered eve(server, "eve");
  const Entered root(server, "root");
  CHECK(Client(server.port()).ask("auth eve") == "? too many sessions (limit 3)\n\n");
  Entered another(server, "root");
  CHECK(counted(another, "max_sessions") >= 1);
}

TEST_CASE("tokens: none has all sessions, and administrators find some left") {
  const TokenFile file;
  auto config = file.config();
  config.limits.max_sessions = 8;
  const RunningServer server(config);
  std::deque<Entered> greedy;
  for (int i = 0; i < 6; ++i) greedy.emplace_back(server, "alice");
  const std::string refusal = "? too many sessions of one client (limit 6)\n\n";
  Client seventh(server.port());
  CHECK(seventh.ask("auth alice") == refusal);
  CHECK(seventh.ask("showboard") == "? this server asks for a token first: auth TOKEN\n\n");
  const Entered first(server, "eve");
  const Entered second(server, "eve");
  CHECK(Client(server.port()).ask("auth eve") == "? too many sessions (limit 8)\n\n");
  Entered administrator(server, "root");
  CHECK(counted(administrator, "max_sessions_per_client") == 1);

  for (int i = 0; i < 2; ++i) greedy.pop_back();  // what ends is counted no more
  CHECK(eventually([&] { return Client(server.port()).ask("auth alice") == "= alice play\n\n"; }));
}

TEST_CASE("sessions, disconnect: an administrator sees who is there, and ends a session") {
  const TokenFile file;
  const RunningServer server(file.config());
  Entered alice(server, "alice");
  alice.write(std::string(pitboss::tests::endless_search) + "genmove b\n");
  alice.answer();
  alice.answer();
  Entered root(server, "root");
  Client stranger(server.port());
  stranger.ask("name");
  const std::string rows = root.ask("sessions");
  CHECK(rows.find(" alice play busy ") != std::string::npos);
  CHECK(rows.find(" root admin ") != std::string::npos);
  CHECK(rows.find(" - nobody idle ") != std::string::npos);
  CHECK(alice.ask("# interrupt").starts_with("= "));
  CHECK(alice.ask("sessions").starts_with("? sessions needs the right admin"));
  alice.write("genmove w\n");
  const std::string number = rows.substr(2, rows.find(' ', 2) - 2);
  CHECK(root.ask("disconnect " + number) == "= \n\n");
  CHECK(alice.rest().starts_with("= "));  // the search's best move, and the end
  CHECK(root.ask("disconnect " + number) == "? there is no session " + number + "\n\n");
  CHECK(root.ask("disconnect 0").starts_with("? syntax error"));
  const std::string own = root.ask("sessions");
  CHECK(own.find(" alice ") == std::string::npos);
  root.write("disconnect " + own.substr(2, own.find(' ', 2) - 2) + "\n");
  CHECK(root.rest() == "= \n\n");
}

TEST_CASE("pitbossd, pitboss gtp: a token that is asked for, and one that has gone") {
  const TokenFile file;
  const clients::ScratchFolder folder;
  const auto token = (folder / "token").string();
  clients::write_text(token, "alice\n");
  std::filesystem::permissions(token, std::filesystem::perms(0640));
  Daemon daemon({"--listen", "127.0.0.1:0", "--tokens", file.path()});
  const std::string address = Daemon::address_of(daemon.output_line());
  const std::string program = pitboss::tests::bin_folder() + "/pitboss";
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
  CHECK(bridge.errors().starts_with("pitboss: others than its owner can use " + token +
                                    "; chmod 600 keeps it from them\npitboss: "));
  CHECK(
      bridge.errors().ends_with("has closed the connection: the server ends, or nothing was asked "
                                "for too long, or the token is not "
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
      "cannot read /nowhere/file: No such file or directory");
  file.write("alice plays\n");
  has(sentence({"--listen", "127.0.0.1:0", "--tokens", file.path()}),
      "line 1: expected NAME RIGHT HASH");
  has(sentence({"--listen", "0.0.0.0:0"}), "give --tokens FILE, or --open");
  has(sentence({"--listen", "127.0.0.1:0", "--listen", "[::]:0"}), "give --tokens FILE");
  has(sentence({"--listen", "127.0.0.1:0,tls"}), "needs --certificate FILE and --key FILE");
  has(sentence({"--listen", "127.0.0.1:0,ssl"}), "expected 'tls' after ','");
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

TEST_CASE(
    "Access: an address gets its sessions again as often as they end, and is refused no earlier") {
  auto config = RunningServer::small();
  config.limits.max_sessions_per_address = 2;
  const RunningServer server(config);
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    std::deque<Client> clients;
    for (int i = 0; i < 2; ++i) {
      CHECK(clients.emplace_back(server.port()).ask("name") == "= Pitboss\n\n");
    }
    CHECK(Client(server.port()).rest() == "? too many sessions from this address (limit 2)\n\n");
    clients[0].ask("quit");
    round % 2 == 0 ? clients[0].close() : clients[0].reset();
    round % 2 == 0 ? clients[1].reset() : clients[1].close();
    REQUIRE(eventually([&] { return server.counts().sockets == 0; }));
  }
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
    all.back().write(tests::endless_search);
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

TEST_CASE("Access: lines that workers handle count as no commands that take time, however many") {
  auto config = RunningServer::small();
  config.limits.max_searches_per_client = 1;
  const RunningServer server(config);
  Client searcher(server.port());
  Client other(server.port());
  const auto handle_lines = [&] {
    for (int i = 0; i < 3; ++i) {
      for (const char* line : {"legal_moves", "last_value", "showboard"}) {
        CHECK_FALSE(other.ask(line).empty());
      }
    }
  };
  searcher.write(tests::endless_search);
  for (int i = 0; i < 2; ++i) searcher.answer();
  for (int round = 0; round < 3; ++round) {
    CAPTURE(round);
    handle_lines();
    searcher.write("reg_genmove b\n");
    CHECK(eventually([&] { return server.counts().searching == 1; }));
    handle_lines();
    CHECK(other.ask("perft 2") == "? too many commands that take time at once (limit 1)\n\n");
    searcher.write("# interrupt\n");
    CHECK(searcher.answer().starts_with("= "));
    handle_lines();
    CHECK(other.ask("perft 2") == "= 49\n\n");
  }
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
