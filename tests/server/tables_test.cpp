#include <doctest/doctest.h>

#include <chrono>
#include <deque>
#include <sstream>
#include <string>
#include <thread>

#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::endless_search;
using pitboss::tests::eventually;
using pitboss::tests::RunningServer;

namespace {

/// A client that sits at a table.
struct Seated : Client {
  Seated(const RunningServer& server, const std::string& name) : Client(server.port()) {
    CHECK(ask("attach " + name) == "= \n\n");
  }
};

void begin_long_search(Client& client, const RunningServer& server) {
  client.write(std::string(endless_search) + "genmove b\n");
  client.answer();
  client.answer();
  REQUIRE(eventually([&] { return server.counts().searching == 1; }));
}

}  // namespace

TEST_CASE("Server: a command at a shared table waits for a search, others are answered") {
  const RunningServer server;
  Seated a(server, "study");
  Seated b(server, "study");
  begin_long_search(a, server);
  CHECK(b.ask("1 name") == "=1 Pitboss\n\n");
  b.write("2 tables\n3 moves\n4 name\n");
  CHECK(b.answer() == "=2 study connect4 2 genmove\n\n");
  std::this_thread::sleep_for(50ms);
  CHECK(server.counts().searching == 1);
  a.write("# interrupt\n");
  const std::string played = a.answer();
  CHECK(b.answer() == "=3" + played.substr(1));
  CHECK(b.answer() == "=4 Pitboss\n\n");
}

TEST_CASE("Server: an analysis at a shared table ends for a command of another") {
  const RunningServer server;
  Seated a(server, "study");
  Seated b(server, "study");
  a.write("lz-analyze 1\n");
  CHECK(a.line() == "= ");
  CHECK(a.line().starts_with("info move "));
  CHECK(b.ask("play b d1") == "= \n\n");
  while (!a.line().empty()) {
  }
  CHECK(a.ask("moves") == "= d1\n\n");
}

TEST_CASE("Server: two that both play never corrupt their table") {
  const RunningServer server;
  std::deque<Seated> clients;
  for (int i = 0; i < 2; ++i) clients.emplace_back(server, "study");
  clients[0].ask("setoption simulations 200");
  // Everybody sends everything; some of it is refused, as it is not its turn.
  std::string script;
  for (int i = 0; i < 40; ++i) {
    script += "genmove b\nplay w d1\nundo\ngenmove w\nlz-analyze b 1\nplay b c1\nlz-analyze w 1\n";
    script += "setoption alpha 0.5\nshowboard\nlegal_moves\nlast_search\n";
  }
  const int commands = 40 * 11;
  for (auto& client : clients) client.write(script);
  for (auto& client : clients) {
    for (int i = 0; i < commands; ++i) {
      const std::string answer = client.answer();
      CHECK((answer.starts_with("= ") || answer.starts_with("? ")));
      CHECK(answer.find("internal") == std::string::npos);
    }
  }
  // What is there is what the moves lead to.
  Client fresh(server.port());
  std::istringstream moves(clients[0].ask("moves").substr(2));
  bool black = true;
  for (std::string move; moves >> move; black = !black) {
    CHECK(fresh.ask((black ? "play b " : "play w ") + move) == "= \n\n");
  }
  CHECK(fresh.ask("get_position") == clients[1].ask("get_position"));
}

TEST_CASE("Server: a table with a name survives its connections, for a while") {
  auto config = RunningServer::small();
  config.limits.keep_tables = 1500ms;
  const RunningServer server(config);
  {
    Seated a(server, "study");
    a.ask("play b d1");
    a.reset();
  }
  Client watcher(server.port());
  REQUIRE(eventually([&] { return watcher.ask("tables") == "= study connect4 0 idle\n\n"; }));
  {
    Seated back(server, "study");
    CHECK(back.ask("moves") == "= d1\n\n");
    std::this_thread::sleep_for(2s);  // not while somebody is there
    CHECK(back.ask("tables") == "= study connect4 1 idle\n\n");
    back.close();
  }
  CHECK(eventually([&] { return watcher.ask("tables") == "= \n\n"; }));
  Seated late(server, "study");
  CHECK(late.ask("moves") == "= \n\n");
}

TEST_CASE("Server: a connection that breaks during its genmove leaves the table as it was") {
  const RunningServer server;
  Seated a(server, "study");
  a.ask("play b d1");
  a.ask("play w d2");
  begin_long_search(a, server);
  a.reset();
  CHECK(eventually([&] { return server.counts().searching == 0; }));
  Seated back(server, "study");
  CHECK(back.ask("moves") == "= d1 d2\n\n");
  CHECK(back.ask("tables") == "= study connect4 1 idle\n\n");
  CHECK(back.ask("setoption simulations 100") == "= \n\n");
  CHECK(back.ask("genmove b").starts_with("= "));
}

TEST_CASE("Server: one that waits for a table can leave") {
  const RunningServer server;
  Seated a(server, "study");
  begin_long_search(a, server);
  const int sessions = server.counts().sessions;
  {
    Seated b(server, "study");
    b.write("name\nmoves\nmoves\n");
    CHECK(b.answer() == "= Pitboss\n\n");  // and so it waits now
    SUBCASE("at once") { b.reset(); }
    SUBCASE("closing") { b.close(); }
  }
  CHECK(eventually([&] { return server.counts().sessions == sessions; }));
  a.write("# interrupt\n");
  CHECK(a.answer().starts_with("= "));
}

TEST_CASE("Server: one that waits for a table can give up") {
  auto config = RunningServer::small();
  config.limits.half_close = 300ms;
  const RunningServer server(config);
  Seated a(server, "study");
  begin_long_search(a, server);
  Seated b(server, "study");
  constexpr const char* refusal =
      "?1 interrupted: another session's genmove has the table\n\n"
      "?2 interrupted: another session's genmove has the table\n\n";
  SUBCASE("by an interrupt") {
    b.write("1 moves\n2 genmove b\n# interrupt\n3 name\n");
    std::string answers = b.answer();
    answers += b.answer();
    CHECK(answers == refusal);
    CHECK(b.answer() == "=3 Pitboss\n\n");
  }
  // Who has the answer to a line of the same piece waits when it sends the next.
  SUBCASE("by an interrupt later") {
    b.write("name\n1 moves\n2 genmove b\n");
    CHECK(b.answer() == "= Pitboss\n\n");
    b.write("# interrupt\n");
    std::string answers = b.answer();
    answers += b.answer();
    CHECK(answers == refusal);
    CHECK(b.ask("name") == "= Pitboss\n\n");
  }
  SUBCASE("by quit") {
    b.write("name\n1 moves\n");
    CHECK(b.answer() == "= Pitboss\n\n");
    b.write("4 quit\n");
    CHECK(b.rest() == "?1 interrupted: another session's genmove has the table\n\n=4 \n\n");
  }
  SUBCASE("some time after the end of its input") {
    b.write("1 moves\n2 genmove b\n");
    b.end_input();
    CHECK(b.rest() == refusal);
  }
  CHECK(server.counts().searching == 1);  // the other's, which goes on
  a.write("# interrupt\n");
  CHECK(a.answer().starts_with("= "));
}

TEST_CASE("Server: pondering begins behind the last point of a move") {
  const RunningServer server;
  Client a(server.port());
  a.ask("game breakthrough");
  a.ask("dialect gogui");
  a.ask("setoption reuse_tree true");
  a.ask("setoption ponder true");
  a.ask("genmove b");
  CHECK(server.counts().pondering == 0);
  a.ask("genmove b");
  CHECK(eventually([&] { return server.counts().pondering == 1; }));
}

TEST_CASE("Server: pondering lasts until something is asked of the table") {
  const RunningServer server;
  Seated a(server, "study");
  a.ask("setoption simulations 500");
  a.ask("setoption reuse_tree true");
  a.ask("setoption ponder true");
  const auto ponders = [&] { return server.counts().pondering == 1; };
  a.ask("genmove b");
  REQUIRE(eventually(ponders));
  CHECK(a.ask("name") == "= Pitboss\n\n");
  CHECK(a.ask("tables") == "= study connect4 1 ponder\n\n");
  CHECK(a.ask("setoption k 0.5") == "= in force in the running search\n\n");
  CHECK(server.counts().pondering == 1);
  std::this_thread::sleep_for(50ms);

  SUBCASE("a move, whose search goes on from there") {
    const std::string reply = a.ask("legal_moves").substr(2, 2);
    CHECK(server.counts().pondering == 0);
    a.ask("play w " + reply);
    a.ask("genmove b");
    const std::string search = a.ask("last_search");
    CHECK(search.find("\"simulations\":500,") != std::string::npos);
    CHECK(search.find("\"reused\":0,") == std::string::npos);
  }
  SUBCASE("the option") {
    a.ask("setoption ponder false");
    CHECK(eventually([&] { return server.counts().pondering == 0; }));
  }
  SUBCASE("stop") {
    CHECK(a.ask("stop") == "= \n\n");
    CHECK(server.counts().pondering == 0);
  }
  SUBCASE("a command of another session") {
    Seated b(server, "study");
    CHECK(b.ask("moves").size() > 4);
    CHECK(server.counts().pondering == 0);
  }
  SUBCASE("the end of the session") {
    a.reset();
    CHECK(eventually([&] { return server.counts().pondering == 0; }));
  }
}

TEST_CASE("Server: pondering takes no time from searches, and ends although they run") {
  auto config = RunningServer::small();
  config.workers = 1;
  const RunningServer server(config);
  Client ponderer(server.port());
  ponderer.ask("setoption reuse_tree true");
  ponderer.ask("setoption ponder true");
  ponderer.ask("setoption tree_mb 1024");
  ponderer.ask("genmove b");
  REQUIRE(eventually([&] { return server.counts().pondering == 1; }));
  Client searcher(server.port());
  begin_long_search(searcher, server);
  CHECK(ponderer.ask("moves").starts_with("= "));
  CHECK(server.counts().searching == 1);  // the other's search, which lasts for ever, goes on
  searcher.write("# interrupt\n");
  CHECK(searcher.answer().starts_with("= "));
}
