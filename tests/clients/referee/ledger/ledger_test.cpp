#include "clients/referee/ledger/ledger.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "clients/referee/ledger/copy_ledger.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/open_store.hpp"
#include "clients/referee/ledger/sqlite_store.hpp"
#include "clients/results/record_files.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/ledger/ledger_homes.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

Experiment two_matches() {
  Experiment experiment{.name = "two", .matches = {}, .sprt = {}};
  experiment.matches.push_back(made_match("connect4", "A", "B", 3));
  experiment.matches.push_back(made_match("rolit players=3", "A", "C", 2));
  return experiment;
}

using tests::contains;

}  // namespace

TEST_CASE("a ledger keeps each match once") {
  const ScratchFolder folder;
  Experiment experiment = two_matches();
  experiment.matches.push_back(experiment.matches[0]);
  CHECK(error_of([&] { const Ledger ledger(folder / "ledger", experiment); }) ==
        "two matches of the experiment are the same: A against B at connect4");
}

TEST_CASE("a ledger gives back what was written") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const LedgerPlace place = home / "ledger";
    {
      Ledger ledger(place, experiment);
      CHECK(ledger.played().empty());
      CHECK(ledger.incidents().empty());
      CHECK_FALSE(has_ledger(place));
      ledger.open_for_writing();
      record(ledger, recorded_round(experiment, 1, 0));
      record(ledger, recorded_round(experiment, 0, 2));
      record(ledger, recorded_round(experiment, 0, 0));
      ledger.transact([&] {
        ledger.note({1, 3, "C", "host:1", "connection closed", true, "> genmove b\n", 1700000000});
        ledger.note({0, 1, "A", "host:2", "refused: \"'; DROP TABLE games", false, "", 5});
      });
    }
    const Ledger ledger(place, experiment);
    const auto played = ledger.played();
    REQUIRE(played.size() == 3);
    const int expected[3][2] = {{0, 0}, {0, 2}, {1, 0}};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(played[i].match == expected[i][0]);
      CHECK(played[i].round == expected[i][1]);
      CHECK(played[i].games == recorded_round(experiment, played[i].match, played[i].round).games);
    }
    const auto incidents = ledger.incidents();
    REQUIRE(incidents.size() == 2);
    CHECK(incidents[0].match == 1);
    CHECK(incidents[0].game == 3);
    CHECK(incidents[0].is_loss);
    CHECK(incidents[0].excerpt == "> genmove b\n");
    CHECK(incidents[0].when == 1700000000);
    CHECK(incidents[1].reason == "refused: \"'; DROP TABLE games");
    CHECK_FALSE(incidents[1].is_loss);

    const Experiment read = read_experiment(place);
    CHECK(read.name == "two");
    REQUIRE(read.matches.size() == 2);
    for (const std::size_t i : {0, 1}) {
      CHECK(match_id(read.matches[i]) == match_id(experiment.matches[i]));
      CHECK(read.matches[i].games == experiment.matches[i].games);
    }
  });
}

TEST_CASE("a ledger takes a round once, and from the holder of its last lease only") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const PlayedRound round = recorded_round(experiment, 0, 1);
    Ledger ledger(home / "ledger", experiment);
    ledger.open_for_writing();
    ledger.transact([&] {
      const auto first = ledger.claim(0, 1);
      const auto second = ledger.claim(0, 1);
      REQUIRE(first.has_value());
      REQUIRE(second.has_value());
      CHECK(second->token > first->token);
      CHECK_FALSE(ledger.finish(*first, round));
      CHECK(ledger.finish(*second, round));
      CHECK_FALSE(ledger.finish(*second, round));
      CHECK_FALSE(ledger.claim(0, 1).has_value());
    });
    CHECK(ledger.played().size() == 1);
  });
}

TEST_CASE("a transaction of a ledger is written as a whole or not at all") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    Ledger ledger(home / "ledger", experiment);
    ledger.open_for_writing();
    const auto round = recorded_round(experiment, 0, 0);
    CHECK_THROWS_AS(ledger.transact([&] {
      const auto lease = ledger.claim(0, 0);
      CHECK(ledger.finish(*lease, round));
      throw UserError("something else");
    }),
                    UserError);
    CHECK(ledger.played().empty());
    record(ledger, round);
    CHECK(ledger.played().size() == 1);
  });
}

TEST_CASE("leases that a killed referee held are void for the next one in its folder") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const LedgerPlace place = home / "ledger";
    Claim left;
    {
      Ledger ledger(place, experiment);
      ledger.open_for_writing();
      ledger.transact([&] {
        ledger.enter(made_referee("1", "folder"), std::chrono::seconds(30));
        left = ledger.ask({{.match = 0, .first = 0, .known = {}, .mine = {}, .rounds = 1}})
                   .claims.at(0);
      });
    }
    Ledger ledger(place, experiment);
    ledger.open_for_writing();
    ledger.transact([&] { ledger.enter(made_referee("2", "folder"), std::chrono::seconds(30)); });
    const PlayedRound round = recorded_round(experiment, 0, 0);
    ledger.transact([&] { CHECK_FALSE(ledger.finish(left, round)); });
    record(ledger, recorded_round(experiment, 0, 0));
    CHECK(ledger.played().size() == 1);
  });
}

TEST_CASE("a ledger is made whole, whatever a killed referee has left") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  const fs::path path = ledger_path(folder.path());
  const std::string unfinished = path.string() + ".new";
  SQLite::Database(unfinished, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("CREATE TABLE ledger (key TEXT)");
  write_text(unfinished + "-journal", "left");
  write_text(folder / "referee.lock", "");
  Ledger ledger(folder.path(), experiment);
  CHECK(ledger.played().empty());
  ledger.open_for_writing();
  record(ledger, recorded_round(experiment, 0, 0));
  CHECK(ledger.played().size() == 1);
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    CAPTURE(entry.path());
    CHECK_FALSE(contains(entry.path().string(), ".new"));
  }
  // It is whole before anything is in its log.
  const ScratchFolder copy;
  fs::copy(path, ledger_path(copy.path()));
  CHECK(read_experiment(copy.path()).matches.size() == 2);
}

TEST_CASE("a ledger that has lost its records is not taken for a new one") {
  const Experiment experiment = two_matches();
  const auto check_refused = [&](const ScratchFolder& folder, const char* words) {
    const std::string error = error_of([&] {
      Ledger ledger(folder.path(), experiment);
      ledger.open_for_writing();
    });
    CAPTURE(error);
    CHECK(contains(error, words));
    CHECK(contains(error_of([&] { copy_ledger(folder.path(), folder / "backup"); }), "ledger"));
    CHECK_FALSE(fs::exists(folder / "backup"));
  };
  const ScratchFolder empty;
  const fs::path path = ledger_path(empty.path());
  write_text(path, "");
  check_refused(empty, "it has 0 bytes, and what it held is lost; restore a backup, or remove");
  CHECK(fs::file_size(path) == 0);
  // SQLite would delete its log.
  write_text(path.string() + "-wal", "records");
  check_refused(empty, "it has 0 bytes");
  CHECK(read_text(path.string() + "-wal") == "records");
  // SQLite would take the log for a new ledger's.
  fs::remove(path);
  check_refused(empty, " holds ledger.sqlite-wal without a ledger; choose another --out");
  CHECK(read_text(path.string() + "-wal") == "records");
  CHECK_FALSE(fs::exists(path));

  const ScratchFolder without_tables;
  SQLite::Database(ledger_path(without_tables.path()), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
      .exec("PRAGMA journal_mode = WAL");
  CHECK(fs::file_size(ledger_path(without_tables.path())) > 0);
  check_refused(without_tables, "it is not a ledger");
}

TEST_CASE("a ledger is backed up beside its referee, and continued from there") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    Ledger ledger(home / "at work", experiment);
    ledger.open_for_writing();
    record(ledger, recorded_round(experiment, 0, 0));
    const auto back_up = [&](const char* target) {
      return error_of([&] { copy_ledger(home / "at work", home / target); });
    };
    ledger.transact([&] {
      CHECK(ledger.claim(0, 1).has_value());
      CHECK(back_up("backup") == "");  // within a transaction, of which it sees nothing
    });
    record(ledger, recorded_round(experiment, 0, 2));
    CHECK(contains(back_up("backup"), "backup holds a ledger; choose another place for the copy"));

    Ledger backup(home / "backup", experiment);
    CHECK(backup.played().size() == 1);
    CHECK(backup.played()[0].games == recorded_round(experiment, 0, 0).games);
    backup.open_for_writing();
    record(backup, recorded_round(experiment, 0, 1));
    CHECK(backup.played().size() == 2);
    CHECK(contains(error_of([&] { copy_ledger(home / "none", home / "more"); }), "no ledger"));
  });
}

TEST_CASE("a damaged round that was deleted is played again") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  {
    Ledger ledger(folder.path(), experiment);
    ledger.open_for_writing();
    for (const int round : {0, 1, 2}) record(ledger, recorded_round(experiment, 0, round));
  }
  SQLite::Database database(ledger_path(folder.path()), SQLite::OPEN_READWRITE);
  database.exec("UPDATE games SET move_values = replace(move_values, '1', '2') WHERE rowid = 3");
  CHECK(contains(error_of([&] { const Ledger ledger(folder.path(), experiment); }),
                 "row 3 of its table games"));
  database.exec(  // as in docs/ledger.md
      "DELETE FROM rounds WHERE id = (SELECT round FROM games WHERE rowid = 3);"
      "DELETE FROM games WHERE round NOT IN (SELECT id FROM rounds);");
  Ledger ledger(folder.path(), experiment);
  CHECK(ledger.faults().empty());
  CHECK(ledger.played().size() == 2);
  ledger.open_for_writing();
  record(ledger, recorded_round(experiment, 0, 1));
  CHECK(ledger.played()[1].games == recorded_round(experiment, 0, 1).games);
}

TEST_CASE("a ledger of another format is refused, whatever its tables are, and left as it is") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const LedgerPlace place = home / "ledger";
    {
      Ledger ledger(place, experiment);
      ledger.open_for_writing();
    }
    const auto store = existing_ledger(place);
    store->keep_checksums(ledger_tables);
    const auto refusal = [&] { return error_of([&] { const Ledger ledger(place, experiment); }); };
    for (const std::string format : {"7", "5", "1", "five"}) {
      store->transact([&] { set_value(*store, "ledger", "format", format); });
      CHECK(refusal() == "cannot use " + store->name() + ": its format is " + format +
                             ", and this version of pitboss knows format 6");
    }
    store->transact([&] {
      store->run_script("DROP TABLE engines; ALTER TABLE rounds DROP COLUMN referee");
      set_value(*store, "ledger", "format", "4");
    });
    CHECK(contains(refusal(), "its format is 4,"));
    CHECK(contains(error_of([&] { copy_ledger(place, home / "copy"); }), "its format is 4,"));
    CHECK(value_of(*store, "ledger", "format") == "4");
  });
}

TEST_CASE("a ledger knows no match twice, and keeps to its stopping rule") {
  in_each_home([](const LedgerHome& home) {
    Experiment experiment = two_matches();
    experiment.sprt = SprtPlan{.elo0 = 0, .elo1 = 30};
    const LedgerPlace place = home / "ledger";
    {
      Ledger ledger(place, experiment);
      ledger.open_for_writing();
    }
    CHECK(read_experiment(place).sprt->elo1 == 30);
    Experiment other = experiment;
    other.sprt->elo1 = 31;
    CHECK(contains(error_of([&] { const Ledger ledger(place, other); }),
                   "another stopping rule (there {\"elo0\":0.0,\"elo1\":30.0,"));
    other.sprt.reset();
    CHECK(contains(error_of([&] { const Ledger ledger(place, other); }), "stopping rule"));

    experiment.matches.push_back(experiment.matches[0]);
    experiment.matches.back().games += 10;
    CHECK(
        contains(error_of([&] { const Ledger ledger(home / "new", experiment); }), "are the same"));
  });
}

TEST_CASE("a ledger keeps experiments apart, and lets one grow") {
  in_each_home([](const LedgerHome& home) {
    const Experiment experiment = two_matches();
    const LedgerPlace place = home / "ledger";
    {
      Ledger ledger(place, experiment);
      ledger.open_for_writing();
      record(ledger, recorded_round(experiment, 0, 0));
    }
    const auto check_refused = [&](auto change, const char* words) {
      Experiment other = experiment;
      change(other.matches[0]);
      const std::string error = error_of([&] { const Ledger ledger(place, other); });
      CAPTURE(error);
      CHECK(contains(error, "holds another experiment"));
      CHECK(contains(error, words));
      CHECK(Ledger(place, experiment).played().size() == 1);
    };
    check_refused([](Match& m) { m.seed = 2; },
                  "  seed                    1                               2");
    check_refused([](Match& m) { m.players[1].name = "D"; },
                  "  player 2 name           B                               D");
    check_refused(
        [](Match& m) {
          m.players[0].options.push_back({"k", "1"});
        },
        "  player 1 k              -                               1");
    check_refused([](Match& m) { m.openings.turns = 2; },
                  "  openings                random:1                        random:2");
    check_refused([](Match& m) { m.max_plies = 9; },
                  "  max_plies               0                               9");
    check_refused([](Match& m) { m.adjudication.resign_moves = 3; },
                  "  adjudication resign 0   -                               3");
    check_refused([](Match& m) { m.move_timeout = std::chrono::seconds(9); },
                  "  move_timeout_ms         300000                          9000");
    check_refused([](Match& m) { set_game(m, "othello"); },
                  "  game                    connect4                        othello");

    // Where it is played, and how much of it, may change; and matches may join.
    Experiment more = experiment;
    more.matches[0].games += 20;
    more.matches[0].players[0].location = Address{"elsewhere", 7};
    more.matches.push_back(made_match("connect4", "B", "C", 3));
    Ledger ledger(place, more);
    CHECK(ledger.played().size() == 1);
    ledger.open_for_writing();
    record(ledger, recorded_round(more, 2, 0));
    CHECK(ledger.played().size() == 2);
    CHECK(read_experiment(place).matches.size() == 3);
  });
}

TEST_CASE("a ledger in a file admits one referee at a time, and readers beside it") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  Ledger first(folder.path(), experiment);
  first.open_for_writing();
  Ledger second(folder.path(), experiment);
  CHECK(contains(error_of([&] { second.open_for_writing(); }), "another referee"));
  record(first, recorded_round(experiment, 0, 0));
  CHECK(Ledger(folder.path(), experiment).played().size() == 1);
}

TEST_CASE("a ledger that is cut off, or none, is refused and left alone") {
  const Experiment experiment = two_matches();
  const ScratchFolder whole;
  {
    Ledger ledger(whole.path(), experiment);
    ledger.open_for_writing();
    for (const int round : {0, 1, 2}) record(ledger, recorded_round(experiment, 0, round));
  }
  const std::string bytes = read_text(ledger_path(whole.path()));
  const auto check_refused = [&](const std::string& text) {
    const ScratchFolder folder;
    write_text(ledger_path(folder.path()), text);
    const std::string error = error_of([&] {
      Ledger ledger(folder.path(), experiment);
      ledger.open_for_writing();
    });
    CHECK(contains(error, ledger_path(folder.path()).string()));
    CHECK(read_text(ledger_path(folder.path())) == text);
    CHECK_FALSE(error_of([&] { static_cast<void>(read_experiment(folder.path())); }).empty());
  };
  for (const std::size_t size : {std::size_t{10}, std::size_t{100}, std::size_t{4096},
                                 bytes.size() / 2, bytes.size() - 4096}) {
    CAPTURE(size);
    check_refused(bytes.substr(0, size));
  }
  std::string scribbled = bytes;
  for (std::size_t i = 3000; i < scribbled.size(); i += 7) scribbled[i] = 'x';
  check_refused(scribbled);
  check_refused("game,round\n");

  const ScratchFolder old;
  write_text(old / "games.csv", "game,round\n");
  CHECK(
      contains(error_of([&] { const Ledger ledger(old.path(), experiment); }), "without a ledger"));
}

TEST_CASE("a ledger keeps away from the file systems that machines share") {
  CHECK(network_file_system(0x6969) == "NFS");
  CHECK(network_file_system(static_cast<std::int32_t>(0xff534d42)) == "CIFS");
  CHECK(network_file_system(0xef53).empty());      // ext4
  CHECK(network_file_system(0x01021994).empty());  // tmpfs
}

TEST_CASE("a ledger says when a folder cannot be written") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  write_text(folder / "file", "");
  for (const fs::path& path : {folder / "file", folder / "file/below", fs::path("/proc/none")}) {
    CAPTURE(path);
    CHECK_FALSE(error_of([&] {
                  Ledger ledger(path, experiment);
                  ledger.open_for_writing();
                }).empty());
  }
}

TEST_CASE("check 17: a ledger keeps whole rounds when the disk is full") {
  const Experiment experiment = two_matches();
  const ScratchFolder folder;
  Ledger ledger(folder.path(), experiment);
  ledger.open_for_writing();
  record(ledger, recorded_round(experiment, 0, 0));

  // A limit on the size of files fails like a disk without room: in the middle of a write.
  const fs::path log = ledger_path(folder.path()).string() + "-wal";
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit limit{fs::file_size(log) + 1000, old_limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const std::string error = error_of([&] { record(ledger, recorded_round(experiment, 0, 1)); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  CAPTURE(error);
  CHECK(contains(error, "cannot write"));
  CHECK(ledger.played().size() == 1);
  record(ledger, recorded_round(experiment, 0, 1));
  CHECK(ledger.played().size() == 2);
}

}  // namespace pitboss::clients
