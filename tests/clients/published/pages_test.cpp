#include "clients/published/pages.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "clients/experiments/match_configuration.hpp"
#include "clients/published/figure.hpp"
#include "clients/published/markdown.hpp"
#include "clients/published/repeats.hpp"
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
question = "Does A help?"
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
findings = "Somebody is right: {small} So it is."
[[paper.item]]
name = "Table 1"
table = "small"
[[paper.item]]
name = "Figure 1"
like = "small"
times = 2
why = "no time"
[[paper.item]]
name = "Figure 2"
page = "small"
found = "3 of 4 are reproduced"
)");
    write_text(repository().page("small"), "");
  }
  [[nodiscard]] Repository repository() const { return {folder_.path()}; }

  /// Records matches as won in so many of 4 rounds by both games.
  void record(const std::vector<std::pair<std::size_t, int>>& won) const {
    const Table table = read_table(repository(), "small");
    std::vector<CellRecord> records;
    for (const auto& [number, rounds] : won) {
      const Match& match = table.matches()[number];
      CellRecord record{.match = configuration(match),
                        .programs = {"Pitboss", "Pitboss"},
                        .networks = {number == 0 ? std::string(64, 'a') : "", ""},
                        .recorder_signature = "s",
                        .tally = {},
                        .distinct_games = 8,
                        .plies = 80,
                        .rounds = pentanomial({4 - rounds, 0, 0, 0, rounds}),
                        .distinct_rounds = pentanomial({4 - rounds, 0, 0, 0, rounds}),
                        .sha256 = "h" + std::to_string(number)};
      record.tally.wins = 2 * rounds;
      record.tally.losses = 8 - 2 * rounds;
      records.push_back(record);
    }
    write_text(repository().records("small"), text_of(records));
  }

 private:
  ScratchFolder folder_;
};

/// The page of the only table.
std::string small_page(const SmallRepository& small) {
  const Table table = read_table(small.repository(), "small");
  return table_page(table, families_of({table}));
}

/// The overview of it.
std::string small_overview(const SmallRepository& small) {
  return overview_page(small.repository(), {read_table(small.repository(), "small")});
}

/// Replaces a part of a file.
void edit(const fs::path& path, const std::string& from, const std::string& to) {
  std::string text = read_text(path);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  write_text(path, text.replace(at, from.size(), to));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the pages in docs/results are what the records in data/results give") {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  if (std::getenv("PITBOSS_UPDATE_DOCS") != nullptr) write_pages(ours());
  std::vector<Table> tables;
  for (const std::string& name : table_names(ours())) {
    tables.push_back(read_table(ours(), name));
  }
  CHECK(tables.size() >= 2);
  for (const Table& table : tables) {
    CAPTURE(table.name);
    CHECK(read_text(ours().page(table.name)) == table_page(table, families_of(tables)));
    CHECK(fs::exists(ours().figure(table.name)) == has_figure(table));
    if (has_figure(table)) CHECK(read_text(ours().figure(table.name)) == figure_of(table));
  }
  const auto times = read_times(ours().times());
  const std::string name(times_name);
  CHECK(read_text(ours().page(name)) == times_page(times));
  CHECK(fs::exists(ours().figure(name)) == times.has_value());
  if (times) CHECK(read_text(ours().figure(name)) == figure_of(*times));
  CHECK(read_text(ours().page("README")) == overview_page(ours(), tables));
}

TEST_CASE("every record in data/results is of a match of its table") {
  for (const std::string& name : table_names(ours())) {
    CAPTURE(name);
    CHECK(read_table(ours(), name).others.empty());
  }
}

TEST_CASE("table_page: verdicts, controls, what was not run") {
  const SmallRepository small;
  // Matches: A and C at connect4, A and C at othello.
  small.record({{0, 2}, {1, 0}, {2, 1}});
  const std::string page = small_page(small);
  CHECK(has(page, "# A small table\n"));
  CHECK(has(page, "**Of 2 published figures 1 is contradicted, 1 undecided."));
  CHECK(has(page, "all players have `simulations=10`"));
  CHECK(has(page, "| connect4 | A | `k=0.5` | base | 8 | 8 | 4-0-4 | 50.0 ["));
  CHECK(has(page, "| 50.0 | +0.0 ["));
  CHECK(has(page, "| othello | A |"));
  CHECK(has(page, "| 80.0 | -55.0 ["));
  CHECK(has(page, "| othello | C | `k=0.5 alpha=0` | base | 0 of 8 | | | | | | | not run |"));
  CHECK(has(page, "No game was lost by a failure."));
  CHECK_FALSE(has(page, "## Records of no match"));
}

TEST_CASE("table_page: comparisons that were not played belong to their family") {
  const SmallRepository small;
  // Nothing that the one comparison says changes with the other's being played or not, but p by
  // Holm.
  small.record({{0, 4}, {1, 0}});
  const std::string page = small_page(small);
  CHECK(
      has(page,
          "Of 2 comparisons with controls 1 were played: in 1 the player scores higher, in 1 it is "
          "better and in 0 worse"));
  CHECK(has(
      page,
      "\"Does A help?\": 2 comparisons in [small](small.md), of which 1 were played to the end"));
  CHECK(has(page, "| connect4 | A | C | +100.0 [+24.5, +108.8] | 0.0019 | 0.0039 | better |"));
  CHECK(has(page, "| othello | A | C | | | | not run |"));
  CHECK(has(page,
            "Of the 1 comparisons with other games than the control's, the interval that reaches "
            "highest allows a gain of 108.8 points (connect4, A beside C)."));
  CHECK(has(page, "of the 1 that were not played nothing is known."));
  // A match of which some games were played is not yet compared.
  edit(small.repository().experiment("small"), "games = 8", "games = 16");
  CHECK(has(small_page(small), "of which 0 were played to the end"));
  CHECK(has(small_page(small), "| connect4 | A | C | | | | begun |"));
  edit(small.repository().experiment("small"), "games = 16", "games = 8");
  // Tables with the same question are one family, and others are not.
  Table one = read_table(small.repository(), "small");
  Table other = one;
  other.name = "other";
  CHECK(families_of({one, other}).at(0).comparisons.size() == 4);
  CHECK(families_of({one, other}).at(0).comparisons[0].adjusted_p ==
        doctest::Approx(4 * families_of({one, other}).at(0).comparisons[0].difference->p));
  other.file.published->question = "Does B help?";
  CHECK(families_of({one, other}).size() == 2);
}

TEST_CASE("table_page: a verdict needs all games that are planned, and what the rest takes") {
  const SmallRepository small;
  small.record({{0, 2}});
  edit(small.repository().experiment("small"), "games = 8", "games = 4000");
  write_text(small.repository().costs(), R"({"small": {
    "connect4.A.base": 1.8, "connect4.C.base": 0.9, "othello.C.base": 0.09}})");
  const Table table = read_table(small.repository(), "small");
  CHECK(table.verdict(0) == Verdict::begun);
  CHECK(has(small_page(small), "| 8 of 4000 | 8 |"));
  CHECK(has(small_page(small), "Of 2 published figures 1 is begun, 1 not run."));
  // A's time at othello is that of C, which was timed.
  CHECK(has(small_page(small), "| not run: about 6 minutes of a processor |"));
  CHECK(count(table).hours == doctest::Approx((3992 * 1.8 + 4000 * 0.9 + 8000 * 0.09) / 3600));
}

TEST_CASE("table_page: words of the paper instead of numbers") {
  const SmallRepository small;
  small.record({{0, 4}, {1, 0}, {2, 0}});
  edit(small.repository().experiment("small"), "connect4 = 50, othello = 80",
       R"(connect4 = "even", othello = "better")");
  const std::string page = small_page(small);
  CHECK(has(page, "**Of 2 published statements 2 are undecided."));
  CHECK(has(page, "| score | of distinct rounds | paper | verdict |"));
  CHECK(has(page, " of 4 | even | undecided |"));
  CHECK(has(page, " of 4 | better | undecided |"));
  CHECK_FALSE(has(page, "the paper's numbers are from"));
  // With more rounds the words are decided.
  edit(small.repository().experiment("small"), "games = 8", "games = 400");
  for (const char* const rounds : {"\"rounds\":", "\"distinct_rounds\":"}) {
    edit(small.repository().records("small"), std::string(rounds) + "[[24,4]]",
         std::string(rounds) + "[[0,1],[24,199]]");
  }
  edit(small.repository().records("small"), "\"wins\":8,\"draws\":0,\"losses\":0",
       "\"wins\":398,\"draws\":0,\"losses\":2");
  CHECK(has(small_page(small), " of 200 | even | contradicted |"));
  edit(small.repository().experiment("small"), R"(connect4 = "even")", R"(connect4 = "better")");
  CHECK(has(small_page(small), " of 200 | better | reproduced |"));
  edit(small.repository().experiment("small"), "title =", "options = \"other\"\ntitle =");
  CHECK(has(small_page(small), " of 200 | better | in agreement |"));
}

TEST_CASE("table_page: a table without published scores, for its controls") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}});
  edit(small.repository().experiment("small"), "published = { connect4 = 50, othello = 80 }", "");
  const std::string page = small_page(small);
  CHECK(has(page,
            "**The paper's figures are not known; of 4 matches 2 were played to the end. Of 2"));
  CHECK(has(page, " of 4 | | |"));
  CHECK(has(page, " of 4 | | control |"));
}

TEST_CASE("table_page: what time bounds has its simulations, and is not played again") {
  const SmallRepository small;
  edit(small.repository().experiment("small"), "simulations = 10", "movetime = 25");
  small.record({{0, 2}});
  edit(small.repository().records("small"), "\"failures\":0",
       "\"failures\":0,\"simulations\":[5000,73211]");
  const std::string page = small_page(small);
  CHECK(has(page, "| of distinct rounds | simulations a move | paper |"));
  CHECK(has(page, " of 4 | 5000, 73211 | 50.0 |"));
  CHECK(has(page, "| othello | C | `k=0.5 alpha=0` | base | 0 of 8 | | | | | | | | not run |"));
  CHECK(has(page, "nothing else should run, and the games do not repeat."));
  CHECK(draw_cells({read_table(small.repository(), "small")}, 10, 1).empty());
}

TEST_CASE("figure_of: the series of the players' points") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}});
  CHECK_FALSE(has_figure(read_table(small.repository(), "small")));
  CHECK_FALSE(has(small_page(small), "## Figure"));
  const fs::path file = small.repository().experiment("small");
  edit(file, "title = \"A small table\"", "title = \"A small table\"\nx_axis = \"weeks\"");
  edit(file, "control = \"C\"", "control = \"C\"\npoint = { series = \"<one>\", x = 3 }");
  edit(file, "name = \"C\"", "name = \"C\"\npoint = { series = \"two\", x = 7 }");
  edit(file, "[\"connect4\", \"othello\"]", "\"connect4\"");
  edit(file, ", othello = 80", "");
  const std::string figure = figure_of(read_table(small.repository(), "small"));
  CHECK(figure.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(has(figure, ">weeks</text>"));
  CHECK(has(figure, ">&lt;one&gt;</text>"));
  CHECK(has(figure, ">two</text>"));
  CHECK(has(figure, "class=\"series-1\""));
  CHECK_FALSE(has(figure, "class=\"series-2\""));
  CHECK(has(small_page(small), "## Figure\n\n![A small table, by weeks](small.svg)\n"));
  write_pages(small.repository());
  CHECK(read_text(small.repository().figure("small")) == figure);
  // What is not played to the end is not drawn, and its file goes.
  edit(file, "games = 8", "games = 16");
  CHECK_FALSE(has_figure(read_table(small.repository(), "small")));
  write_pages(small.repository());
  CHECK_FALSE(fs::exists(small.repository().figure("small")));
}

TEST_CASE("table_page: the networks of what was played") {
  const SmallRepository small;
  CHECK_FALSE(has(small_page(small), "SHA-256 begin"));
  small.record({{0, 4}, {1, 1}});
  CHECK(has(small_page(small), "The networks' SHA-256 begin with: connect4 `aaaaaaaaaaaa`.\n"));
}

TEST_CASE("table_page: failures are told") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}});
  edit(small.repository().records("small"), "\"failures\":0", "\"failures\":3");
  CHECK(has(small_page(small), "| 4-0-4 (3 by a failure) |"));
  CHECK(has(small_page(small), " 3 games were lost by a failure, and count."));
}

TEST_CASE("table_page: records of no match are told") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}});
  edit(small.repository().experiment("small"), "options = { k = 0.5 }", "options = { k = 0.7 }");
  CHECK(has(small_page(small), "## Records of no match\n"));
  CHECK(has(small_page(small),
            "* connect4: A `simulations=10 k=0.5` against base `simulations=10`, 8 games\n"));
  CHECK(read_table(small.repository(), "small").others.size() == 1);
}

TEST_CASE("repeats_section: the same games, other games, scores apart") {
  const SmallRepository small;
  small.record({{0, 2}, {2, 1}, {3, 0}});
  const std::vector<Table> tables{read_table(small.repository(), "small")};
  CHECK(repeats_section(tables, repeats_of(tables, {})).empty());

  std::vector<CellRecord> again;
  for (const std::size_t number : {0, 2}) {
    again.push_back(*tables[0].records[number]);
    CellRecord other = again.back();
    other.match = configuration(with_other_seed(tables[0].matches()[number]));
    again.push_back(other);
  }
  again[2].sha256 = "x";                                       // another game with the same seed
  again[3].distinct_rounds = pentanomial({0, 0, 0, 0, 4000});  // which chance does not make
  const auto repeats = repeats_of(tables, again);
  REQUIRE(repeats.size() == 2);
  const std::string section = repeats_section(tables, repeats);
  CHECK(has(section, "Of 2 cells 1 gave the same games, and the interval of 1 holds 0."));
  CHECK(has(section, "| small | connect4 | A | the same: h0 | 50.0 | 50.0 | +0.0 ["));
  CHECK(
      has(section, "| small | othello | A | **other games**: x, not h2 | 25.0 | 100.0 | +75.0 ["));
  CHECK(has(section, "| **no** |"));

  // What was not played is told, and no cell is drawn twice or without a record of all games.
  again.erase(again.begin() + 1);
  CHECK(has(repeats_section(tables, repeats_of(tables, again)), "| not played |"));
  again.front().tally.wins -= 2;  // not all games
  CHECK(repeats_of(tables, again).size() == 1);
  const auto drawn = draw_cells(tables, 10, 1);
  CHECK(drawn.size() == 3);
  for (const RecordedCell& cell : drawn) CHECK(cell.match != 1);
  CHECK(draw_cells(tables, 1, 1).size() == 1);
}

TEST_CASE("cells_named: matches by their names") {
  const SmallRepository small;
  small.record({{0, 2}, {2, 1}});
  const std::vector<Table> tables{read_table(small.repository(), "small")};
  const auto cells = cells_named(tables, {"othello.A.base", "connect4.A.base"});
  REQUIRE(cells.size() == 2);
  CHECK(cells[0].match == 2);
  CHECK(cells[1].match == 0);
  CHECK(has(error_of([&] { static_cast<void>(cells_named(tables, {"hex.A.base"})); }),
            "no match is hex.A.base; expected GAME.PLAYER.OPPONENT"));
  CHECK(has(error_of([&] { static_cast<void>(cells_named(tables, {"othello.C.base"})); }),
            "othello.C.base of small cannot be repeated: time bounds it, or not all its games"));
}

TEST_CASE("table_page: a player with two controls is compared with each") {
  const SmallRepository small;
  edit(small.repository().experiment("small"), "control = \"C\"", "control = [\"C\", \"D\"]");
  edit(small.repository().experiment("small"), "[[player]]\nname = \"C\"",
       "[[player]]\nname = \"D\"\noptions = { k = 0.9 }\n\n[[player]]\nname = \"C\"");
  const std::string page = small_page(small);
  CHECK(has(page, "None of 4 comparisons with controls was played."));
  CHECK(has(page, "| connect4 | A | C | | | | not run |\n| connect4 | A | D | | | | not run |"));
  small.record({{0, 4}, {1, 0}, {2, 2}});  // connect4's A, D and C
  const std::string overview = small_overview(small);
  CHECK(has(overview, "4 comparisons in [small](small.md), of which 2 were played to the end"));
  CHECK(has(overview, "| [small](small.md) | A | C | +50.0 ["));
  CHECK(has(overview, "| [small](small.md) | A | D | +100.0 ["));
  CHECK(has(overview, "In 1 of 2 comparisons that were played to the end"));
  CHECK(has(overview, "No player is better than all its controls."));
  CHECK(has(overview, "(connect4, A beside D)"));
  small.record({{0, 4}, {1, 0}, {2, 0}});
  CHECK(has(small_overview(small), "1 of the players are better than all their controls."));
}

TEST_CASE("table_page: a player whose novelty changes no move") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 2}, {2, 4}, {3, 0}});
  edit(small.repository().records("small"), "\"sha256\":\"h1\"", "\"sha256\":\"h0\"");
  const std::string page = small_page(small);
  CHECK(has(page, "| connect4 | A | C | the same games | | | |"));
  CHECK(has(page,
            "in [small](small.md), all played to the end. 1 of those that were played count with "
            "p = 1: the player's games are its control's."));
  CHECK(has(page, "Of the 1 comparisons with other games than the control's"));
  const std::string overview = small_overview(small);
  CHECK(has(overview,
            "**In 1 of 2 comparisons that were played to the end the player is better than its "
            "control, and in 0 worse**"));
  CHECK(has(overview,
            "| table | player | connect4 | othello |\n|---|---|---|---|\n"
            "| [small](small.md) | A | the same games | +100.0 ["));
  CHECK(has(overview, "] **better** |\n"));
}

TEST_CASE("hours_text") {
  CHECK(hours_text(0.9 / 60) == "less than a minute of a processor");
  CHECK(hours_text(1.4 / 60) == "about a minute of a processor");
  CHECK(hours_text(1.6 / 60) == "about 2 minutes of a processor");
  CHECK(hours_text(2.4) == "about 2 hours of a processor");
}

TEST_CASE("overview_page") {
  const SmallRepository small;
  small.record({{0, 2}, {1, 0}, {2, 1}, {3, 1}});
  CHECK(has(small_overview(small), "| Figure 1 | not run; no time | |"));
  write_text(small.repository().costs(),
             R"({"small": {"connect4.A.base": 900, "othello.A.base": 900}})");
  const std::string page = small_overview(small);
  CHECK(has(page,
            "## Small\n\nSomebody.\n\nSomebody is right: Of 2 published figures 1 is contradicted, "
            "1 undecided. Of 2 comparisons with controls 2 were played: in 1 the player scores "
            "higher, in 0 it is better and in 0 worse (Holm, 5 %). So it is.\n"));
  CHECK(has(page,
            "| Table 1 | Of 2 published figures 1 is contradicted, 1 undecided. | "
            "[small](small.md) |"));
  CHECK(has(page, "| Figure 1 | not run: about 16 hours of a processor; no time | |"));
  CHECK(has(page, "| Figure 2 | by hand: 3 of 4 are reproduced | [small](small.md) |"));
  CHECK(has(page,
            "## Does A help?\n\n**In 0 of 2 comparisons that were played to the end the player is "
            "better than its control"));
}

TEST_CASE("overview_page and write_pages: what novelty costs") {
  const SmallRepository small;
  const Repository repository = small.repository();
  edit(repository.papers(), "page = \"small\"\nfound = \"3 of 4 are reproduced\"",
       "slowdown_by = \"novelty\"\nwhy = \"so it is\"");
  const std::string link = " | [novelty-times](novelty-times.md) |\n";
  write_pages(repository);
  CHECK(has(read_text(repository.page("README")), "| Figure 2 | not run; so it is" + link));
  CHECK(has(read_text(repository.page("novelty-times")), "**Not measured.**"));
  CHECK_FALSE(fs::exists(repository.figure("novelty-times")));

  const std::string plain =
      R"({"game": "hex", "evaluation": "static", "novelty": "none", "estimators": "none",
          "bonus": "none", "solver": false, "mast": 0, "threads": 1, "simulations": 10,
          "simulations_per_second": 99, "overhead": 1, "overhead_interval": null, "rounds": 2})";
  std::string novel = plain;
  novel.replace(novel.find("none"), 4, "evaluation").replace(novel.find("d\": 1,"), 5, "d\": 1.5");
  write_text(repository.times(),
             R"({"command": "bench", "signature": "s", "rows": [)" + plain + "," + novel + "]}");
  write_pages(repository);
  CHECK(has(read_text(repository.page("README")),
            "| Figure 2 | open: a measure makes a search 1.50 to 1.50 times as long in 1 game with "
            "static values; so it is" +
                link));
  CHECK(has(read_text(repository.page("novelty-times")), "| hex | 10 | 99 | 2 | 1.500 |\n"));
  CHECK(fs::exists(repository.figure("novelty-times")));

  // A damaged record stops everything, also the pages of tables.
  fs::remove_all(repository.root / "docs/results");
  write_text(repository.times(), "{\"rows\": []}");
  CHECK(has(error_of([&] { write_pages(repository); }), repository.times().string() + ": not the"));
  CHECK_FALSE(fs::exists(repository.root / "docs/results"));
  fs::remove(repository.times());
  write_pages(repository);
  CHECK_FALSE(fs::exists(repository.figure("novelty-times")));

  edit(repository.papers(), "\"novelty\"", "\"luck\"");
  CHECK(has(error_of([&] { write_pages(repository); }), "expected novelty"));
}

TEST_CASE("overview_page: mistakes in the findings") {
  const SmallRepository small;
  edit(small.repository().papers(), "{small}", "{other}");
  CHECK(has(error_of([&] { small_overview(small); }), "there is no table other"));
  edit(small.repository().papers(), "{other}", "{other");
  CHECK(has(error_of([&] { small_overview(small); }), "a brace is not closed"));
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
