#include "server/session/tables.hpp"

#include <doctest/doctest.h>

#include "server/session/session.hpp"
#include "tests/server/session/named_tables.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using Status = tests::SteppedSession::Status;
using tests::ask;
using tests::with_tables;

namespace {

/// Two sessions at the table "study".
struct TwoAtOneTable {
  explicit TwoAtOneTable(const SessionConfig& config = with_tables()) : a(config), b(config) {
    ask(a, "attach study");
    ask(b, "attach study");
  }
  tests::SteppedSession a;
  tests::SteppedSession b;
};

}  // namespace

TEST_CASE("tables: attach names the present table, then finds it") {
  const auto config = with_tables();
  tests::SteppedSession a(config);
  tests::SteppedSession b(config);
  CHECK(ask(a, "attach") == "= \n\n");
  CHECK(ask(a, "detach").starts_with("? not attached"));
  ask(a, "game othello");
  ask(a, "play b e3");
  CHECK(ask(a, "attach study") == "= \n\n");
  CHECK(ask(a, "attach") == "= study\n\n");
  CHECK(ask(b, "attach study") == "= \n\n");
  CHECK(ask(b, "moves") == "= e3\n\n");
  CHECK(ask(b, "game") == "= othello size=8\n\n");
  CHECK(ask(b, "tables") == "= study othello 2 idle\n\n");
  ask(b, "play w f3");
  ask(b, "setoption alpha 0.5");
  CHECK(ask(a, "moves") == "= e3 f3\n\n");
  CHECK(ask(a, "getoption alpha") == "= 0.5\n\n");

  CHECK(ask(a, "attach study") == "= \n\n");  // there already
  CHECK(ask(b, "tables") == "= study othello 2 idle\n\n");
  CHECK(ask(a, "attach other") == "= \n\n");  // a new table: the present one has a name
  CHECK(ask(a, "moves") == "= \n\n");
  CHECK(ask(a, "game") == "= othello size=8\n\n");
  CHECK(ask(b, "tables") == "= other othello 1 idle\nstudy othello 1 idle\n\n");
  CHECK(ask(a, "detach") == "= \n\n");
  CHECK(ask(a, "attach") == "= \n\n");
  CHECK(ask(b, "tables") == "= other othello 0 idle\nstudy othello 1 idle\n\n");
  b.leave();
  CHECK(ask(a, "tables") == "= other othello 0 idle\nstudy othello 0 idle\n\n");
}

TEST_CASE("tables: options wait while another session's line is handled elsewhere") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  CHECK(a.handle("legal_moves", out) == Status::running);
  CHECK(ask(b, "tables") == "= study connect4 2 legal_moves\n\n");
  CHECK(a.handle_while_running("setoption k 0.5") == std::nullopt);
  CHECK(b.handle("setoption k 0.5", out) == Status::waiting);
  bool is_called = false;
  b.when_free([&] { is_called = true; });
  CHECK(a.step(1ms, out) == Status::ready);
  CHECK_FALSE(is_called);
  CHECK(a.begin_next(out) == Status::ready);
  CHECK(is_called);
  CHECK(b.handle("setoption k 0.5", out) == Status::ready);
  CHECK(ask(a, "getoption k") == "= 0.5\n\n");
}

TEST_CASE("tables: options wait for a line only, not for the search that it begins") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string line = "analyze b avoid b ";
  while (line.size() < 2000) line += "d1,";
  std::string out;
  CHECK(a.handle(line + "a1 1", out) == Status::running);
  CHECK(b.handle("setoption k 0.5", out) == Status::waiting);
  bool is_called = false;
  b.when_free([&] { is_called = true; });
  CHECK(a.step(1ms, out) == Status::ready);
  CHECK(a.begin_next(out) == Status::running);
  CHECK(is_called);
  CHECK(b.handle("setoption k 0.5", out) == Status::ready);
  a.interrupt();
  while (a.step(1ms, out) != Status::ready) {
  }
  a.end_job();
}

TEST_CASE("tables: bad names, and too many") {
  tests::SteppedSession a(with_tables({2, 10min}));
  CHECK(ask(a, "attach a/b").starts_with("? syntax error"));
  CHECK(ask(a, "attach " + std::string(65, 'x')).starts_with("? syntax error"));
  CHECK(ask(a, "attach a b").starts_with("? syntax error"));
  CHECK(ask(a, "attach " + std::string(64, 'x')) == "= \n\n");
  CHECK(ask(a, "attach A-1_b.c") == "= \n\n");
  CHECK(ask(a, "attach third") == "? too many tables (limit 2)\n\n");
  CHECK(ask(a, "attach") == "= A-1_b.c\n\n");
}

TEST_CASE("tables: one that nobody sits at is kept for a while") {
  std::vector<std::shared_ptr<Table>> gone;
  SessionConfig config;
  config.tables = std::make_shared<Tables>(
      TableLimits{64, 50ms}, [&](std::shared_ptr<Table> table) { gone.push_back(table); });
  tests::SteppedSession a(config);
  ask(a, "attach study");
  const auto now = Tables::SteadyClock::now();
  config.tables->expire(now + 1h);
  CHECK(config.tables->rows().size() == 1);
  a.leave();
  config.tables->expire(now);
  CHECK(config.tables->rows().size() == 1);
  CHECK(gone.empty());
  config.tables->expire(now + 1h);
  CHECK(config.tables->rows().empty());
  CHECK(gone.size() == 1);
}

TEST_CASE("tables: one that is not kept lasts as long as somebody sits there who may play") {
  const SessionConfig config = with_tables({64, 0ms});
  tests::SteppedSession a(config);
  ask(a, "attach study");
  CHECK(config.tables->expire(Tables::SteadyClock::now()).tables == 0);
  CHECK(ask(a, "attach") == "= study\n\n");
  a.leave();
  CHECK(config.tables->expire(Tables::SteadyClock::now()).tables == 1);
}

TEST_CASE("tables: a kept one lasts so many days without a player") {
  static int day;
  day = 100;
  TableLimits limits{64, 0ms};
  limits.may_last = true;
  limits.today = [] { return std::chrono::sys_days(std::chrono::days(day)); };
  for (const int lifetime : {3, 0}) {
    CAPTURE(lifetime);
    limits.kept = std::chrono::days(lifetime);
    const SessionConfig config = with_tables(limits);
    Tables& tables = *config.tables;
    const auto expired = [&] { return tables.expire(Tables::SteadyClock::now() + 1h); };
    tests::SteppedSession a(config);
    ask(a, "attach study");
    ask(a, "keep on");
    day += 50;
    CHECK(expired().kept == 0);  // somebody is there
    const auto text = tables.next_unsaved()->text.value();
    CHECK_FALSE(tables.next_unsaved());
    day += 1;
    CHECK(expired().kept == 0);
    CHECK(tables.next_unsaved());  // which is the day's use
    day += 1;
    a.leave();
    CHECK(tables.next_unsaved());
    day += 2;
    CHECK(expired().kept == 0);
    CHECK_FALSE(tables.next_unsaved());
    CHECK(tables.find("study") != nullptr);
    // After a restart it counts from the day that was saved.
    const SessionConfig after = with_tables(limits);
    after.tables->restore("study", restored_table(text, after), text);
    CHECK(after.tables->expire(Tables::SteadyClock::now() + 1h).kept == (lifetime > 0 ? 1 : 0));
    day += 1;
    const auto last = expired();
    CHECK(last.kept == (lifetime > 0 ? 1 : 0));
    CHECK(last.tables == 0);
    CHECK((tables.find("study") == nullptr) == (lifetime > 0));
    const auto unsaved = tables.next_unsaved();
    REQUIRE(unsaved.has_value() == (lifetime > 0));
    if (unsaved) CHECK_FALSE(unsaved->text);  // its file goes
  }
}

TEST_CASE("tables: a name that is given back is free, and its sessions stay at the table") {
  std::vector<std::shared_ptr<Table>> gone;
  SessionConfig config = with_tables();
  config.tables = std::make_shared<Tables>(
      TableLimits{1, 10min}, [&](std::shared_ptr<Table> table) { gone.push_back(table); });
  config.client.name = "alice";
  TwoAtOneTable two(config);
  auto& [a, b] = two;
  tests::SteppedSession c(config);
  CHECK(ask(c, "release") == "? this table has no name to release\n\n");
  CHECK(ask(c, "attach other").starts_with("? too many tables"));
  ask(a, "play b d1");
  CHECK(ask(a, "release") == "= \n\n");
  CHECK(ask(a, "tables") == "= \n\n");
  CHECK(ask(a, "attach") == "= \n\n");
  CHECK(ask(b, "moves") == "= d1\n\n");
  CHECK(ask(c, "attach study") == "= \n\n");  // another table
  CHECK(ask(c, "moves") == "= \n\n");
  CHECK(ask(c, "release") == "= \n\n");
  gone.clear();
  CHECK(ask(a, "attach again") == "= \n\n");
  CHECK(ask(c, "tables") == "= again connect4 2 idle\n\n");
  CHECK(ask(a, "release") == "= \n\n");
  CHECK(ask(b, "detach") == "= \n\n");
  CHECK(ask(b, "moves") == "= \n\n");
  CHECK(gone.empty());
  a.leave();
  CHECK(gone.size() == 1);
}

TEST_CASE("tables: one of everybody keeps its name while others sit there") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  CHECK(ask(b, "release") ==
        "? this table belongs to no token, and other sessions with the same right sit at it\n\n");
  CHECK(ask(a, "attach") == "= study\n\n");
  ask(a, "detach");
  CHECK(ask(b, "release") == "= \n\n");
  CHECK(ask(b, "tables") == "= \n\n");
}

TEST_CASE("tables: who leaves one without a name does not end another's analysis") {
  SessionConfig config = with_tables();
  config.client.name = "alice";
  TwoAtOneTable two(config);
  auto& [a, b] = two;
  ask(a, "release");
  std::string out;
  REQUIRE(a.handle("lz-analyze 1", out) == Status::running);
  b.leave();
  CHECK(a.step(1ms, out) == Status::running);
  a.interrupt();
  while (a.step(1ms, out) == Status::running) {
  }
}

TEST_CASE("tables: a command waits for another session's, but not one that needs no table") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  REQUIRE(a.handle("genmove b", out) == Status::running);
  for (const char* line : {"name", "list_commands", "getoption alpha", "list_options", "tables"}) {
    CHECK(ask(b, line).starts_with("= "));
  }
  CHECK(ask(b, "tables") == "= study connect4 2 genmove\n\n");
  CHECK(ask(b, "setoption alpha 0.1") == "= in force in the running search\n\n");
  CHECK(ask(b, "setoption novelty pseudocount") == "= in force from the next search on\n\n");
  std::string nothing;
  CHECK(b.handle("legal_moves", nothing) == Status::waiting);
  CHECK(nothing.empty());
  int called = 0;
  b.when_free([&] { ++called; });
  while (a.step(1ms, out) == Status::running) CHECK(called == 0);
  CHECK(called == 0);
  a.end_job();
  CHECK(called == 1);
  CHECK(ask(b, "moves") == out);
}

TEST_CASE("tables: a command that may not wait any more fails, and is forgotten") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  REQUIRE(a.handle("genmove b", out) == Status::running);
  int called = 0;
  const auto wait = [&] {
    std::string nothing;
    REQUIRE(b.handle("7 legal_moves", nothing) == Status::waiting);
    b.when_free([&] { ++called; });
  };
  wait();
  SUBCASE("interrupted") {
    std::string answer;
    CHECK(b.handle("7 legal_moves", answer, false) == Status::ready);
    CHECK(answer == "?7 interrupted: another session's genmove has the table\n\n");
  }
  SUBCASE("waiting twice") {
    wait();
    called = -1;
  }
  SUBCASE("gone") { b.leave(); }
  while (a.step(1ms, out) == Status::running) {
  }
  a.end_job();
  CHECK(called == 0);
}

TEST_CASE("tables: who may not wait still gets a table that is free soon") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  REQUIRE(a.handle("lz-analyze 1", out) == Status::running);
  std::string nothing;
  CHECK(b.handle("moves", nothing, false) == Status::waiting);
  while (a.step(1ms, out) == Status::running) {
  }
  a.end_job();
  CHECK(ask(b, "moves") == "= \n\n");
}

TEST_CASE("tables: the search of the game before is released by the next search") {
  tests::SteppedSession a(with_tables());
  std::string out;
  REQUIRE(a.handle("genmove b", out) == Status::running);
  const std::weak_ptr<engine::Search> search = a.search();
  while (a.step(1ms, out) == Status::running) {
  }
  ask(a, "game othello");
  CHECK_FALSE(search.expired());
  ask(a, "game breakthrough");
  CHECK_FALSE(search.expired());
  ask(a, "genmove b");
  CHECK(search.expired());
}

TEST_CASE("tables: an analysis gives way to a command of another session") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  REQUIRE(a.handle("lz-analyze 1", out) == Status::running);
  CHECK(a.yields());
  CHECK(a.step(1ms, out) == Status::running);
  CHECK(ask(b, "setoption alpha 0.1") == "= in force in the running search\n\n");
  CHECK(a.step(1ms, out) == Status::running);
  std::string nothing;
  CHECK(b.handle("play b d1", nothing) == Status::waiting);
  CHECK(a.step(1ms, out) == Status::ready);
  a.end_job();
  CHECK(ask(b, "play b d1") == "= \n\n");
}

TEST_CASE("tables: a search that nobody waits for any more plays nothing") {
  TwoAtOneTable two;
  auto& [a, b] = two;
  std::string out;
  REQUIRE(a.handle("genmove b", out) == Status::running);
  a.abandon();
  while (a.step(1ms, out) == Status::running) {
  }
  CHECK(out.empty());
  a.leave();
  CHECK(ask(b, "moves") == "= \n\n");
  CHECK(ask(b, "genmove b").starts_with("= "));
}
