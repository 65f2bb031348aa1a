#include "clients/referee/ledger/postgresql_store.hpp"

#include <algorithm>
#include <array>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/database_session.hpp"
#include "clients/referee/ledger/silence_watch.hpp"

namespace pitboss::clients {

using environment::AwakeClock;

namespace {

/// What a server says, as one line without the severity.
std::string said(const std::string& message) {
  std::string out = message.substr(0, message.find_last_not_of(" \n") + 1);
  for (const char* word : {"ERROR:  ", "FATAL:  "}) {
    if (out.starts_with(word)) out.erase(0, std::string_view(word).size());
  }
  // "connection to server at ... failed: ...\n\tIs the server running ...": the rest is a hint.
  return out.substr(0, out.find('\n'));
}

/// The URL with what must not be left to chance; what the user says counts.
std::string url_to_use(const std::string& url) {
  // A server that is cut off shows within this time.
  constexpr std::string_view ours =
      "connect_timeout=10&keepalives_idle=30&keepalives_interval=10&keepalives_count=3&"
      "tcp_user_timeout=30000&client_encoding=UTF8&fallback_application_name=pitboss";
  const std::size_t question = url.find('?');
  std::string out = url.substr(0, question) + "?" + std::string(ours);
  if (question != std::string::npos) out += "&" + url.substr(question + 1);
  return out;
}

template <class Number>
std::string digits_of(Number number) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// A value as a parameter: a text as PostgreSQL takes it, without zeros and in UTF-8.
std::string parameter_of(const StoredValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) {
    const auto* real = std::get_if<double>(&value);
    return real != nullptr ? digits_of(*real) : digits_of(std::get<std::int64_t>(value));
  }
  using nlohmann::json;
  std::string out = json::parse(json(*text).dump(-1, ' ', false, json::error_handler_t::replace));
  std::erase(out, '\0');
  return out;
}

/// Runs a statement with its parameters.
DatabaseAnswer execute(DatabaseSession& session, const std::string& statement,
                       const StoredValues& values) {
  std::vector<std::string> parameters;
  std::ranges::transform(values, std::back_inserter(parameters), parameter_of);
  return session.run(statement, parameters);
}

class PostgresqlRow final : public StoredRow {
 public:
  PostgresqlRow(const DatabaseAnswer& answer, int row) : answer_(answer), row_(row) {}

  [[nodiscard]] StoredValue value(int column) const override {
    const std::string_view text = answer_.text(row_, column);
    constexpr unsigned int int8 = 20;  // of catalog/pg_type.dat
    constexpr unsigned int int2 = 21;
    constexpr unsigned int int4 = 23;
    constexpr unsigned int float8 = 701;
    switch (answer_.type(column)) {
      case int2:
      case int4:
      case int8:
        return number<std::int64_t>(text);
      case float8:
        return number<double>(text);
      default:
        return std::string(text);
    }
  }

 private:
  template <class Number>
  static Number number(std::string_view text) {
    Number out{};
    std::from_chars(text.data(), text.data() + text.size(), out);
    return out;
  }

  const DatabaseAnswer& answer_;
  int row_;
};

}  // namespace

struct PostgresqlStore::Connection {
  Connection(const std::string& url, const std::atomic<std::chrono::milliseconds>& longest)
      : session(url), silence(session.socket(), [&longest] { return longest.load(); }) {}
  DatabaseSession session;
  bool is_in_transaction = false;
  SilenceWatch silence;
};

/// The connection of a store is gone.
struct PostgresqlStore::Lost : std::runtime_error {
  Lost(const PostgresqlStore* where, const std::string& why)
      : std::runtime_error(why), store(where) {}
  const PostgresqlStore* store;
};

/// Another transaction was in the way; the same may succeed next time.
struct PostgresqlStore::Conflict : std::runtime_error {
  using std::runtime_error::runtime_error;
};

PostgresqlStore::PostgresqlStore(DatabasePlace place)
    : place_(std::move(place)),
      mark_("commit " + boost::uuids::to_string(boost::uuids::random_generator()())) {
  connect();
}

PostgresqlStore::~PostgresqlStore() {
  if (!has_written_ || !connection_) return;
  try {
    begin(Access::writes);
    run("INSERT INTO " + marks_ + " (key, value) SELECT 'commit', value FROM " + marks_ +
            " WHERE key = $1 ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        {mark_});
    run("DELETE FROM " + marks_ + " WHERE key = $1", {mark_});
    commit();
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): see write_mark
  }
}

void PostgresqlStore::connect() {
  connection_.reset();
  try {
    connection_ = std::make_unique<Connection>(url_to_use(place_.url()), silence_);
  } catch (const DatabaseFailure& e) {
    throw DatabaseAway("cannot use " + name() + ": " + said(e.what()));
  }
}

/// Waits until the database, which has been away since then, can be reached again.
void PostgresqlStore::connect_again(AwakeClock::time_point since) {
  using namespace std::chrono_literals;
  for (;;) {
    try {
      return connect();
    } catch (const DatabaseAway&) {
      if (!waits_ || AwakeClock::now() > since + longest_outage) throw;
    }
    for (int i = 0; i < 10 && waits_; ++i) std::this_thread::sleep_for(50ms);
  }
}

/// What a broken connection means that is not the first one of a transaction: a pooler, too, lets
/// its clients in while the server is away.
void PostgresqlStore::wait_after(const Lost& lost, AwakeClock::time_point since) {
  const bool is_over = !waits_ || AwakeClock::now() > since + longest_outage;
  if (is_over) throw DatabaseAway("cannot use " + name() + ": " + lost.what());
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
}

/// Runs what talks to the server; turns failures into what `in_transaction` understands.
template <class Sends>
auto PostgresqlStore::guarded(const std::string& what, const Sends& sends) {
  if (!connection_) throw Lost(this, "no connection");
  try {
    const SilenceWatch::Question question(connection_->silence);
    return sends();
  } catch (const DatabaseFailure& e) {
    const std::string& state = e.state;
    // 40003: nobody knows whether it has counted; 57P: the server is shutting down, or recovers.
    const bool is_lost = state.empty() || !connection_->session.is_open() || state == "40003" ||
                         state.starts_with("57P") || state.starts_with("08");
    if (is_lost) throw Lost(this, said(e.what()));
    // 40: rolled back for another's sake; 23505: a row that two were writing at once; 57014: a
    // statement that somebody, or a default limit of time before `begin` lifts it, has cancelled.
    if (state.starts_with("40") || state == "23505" || state == "57014") {
      throw Conflict(said(e.what()));
    }
    throw UserError(what + " " + name() + ": " + said(e.what()));
  }
}

void PostgresqlStore::begin(Access access) {
  guarded("cannot use", [&] {
    Connection& there = *connection_;
    // Whatever the role or the database has for defaults. A look behind a lock has to see what was
    // committed meanwhile.
    std::string statements = access == Access::writes
                                 ? "BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE"
                                 : "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY";
    statements +=
        "; SET LOCAL synchronous_commit TO on; SET LOCAL statement_timeout TO 0; "
        "SET LOCAL lock_timeout TO 0; SET LOCAL client_encoding TO 'UTF8'; "
        "SET LOCAL extra_float_digits TO 3";
    if (access == Access::writes) {
      // The server gives up one whose client is cut off, and which others wait for; soon enough
      // for these to show signs of life.
      statements += "; SET LOCAL idle_in_transaction_session_timeout TO '10s'";
      statements += "; SELECT pg_advisory_xact_lock(hashtextextended('" + mark_ + "', 0))";
    }
    if (place_.is_named()) {
      statements += "; SET LOCAL search_path TO " + there.session.quoted(place_.name());
    }
    there.is_in_transaction = true;
    there.session.run(statements);
  });
}

void PostgresqlStore::roll_back() {
  const SilenceWatch::Question question(connection_->silence);
  connection_->is_in_transaction = false;
  try {
    connection_->session.run("ROLLBACK");
  } catch (const DatabaseFailure&) {  // NOLINT(bugprone-empty-catch): the server does it
  }
}

void PostgresqlStore::commit() {
  guarded("cannot write", [&] { connection_->session.run("COMMIT"); });
  connection_->is_in_transaction = false;
}

/// Runs `work` in a transaction; again, on a new connection, if this one breaks, but for what
/// `is_done` then.
void PostgresqlStore::in_transaction(Access access, const Work& work,
                                     const std::function<bool()>& is_done) {
  std::optional<AwakeClock::time_point> away;
  for (int conflicts = 0;;) {
    try {
      begin(access);
      if (away && is_done()) {
        roll_back();
      } else {
        work();
        commit();
      }
      break;
    } catch (const Lost& lost) {
      if (connection_) roll_back();
      if (lost.store != this) throw;  // but the one that is copied
      connection_.reset();
      if (away) {
        wait_after(lost, *away);
      } else {
        away = AwakeClock::now();
        on_outage(name() + " is away (" + lost.what() + "); waiting for it");
      }
      connect_again(*away);
    } catch (const Conflict& conflict) {
      roll_back();
      constexpr int most = 100;  // in a row: a fault that stays
      require(++conflicts < most, "cannot write " + name() + ": " + conflict.what());
    } catch (...) {
      if (connection_) roll_back();
      throw;
    }
  }
  if (!away) return;
  const auto seconds = std::chrono::ceil<std::chrono::seconds>(AwakeClock::now() - *away);
  on_outage(name() + " is back after " + std::to_string(seconds.count()) + " s");
}

void PostgresqlStore::transact(const Work& writes) {
  const std::string name = boost::uuids::to_string(boost::uuids::random_generator()());
  const auto write = [&] {
    writes();
    write_mark(name);
  };
  in_transaction(Access::writes, write, [&] { return has_mark(name); });
  has_written_ = true;
}

/// The first time this deletes the marks of stores that were killed, which nobody asks for after
/// the longest outage.
void PostgresqlStore::write_mark(const std::string& name) {
  run("INSERT INTO " + marks_ + " (key, value) VALUES ($1, " + now() +
          " || ' ' || $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
      {mark_, name});
  if (has_written_) return;
  constexpr std::chrono::milliseconds old = std::chrono::hours(24);
  run("DELETE FROM " + marks_ +
          " WHERE key LIKE 'commit %' AND CAST(split_part(value, ' ', 1) AS BIGINT) < " + now() +
          " - $1",
      {old.count()});
}

bool PostgresqlStore::has_mark(const std::string& name) {
  return !columns(marks_).empty() && value_of(*this, marks_, mark_).ends_with(" " + name);
}

void PostgresqlStore::take_turn() {
  using namespace std::chrono_literals;
  const auto begun = AwakeClock::now();
  for (bool has_told = false;; std::this_thread::sleep_for(20ms)) {
    bool is_mine = false;
    read("SELECT 1 WHERE pg_try_advisory_xact_lock(hashtextextended($1, 0))",
         {"pitboss " + place_.name()}, [&](const StoredRow&) { is_mine = true; });
    if (is_mine) return;
    if (!waits_) throw UserError("cannot write " + name() + ": another program keeps it locked");
    if (has_told || AwakeClock::now() < begun + 2s) continue;
    has_told = true;
    on_outage(name() + " is locked by another program; waiting for it");
  }
}

void PostgresqlStore::freeze(const Work& reads) {
  in_transaction(Access::reads, reads, [] { return false; });
}

std::int64_t PostgresqlStore::run(const std::string& statement, const StoredValues& values) {
  return guarded("cannot write",
                 [&] { return execute(connection_->session, statement, values).changed_rows(); });
}

void PostgresqlStore::run_script(const std::string& statements) {
  guarded("cannot write", [&] { connection_->session.run(statements); });
}

void PostgresqlStore::read(const std::string& query, const StoredValues& values,
                           const std::function<void(const StoredRow&)>& take) {
  std::optional<DatabaseAnswer> answer;
  const auto ask = [&] {
    answer = guarded("cannot read", [&] { return execute(connection_->session, query, values); });
  };
  if (connection_ && connection_->is_in_transaction) {
    ask();
  } else {
    in_transaction(Access::writes, ask, [] { return false; });
  }
  for (int row = 0; row < answer->rows(); ++row) take(PostgresqlRow(*answer, row));
}

std::vector<std::string> PostgresqlStore::columns(const std::string& table) {
  std::vector<std::string> out;
  read(
      "SELECT attname::text FROM pg_attribute "
      "WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped ORDER BY attnum",
      {table}, [&](const StoredRow& row) { out.push_back(row.text(0)); });
  return out;
}

std::vector<std::string> PostgresqlStore::ledgers() {
  std::vector<std::string> out;
  read(
      "SELECT nspname::text FROM pg_namespace WHERE (SELECT count(*) FROM pg_class "
      "WHERE relnamespace = pg_namespace.oid AND relkind = 'r' "
      "AND relname IN ('ledger', 'matches', 'rounds', 'games')) = 4 ORDER BY 1",
      {}, [&](const StoredRow& row) { out.push_back(row.text(0)); });
  return out;
}

std::string PostgresqlStore::last_commits(const std::string& ledger, const std::string& marks) {
  const std::string schema =
      guarded("cannot read", [&] { return connection_->session.quoted(ledger); });
  std::string out;
  read("SELECT value FROM " + schema + "." + marks + " WHERE key LIKE 'commit%' ORDER BY key", {},
       [&](const StoredRow& row) { out += row.text(0) + " "; });
  return out;
}

bool PostgresqlStore::exists() {
  bool out = false;
  freeze([&] { out = is_there(); });  // or a ledger made meanwhile would look like others' tables
  return out;
}

bool PostgresqlStore::is_there() {
  bool out = false;
  read("SELECT 1 FROM pg_namespace WHERE nspname = $1", {place_.name()},
       [&](const StoredRow&) { out = true; });
  if (out || !ledgers().empty()) return out;
  read(
      "SELECT nspname::text, relname::text FROM pg_class "
      "JOIN pg_namespace ON relnamespace = pg_namespace.oid WHERE relkind IN ('r', 'p') "
      "AND nspname <> 'information_schema' AND left(nspname, 3) <> 'pg_' LIMIT 1",
      {}, [&](const StoredRow& row) {
        throw UserError(name() + " is a database of another program, with a table " + row.text(0) +
                        "." + row.text(1) + ": make one for ledgers (createdb)");
      });
  return false;
}

void PostgresqlStore::open(Tables tables) {
  marks_ = tables.front();
  require(!columns(marks_).empty(), "cannot use " + name() + ": it is not a ledger");
}

void PostgresqlStore::check(Tables tables) {
  for (const std::string table : tables) {
    const auto there = columns(table);
    std::string fault;
    if (std::ranges::find(there, "checksum") == there.end()) {
      fault = "its table " + table + " has no checksums";
    } else {
      read("SELECT ctid::text FROM " + table + " WHERE checksum <> " + checksum_of(table, table) +
               " LIMIT 1",
           {}, [&](const StoredRow& row) {
             fault = "row " + row.text(0) + " of its table " + table + " does not fit its checksum";
           });
    }
    if (!fault.empty()) throw UserError("cannot use " + name() + ": it is damaged: " + fault);
  }
}

bool PostgresqlStore::create(const std::string& schema, Tables tables, const Work& fill) {
  marks_ = tables.front();
  bool is_mine = true;
  transact([&] {
    take_turn();
    is_mine = true;
    read("SELECT 1 FROM pg_namespace WHERE nspname = $1", {place_.name()},
         [&](const StoredRow&) { is_mine = false; });
    if (!is_mine) return;
    run_script("CREATE SCHEMA " + connection_->session.quoted(place_.name()));
    run_script(schema);
    keep_checksums(tables);
    // What it is filled from may take its time, and nobody waits for what is not there yet.
    run_script("SET LOCAL idle_in_transaction_session_timeout TO 0");
    fill();
  });
  return is_mine;
}

/// The expression for `row_checksum` of the row that is called `row` in it.
std::string PostgresqlStore::checksum_of(const std::string& table, const std::string& row) {
  std::string text;
  read(
      "SELECT attname::text, format_type(atttypid, NULL) FROM pg_attribute "
      "WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped "
      "AND attname <> 'checksum' ORDER BY attnum",
      {table}, [&](const StoredRow& found) {
        const std::string column = row + ".\"" + found.text(0) + "\"";
        const std::string type = found.text(1);
        if (!text.empty()) text += " || ";
        if (type == "text") {
          text += "'3:' || octet_length(convert_to(" + column + ", 'UTF8')) || ':' || " + column;
        } else if (type == "double precision") {  // its bits, as a number without sign
          const std::string bits =
              "('x' || encode(float8send(" + column + "), 'hex'))::bit(64)::bigint::numeric";
          text += "'2:' || (" + bits + " + CASE WHEN " + bits +
                  " < 0 THEN 18446744073709551616 ELSE 0 END) || ':'";
        } else {
          text += "'1:' || " + column + " || ':'";
        }
      });
  return "('x' || encode(substring(sha256(convert_to(" + text +
         ", 'UTF8')) FROM 1 FOR 8), 'hex'))::bit(64)::bigint";
}

void PostgresqlStore::set_checksums_by_trigger(const std::string& table) {
  const std::string function = table + "_checksum";
  run_script("CREATE OR REPLACE FUNCTION " + function +
             "() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.checksum := " +
             checksum_of(table, "NEW") + "; RETURN NEW; END $$; CREATE OR REPLACE TRIGGER " +
             function + " BEFORE INSERT OR UPDATE ON " + table + " FOR EACH ROW EXECUTE FUNCTION " +
             function + "()");
}

void PostgresqlStore::keep_checksums(Tables tables) {
  bool are_kept = false;
  read("SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass($1) AND tgname = $1 || '_checksum'",
       {tables.front()}, [&](const StoredRow&) { are_kept = true; });
  if (are_kept) return;
  for (const char* table : tables) set_checksums_by_trigger(table);
}

}  // namespace pitboss::clients
