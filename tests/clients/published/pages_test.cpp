#include "clients/published/pages.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "clients/experiments/match_configuration.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

Repository ours() { return {fs::path(tests::docs_folder()).parent_path()}; }

/// A repository with one table of two cells, a control and a cell without a record.
class SmallRepository {
 public:
  SmallRepository() {
    for (const char* const part : {"data/experiments", "data/results", "docs/results"}) {
      fs::create_directories(folder_ / part);
    }
    write_text(repository().experiment("small"), R"(game = ["connect4", "othello"]
games = 8
pairings = { against = "base" }
[published]
title = "A small table"
games = 100
[options]
simulations = 10
[[player]]
name = "base"
[[player]]
name = "A"
published = { connect4 = 50, othello = 80 }
control = "C"
options = { k = 0.5 }
[[player]]
name = "C"
options = { k = 0.5, alpha = 0 }
[[server]]
address = "127.0.0.1:4580"
)");
    write_text(repository().papers(), R"([[paper]]
title = "Small"
source = "Somebody."
findings = "Nothing."
[[paper.item]]
name = "Table 1"
table = "small"
[[paper.item]]
name = "Figure 1"
like = "small"
times = 2
why = "no time"
)");
  }
  [[nodiscard]] Repository repository() const { return {folder_.path()}; }

  /// Records matches as won in so many of 4 rounds by both games.
  void record(const std::vector<std::pair<std::size_t, int>>& won) const {
    const Table table = read_table(repository(), "small");
    std::vector<CellRecord> records;
    for (const auto& [number, rounds] : won) {
      const Match& match = table.matches()[number];
      CellRecord record{.match = configuration(match),
                        .program = "Pitboss",
                        .signature = "s",
                        .tally = {},
                        .distinct_games = 8,
                        .plies = 80,
                        .rounds = pentanomial({4 - rounds, 0, 0, 0, rounds}),
                        .distinct_rounds = pentanomial({4 - rounds, 0, 0, 0, rounds}),
                        .sha256 = "h"};
      record.tally.wins = 2 * rounds;
      record.tally.losses = 8 - 2 * rounds;
      records.push_back(record);
    }
    write_text(repository().records("small"), text_of(records));
  }

 private:
  ScratchFolder folder_;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the pages in docs/results are what the records in data/results give") {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  if (std::getenv("PITBOSS_UPDATE_DOCS") != nullptr) write_pages(ours());
  std::vector<Table> tables;
  for (const std::string& name : table_names(ours())) {
    CAPTURE(name);
    tables.push_back(read_table(ours(), name));
    CHECK(read_text(ours().page(name)) == table_page(tables.back()));
  }
  CHECK(tables.size() >= 2);
  CHECK(read_text(ours().page("README")) == overview_page(ours(), tables));
}

TEST_CASE("every record in data/results is of a match of its table") {
  for (const std::string& name : table_names(ours())) {
    CAPTURE(name);
    std::set<std::string> matches;
    const Table table = read_table(ours(), name);
    for (const Match& match : table.matches()) {
      matches.insert(configuration(match));
    }
    for (const CellRecord& record : read_records(ours().records(name))) {
      CHECK(matches.count(record.match) == 1);
      CHECK(record.failures == 0);
    }
  }
}

TEST_CASE("table_page: verdicts, controls, what was not run") {
  const SmallRepository small;
  // Matches: A and C at connect4, A and C at othello.
  small.record({{0, 2}, {1, 0}, {2, 1}});
  const std::string page = table_page(read_table(small.repository(), "small"));
  CHECK(has(page, "# A small table\n"));
  CHECK(has(page, "**Of 2 published figures 1 is reproduced, 1 contradicted.**"));
  CHECK(has(page, "all players have `simulations=10`"));
  CHECK(has(page, "| connect4 | A | `k=0.5` | base | 8 | 8 | 4-0-4 | 50.0 ["));
  CHECK(has(page, "| 50.0 | +0.0 ["));
  CHECK(has(page, "| othello | A |"));
  CHECK(has(page, "| 80.0 | -55.0 ["));
  CHECK(has(page, "| othello | C | `k=0.5 alpha=0` | base | | | | | | | | not run |"));
  // The control has lost all games; only connect4's was played.
  CHECK(has(page, "Of 1 players beside their controls 1 are better"));
  CHECK(has(page, "| connect4 | A | C | +50.0 [+1.0, +99.0] | 0.023 | 0.023 | better |"));
}

TEST_CASE("table_page: fewer games than planned, and what the rest takes") {
  const SmallRepository small;
  small.record({{0, 2}});
  write_text(small.repository().experiment("small"), [&] {
    std::string text = read_text(small.repository().experiment("small"));
    return text.replace(text.find("games = 8"), 9, "games = 4000");
  }());
  write_text(small.repository().costs(), R"({"small": {"connect4": 1.8, "othello": 0.09}})");
  const Table table = read_table(small.repository(), "small");
  CHECK(has(table_page(table), "| 8 of 4000 | 8 |"));
  CHECK(has(table_page(table), "Of 1 of them not all games are played yet."));
  CHECK(has(table_page(table), "| not run: about 6 minutes of a processor |"));
  CHECK(count(table).hours == doctest::Approx((3992 * 1.8 + 4000 * 1.8 + 8000 * 0.09) / 3600));
}

TEST_CASE("overview_page") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}, {2, 1}, {3, 1}});
  const auto page = [&] {
    return overview_page(small.repository(), {read_table(small.repository(), "small")});
  };
  CHECK(has(page(), "| Figure 1 | not run; no time | |"));
  write_text(small.repository().costs(), R"({"small": {"connect4": 900, "othello": 900}})");
  CHECK(has(page(), "## Small\n\nSomebody.\n\nNothing.\n"));
  CHECK(has(page(),
            "| Table 1 | Of 2 published figures 1 is reproduced, 1 contradicted. | "
            "[small](small.md) |"));
  CHECK(has(page(), "| Figure 1 | not run: about 16 hours of a processor; no time | |"));
  CHECK(has(page(), "Of 2 novelty players whose control"));
}

TEST_CASE("read_table: mistakes") {
  const SmallRepository small;
  CHECK(has(error_of([&] { static_cast<void>(read_table(small.repository(), "none")); }),
            "there is no table none"));
  write_text(small.repository().costs(), "[]");
  CHECK(has(error_of([&] { static_cast<void>(read_table(small.repository(), "small")); }),
            "not the costs of games"));
}

}  // namespace pitboss::clients
