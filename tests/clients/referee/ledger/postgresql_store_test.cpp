#include "clients/referee/ledger/postgresql_store.hpp"

#include <doctest/doctest.h>

#include <boost/asio/detached.hpp>
#include <limits>
#include <thread>

#include "clients/referee/ledger/copy_ledger.hpp"
#include "clients/referee/ledger/database_session.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/text.hpp"
#include "tests/timing.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

Experiment one_match() {
  Experiment experiment{.name = "one", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 3));
  return experiment;
}

using tests::contains;

/// The rows of a ledger's table with their checksums, in the order of the checksums.
std::vector<StoredValues> rows_of(Store& store, const std::string& table) {
  std::vector<StoredValues> out;
  const auto columns = static_cast<int>(store.columns(table).size());
  store.read("SELECT * FROM " + table + " ORDER BY checksum", {}, [&](const StoredRow& row) {
    StoredValues& values = out.emplace_back();
    for (int column = 0; column < columns; ++column) values.push_back(row.value(column));
  });
  return out;
}

/// Stands between a client and a server, and cuts their connection at the next commit, or as a
/// pooler does whose server is away.
class Relay {
 public:
  enum class Cut { none, before, after, late };

  explicit Relay(std::uint16_t to) : to_(to) {
    asio::co_spawn(io_, accept(), asio::detached);
    thread_ = std::thread([this] { io_.run(); });
  }
  ~Relay() {
    io_.stop();
    thread_.join();
  }
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  [[nodiscard]] std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  /// Where the next commit is lost: on its way, or its answer; `late`: the client is cut off before
  /// the server hears of it.
  std::atomic<Cut> cut = Cut::none;
  /// Clients are let in, and cut off when they ask something.
  std::atomic<bool> is_away = false;

 private:
  struct Link {
    tcp::socket client;
    tcp::socket server;
    bool waits_for_answer = false;
    void close() {
      client.close();
      server.close();
    }
  };

  asio::awaitable<void> accept() {
    for (;;) {
      tcp::socket client = co_await acceptor_.async_accept(asio::use_awaitable);
      auto link = std::make_shared<Link>(Link{std::move(client), tcp::socket(io_)});
      co_await link->server.async_connect({asio::ip::address_v4::loopback(), to_},
                                          asio::use_awaitable);
      asio::co_spawn(io_, up(link), asio::detached);
      asio::co_spawn(io_, down(link), asio::detached);
    }
  }
  asio::awaitable<void> up(std::shared_ptr<Link> link) {
    std::array<char, 65536> data{};
    for (;;) {
      const auto [error, size] = co_await link->client.async_read_some(
          asio::buffer(data), asio::as_tuple(asio::use_awaitable));
      if (error || (is_away && contains({data.data(), size}, "BEGIN"))) break;
      if (cut != Cut::none && contains({data.data(), size}, "COMMIT") &&
          !contains({data.data(), size}, "COMMITTED")) {  // not what begins one
        const Cut where = cut.exchange(Cut::none);
        if (where == Cut::before) break;
        link->waits_for_answer = true;
        if (where == Cut::late) {
          link->client.close();
          asio::steady_timer timer(io_, std::chrono::milliseconds(300));
          co_await timer.async_wait(asio::use_awaitable);
        }
      }
      co_await asio::async_write(link->server, asio::buffer(data, size),
                                 asio::as_tuple(asio::use_awaitable));
    }
    link->close();
  }
  asio::awaitable<void> down(std::shared_ptr<Link> link) {
    std::array<char, 65536> data{};
    for (;;) {
      const auto [error, size] = co_await link->server.async_read_some(
          asio::buffer(data), asio::as_tuple(asio::use_awaitable));
      if (error || link->waits_for_answer) break;
      co_await asio::async_write(link->client, asio::buffer(data, size),
                                 asio::as_tuple(asio::use_awaitable));
    }
    link->close();
  }

  asio::io_context io_{1};
  std::uint16_t to_;
  tcp::acceptor acceptor_{io_, {asio::ip::address_v4::loopback(), 0}};
  std::thread thread_;
};

std::uint16_t port_of_shared_server() {
  const std::string url = shared_server().url();
  const std::string server = url.substr(0, url.find("/pitboss?"));
  return static_cast<std::uint16_t>(std::stoi(server.substr(server.rfind(':') + 1)));
}

/// Of the shared server's database.
std::string url_through(const Relay& relay) {
  std::string url = shared_server().url();
  const std::string old_port = ":" + std::to_string(port_of_shared_server());
  url.replace(url.find(old_port), old_port.size(), ":" + std::to_string(relay.port()));
  return url + "&sslmode=disable&gssencmode=disable";
}

}  // namespace

TEST_CASE("a ledger that is copied to a database and back is the same, checksums included") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = one_match();
  const ScratchFolder folder;
  const LedgerPlace first = folder / "first";
  const LedgerPlace database = DatabasePlace(shared_server().url(), "a \"copy\"; DROP");
  {
    Ledger ledger(first, experiment);
    ledger.open_for_writing();
    PlayedRound round = recorded_round(experiment, 0, 0);
    round.games[0].seconds = {0.1, -std::numeric_limits<double>::denorm_min()};
    round.games[0].latency = {1e300, 1.0 / 3};
    ledger.transact([&] {
      const Declaration declared{"motor \xc3\xa4\xe2\x82\xac", {{"k", "1"}}};
      ledger.note(Declarations{{declared, declared}});
    });
    record(ledger, round);
    ledger.transact([&] {
      ledger.enter(made_referee("1", "\xc3\xa4"), std::chrono::seconds(30));
      CHECK(ledger.claim(0, 1).has_value());
      ledger.note({0, 1, "A", "host:1", "closed", true, "> genmove b\n\xf0\x9f\x99\x82", 17});
    });
  }
  copy_ledger(first, database);
  copy_ledger(database, folder / "second");
  for (const std::string table : ledger_tables) {
    CAPTURE(table);
    const auto rows = rows_of(*existing_ledger(first), table);
    CHECK_FALSE(rows.empty());
    CHECK(rows_of(*existing_ledger(folder / "second"), table) == rows);
    if (table == "ledger") continue;  // with the name of the last transaction
    CHECK(rows_of(*existing_ledger(database), table) == rows);
  }
  // What no database takes is replaced.
  Ledger ledger(database, experiment);
  ledger.open_for_writing();
  ledger.transact([&] { ledger.note({0, 2, "A", "", "", true, std::string("a\0b\xff", 4), 18}); });
  CHECK(ledger.incidents().back().excerpt == "ab\xef\xbf\xbd");
}

TEST_CASE(
    "whatever the database has for defaults, referees that begin at once share the experiment") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  const Experiment experiment = one_match();
  int number = 0;
  for (const char* defaults : {"default_transaction_isolation TO 'serializable'",
                               "default_transaction_isolation TO 'repeatable read'",
                               "default_transaction_read_only TO on", "statement_timeout TO '1ms'",
                               "extra_float_digits TO '-10'", "client_encoding TO 'LATIN1'"}) {
    CAPTURE(defaults);
    {
      DatabaseSession session(server.url());
      session.run("SET default_transaction_read_only TO off");
      session.run("ALTER ROLE pitboss RESET ALL");
      session.run("ALTER ROLE pitboss SET " + std::string(defaults));
    }
    const DatabasePlace place(server.url(), "all " + std::to_string(++number));
    std::vector<std::string> failures(6);
    std::atomic<bool> has_outage = false;
    {
      std::vector<std::jthread> referees;
      for (std::string& failure : failures) {
        referees.emplace_back([&] {
          failure = error_of([&] {
            Ledger ledger(place, experiment);
            ledger.on_outage([&](const std::string&) { has_outage = true; });
            ledger.open_for_writing();
          });
        });
      }
    }
    for (const std::string& failure : failures) CHECK(failure == "");
    CHECK_FALSE(has_outage);
  }
}

TEST_CASE("a statement that somebody cancels is run again") {
  if (!ScratchServer::is_possible()) return;
  const std::string& url = shared_server().url();
  const Experiment experiment = one_match();
  Ledger ledger(DatabasePlace(url, "cancelled"), experiment);
  ledger.open_for_writing();
  DatabaseSession other(url);
  std::string failure;
  other.run("BEGIN; LOCK TABLE cancelled.incidents");
  std::jthread writer([&] {
    failure = error_of([&] {
      ledger.transact([&] { ledger.note({0, 1, "A", "host:1", "closed", true, "", 17}); });
    });
  });
  DatabaseSession administrator(url);
  CHECK(tests::eventually([&] {
    const std::string cancel =
        "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
        "WHERE wait_event_type = 'Lock' AND query LIKE '%incidents%'";
    return administrator.run(cancel).rows() > 0;
  }));
  other.run("ROLLBACK");
  writer.join();
  CHECK(failure == "");
  CHECK(ledger.incidents().size() == 1);
}

TEST_CASE("a value in a database that was changed is found, with its table and row") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = one_match();
  const DatabasePlace place(shared_server().url(), "changed");
  {
    Ledger ledger(place, experiment);
    ledger.open_for_writing();
    record(ledger, recorded_round(experiment, 0, 0));
  }
  PostgresqlStore store(place);
  store.open(ledger_tables);
  const auto change = [&](const std::string& statement) {
    store.transact([&] {
      store.run_script("SET LOCAL session_replication_role TO replica");  // without triggers
      store.run(statement, {});
      store.run_script("SET LOCAL session_replication_role TO origin");
    });
  };
  change("UPDATE games SET seconds2 = seconds2 + 1 WHERE number = 2");
  CHECK(contains(error_of([&] { static_cast<void>(read_experiment(place)); }),
                 "#changed: it is damaged: row (0,"));
  change("UPDATE games SET seconds2 = seconds2 - 1 WHERE number = 2");
  CHECK(read_experiment(place).matches.size() == 1);
  change("UPDATE rounds SET ended = 7");
  CHECK(contains(error_of([&] { static_cast<void>(read_experiment(place)); }),
                 " of its table rounds does not fit its checksum"));
  store.transact([&] { store.run("UPDATE rounds SET ended = 7", {}); });  // with triggers
  CHECK(Ledger(place, experiment).played()[0].ended == 7);
}

TEST_CASE("a database that is no place for a ledger is refused, and left alone") {
  if (!ScratchServer::is_possible()) return;
  const Experiment experiment = one_match();
  const std::string url = shared_server().url();
  const auto refusal = [&](const std::string& text) {
    return error_of([&] { Ledger(parse_place(text), experiment).open_for_writing(); });
  };
  CHECK(contains(refusal(url), " names no experiment: add #NAME"));
  CHECK(contains(refusal(url + "#pg_toast"), "\"pg_toast\" cannot name an experiment"));
  CHECK(contains(refusal(url + "#" + std::string(64, 'x')), "at most 63 bytes"));
  CHECK(contains(refusal(url + "#\xff"), "multibyte character"));
  CHECK(contains(refusal("postgresql://a:b@127.0.0.1/c#d"),
                 "holds a password, which others could see"));
  CHECK(contains(refusal("postgresql://127.0.0.1/c?password=b#d"), "holds a password"));
  CHECK(contains(refusal("postgresql://127.0.0.1/c?nothing=b#d"), "is no URL of a database"));
  CHECK(contains(refusal("postgresql://127.0.0.1:1/c#d"), "Connection refused"));
  const std::string without_password = url.substr(0, url.find('?'));
  CHECK(contains(refusal(without_password + "?passfile=/none#d"), "password"));
  CHECK(contains(refusal(without_password + "x" + url.substr(url.find('?')) + "#d"),
                 "does not exist"));

  {
    PostgresqlStore store(DatabasePlace(url, "of another program"));
    CHECK(store.create("CREATE TABLE ledger (key TEXT PRIMARY KEY, value TEXT, checksum BIGINT)",
                       std::array{"ledger"}, [] {}));
  }
  CHECK(contains(refusal(url + "#of another program"), "it is not a ledger"));
  PostgresqlStore server(DatabasePlace(url, "of another program"));
  CHECK(server.columns("ledger").size() == 3);
}

TEST_CASE("a database with another program's tables is refused") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  {
    PostgresqlStore store((DatabasePlace(server.url(), "shop")));
    CHECK(store.create("CREATE TABLE customers (key TEXT PRIMARY KEY, value TEXT, checksum BIGINT)",
                       std::array{"customers"}, [] {}));
  }
  const Experiment experiment = one_match();
  CHECK(contains(
      error_of([&] { const Ledger ledger(DatabasePlace(server.url(), "mine"), experiment); }),
      "is a database of another program, with a table shop.customers"));
}

TEST_CASE("a transaction counts once, wherever its connection breaks") {
  if (!ScratchServer::is_possible()) return;
  Relay relay(port_of_shared_server());
  const Experiment experiment = one_match();
  Ledger ledger(DatabasePlace(url_through(relay), "cut"), experiment);
  std::vector<std::string> told;
  ledger.on_outage([&](const std::string& sentence) { told.push_back(sentence); });
  const auto check = [&](Relay::Cut cut, int expected_runs, const auto& work) {
    int runs = 0;
    relay.cut = cut;
    told.clear();
    ledger.transact([&] {
      ++runs;
      work();
    });
    CHECK(runs == expected_runs);
    REQUIRE(told.size() == 2);
    CHECK(contains(told[0], "#cut is away ("));
    CHECK(contains(told[1], "#cut is back after "));
  };
  relay.cut = Relay::Cut::after;
  ledger.open_for_writing();  // the transaction that makes it is cut
  CHECK(relay.cut == Relay::Cut::none);
  int number = 0;
  for (const auto& [cut, runs] :
       {std::pair(Relay::Cut::after, 1), {Relay::Cut::before, 2}, {Relay::Cut::late, 1}}) {
    check(cut, runs, [&, n = number] { ledger.note({0, 1, "A", "", "", false, "", n}); });
    bool is_written = false;
    check(cut, runs, [&, n = number] {
      const auto claim = ledger.claim(0, n);
      REQUIRE(claim.has_value());
      is_written = ledger.finish(*claim, recorded_round(experiment, 0, n));
    });
    CHECK(is_written);
    check(cut, runs, [&, n = number] {
      ledger.enter(made_referee(std::to_string(n), "folder"), std::chrono::seconds(30));
    });
    ++number;
  }
  CHECK(ledger.incidents().size() == 3);
  CHECK(ledger.played().size() == 3);
  CHECK(ledger.referees().size() == 3);
  CHECK(ledger.faults().empty());
}

TEST_CASE("a database that is away is not waited for by who lists its ledgers") {
  if (!ScratchServer::is_possible()) return;
  Relay relay(port_of_shared_server());
  const DatabasePlace database(url_through(relay));
  CHECK_NOTHROW(static_cast<void>(ledgers_in(database)));
  relay.is_away = true;
  CHECK_THROWS_AS(static_cast<void>(ledgers_in(database)), DatabaseAway);
  CHECK_THROWS_AS(static_cast<void>(ledgers_in(DatabasePlace("postgresql://127.0.0.1:1/c"))),
                  DatabaseAway);
}

TEST_CASE("a server gives up a transaction whose client is cut off within it") {
  if (!ScratchServer::is_possible()) return;
  PostgresqlStore store(DatabasePlace(shared_server().url(), "patience"));
  CHECK(store.create("CREATE TABLE ledger (key TEXT PRIMARY KEY, value TEXT, checksum BIGINT)",
                     std::array{"ledger"}, [] {}));
  std::string timeout;
  store.transact([&] {
    store.read("SELECT current_setting('idle_in_transaction_session_timeout')", {},
               [&](const StoredRow& row) { timeout = row.text(0); });
  });
  CHECK(timeout == "10s");
}

TEST_CASE("a server that is killed and started again costs time alone") {
  if (!ScratchServer::is_possible()) return;
  const ScratchServer server;
  const Experiment experiment = one_match();
  Ledger ledger(DatabasePlace(server.url(), "killed"), experiment);
  ledger.open_for_writing();
  record(ledger, recorded_round(experiment, 0, 0));
  server.kill();
  std::thread riser([&] { server.rise(); });
  record(ledger, recorded_round(experiment, 0, 1));
  riser.join();
  CHECK(ledger.played().size() == 2);
  server.kill();
  ledger.stop_waiting();
  CHECK_THROWS_WITH_AS(record(ledger, recorded_round(experiment, 0, 2)),
                       doctest::Contains("#killed"), DatabaseAway);
  server.rise();
  CHECK(Ledger(DatabasePlace(server.url(), "killed"), experiment).played().size() == 2);
}

}  // namespace pitboss::clients
