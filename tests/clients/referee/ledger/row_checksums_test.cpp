#include "clients/referee/ledger/row_checksums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <tuple>

#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

/// A small ledger with rows in every table.
std::string made_ledger(const fs::path& folder) {
  Experiment experiment{.name = "small", .matches = {}, .sprt = SprtPlan{.elo0 = 0, .elo1 = 30}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 2));
  {
    Ledger ledger(folder, experiment);
    ledger.open_for_writing();
    ledger.transact([&] {
      const Declaration declared{"engine 1", {{"k", "1"}, {"alpha", "0.5"}}};
      ledger.note(Declarations{{declared, declared}});
    });
    record(ledger, recorded_round(experiment, 0, 0));
    ledger.transact([&] {
      ledger.enter(made_referee("1", "folder"), std::chrono::seconds(30));
      CHECK(ledger.claim(0, 1).has_value());
      ledger.note({0, 1, "A", "host:1", "connection closed", false, "> genmove b\n", 1700000000});
    });
  }
  return read_text(ledger_path(folder));
}

/// All that is read of a ledger by whoever continues or reports it.
struct Read {
  std::string plan;
  std::vector<PlayedRound> played;
  std::vector<Incident> incidents;
  Declarations declared;
};

bool same(const Read& one, const Read& other) {
  const auto same_round = [](const PlayedRound& a, const PlayedRound& b) {
    return std::tie(a.match, a.round, a.games, a.begun, a.ended) ==
           std::tie(b.match, b.round, b.games, b.begun, b.ended);
  };
  const auto same_incident = [](const Incident& a, const Incident& b) {
    return std::tie(a.match, a.game, a.player, a.location, a.reason, a.is_loss, a.excerpt,
                    a.when) ==
           std::tie(b.match, b.game, b.player, b.location, b.reason, b.is_loss, b.excerpt, b.when);
  };
  return one.plan == other.plan && one.declared == other.declared &&
         std::ranges::equal(one.played, other.played, same_round) &&
         std::ranges::equal(one.incidents, other.incidents, same_incident);
}

/// As `pitboss ledger verify`: throws UserError if there is a fault.
Read verified(const fs::path& folder) {
  const Experiment experiment = read_experiment(folder);
  const Ledger ledger(folder, experiment);
  Read out{experiment.name, ledger.played(), ledger.incidents(), ledger.declarations()};
  auto faults = ledger.faults();
  std::ranges::move(faults_in(experiment, out.played), std::back_inserter(faults));
  if (!faults.empty()) throw UserError(faults.front());
  for (const Match& match : experiment.matches) {
    out.plan += " " + match_id(match) + " " + std::to_string(match.games);
  }
  if (experiment.sprt) out.plan += " " + std::to_string(experiment.sprt->elo1);
  return out;
}

}  // namespace

TEST_CASE("no flipped bit of a ledger changes what is read and passes for sound") {
  const ScratchFolder folder;
  const std::string sound = made_ledger(folder.path());
  const Read expected = verified(folder.path());
  CHECK(expected.played.size() == 1);
  CHECK(expected.incidents.size() == 1);
  int found = 0;
  constexpr std::size_t stride = 23;  // a bit in three bytes, and each bit of them in turn
  for (std::size_t bit = 0; bit < 8 * sound.size(); bit += stride) {
    const std::size_t byte = bit / 8;
    constexpr std::size_t slack = 64;  // so many zeros are room that the page has left
    if (std::min(sound.find_first_not_of('\0', byte), sound.size()) - byte > slack) continue;
    std::string flipped = sound;
    flipped[byte] = static_cast<char>(flipped[byte] ^ (1 << (bit % 8)));
    write_text(ledger_path(folder.path()), flipped);
    Read read;
    if (!error_of([&] { read = verified(folder.path()); }).empty()) {
      ++found;
    } else if (!same(read, expected)) {
      FAIL_CHECK("bit ", bit % 8, " of byte ", byte);
    }
  }
  CHECK(found > 1000);
}

TEST_CASE("a value that is changed in any column is found, with its table and row") {
  const ScratchFolder folder;
  const fs::path path = ledger_path(folder.path());
  const std::string sound = made_ledger(folder.path());
  int changed = 0;
  for (const std::string table : ledger_tables) {
    std::vector<std::string> columns;
    {
      SQLite::Database database(path, SQLite::OPEN_READWRITE);
      columns = columns_of(database, table);
    }
    CHECK(columns.back() == "checksum");
    for (const std::string& column : columns) {
      CAPTURE(table);
      CAPTURE(column);
      write_text(path, sound);
      std::string row;
      {
        SQLite::Database database(path, SQLite::OPEN_READWRITE);
        changed +=
            database.exec("UPDATE " + table + " SET " + column + " = CASE " + column +
                          " WHEN 'done' THEN 'ready' WHEN 'leased' THEN 'ready'"
                          " ELSE CASE typeof(" +
                          column + ") WHEN 'text' THEN " + column + " || ' ' ELSE " + column +
                          " + 1 END END WHERE rowid = (SELECT max(rowid) FROM " + table + ")");
        row = database.execAndGet("SELECT max(rowid) FROM " + table).getString();
      }
      CHECK(error_of([&] { static_cast<void>(read_experiment(folder.path())); }) ==
            "cannot use " + path.string() + ": it is damaged: row " + row + " of its table " +
                table + " does not fit its checksum");
    }
  }
  CHECK(changed == 64);
}

TEST_CASE("a table of a ledger that has no checksums is a fault") {
  const ScratchFolder folder;
  made_ledger(folder.path());
  SQLite::Database(ledger_path(folder.path()), SQLite::OPEN_READWRITE)
      .exec("ALTER TABLE games DROP COLUMN checksum");
  CHECK(error_of([&] {
          static_cast<void>(read_experiment(folder.path()));
        }).ends_with("it is damaged: its table games has no checksums"));
}

}  // namespace pitboss::clients
