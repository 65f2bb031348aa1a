#include "clients/published/times.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clients/published/figure.hpp"
#include "clients/published/pages.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

using nlohmann::json;

namespace {

/// A record as docs/development.md describes it: two games with static values, beside rows of which
/// the page has nothing, and a network. Made by hand.
json record() {
  return json::parse(R"({
    "command": "pitboss bench --json --game connect4 --game atarigo",
    "signature": "0123456789abcdef",
    "rows": [
      {"game": "connect4", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 6330000.4, "overhead": 1.0, "overhead_interval": [1.0, 1.0], "rounds": 40},
      {"game": "connect4", "evaluation": "static", "novelty": "threshold", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 5500000, "overhead": 1.1496, "overhead_interval": [1.1, 1.2004], "rounds": 40},
      {"game": "connect4", "evaluation": "static", "novelty": "pseudocount", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 5000000, "overhead": 1.08, "overhead_interval": [1.07, 1.09], "rounds": 40},
      {"game": "connect4", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": true, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 3000000, "overhead": 2.0, "overhead_interval": [1.9, 2.1], "rounds": 40},
      {"game": "connect4", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 1000,
       "simulations_per_second": 7000000, "overhead": 1.0, "overhead_interval": [1.0, 1.0], "rounds": 9},
      {"game": "connect4", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "history,global",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 1000,
       "simulations_per_second": 1000000, "overhead": 7.0, "overhead_interval": [6.0, 8.0], "rounds": 9},
      {"game": "connect4", "evaluation": "playout", "novelty": "pseudocount", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 3000000, "overhead": 3.0, "overhead_interval": [2.9, 3.1], "rounds": 40},
      {"game": "connect4", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 2, "simulations": 5000,
       "simulations_per_second": 9000000, "overhead": 1.0, "overhead_interval": null, "rounds": 40},
      {"game": "atarigo", "evaluation": "static", "novelty": "none", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 5030000, "overhead": 1.0, "overhead_interval": null, "rounds": 5},
      {"game": "atarigo", "evaluation": "static", "novelty": "pseudocount", "playout": "uniform", "estimators": "none",
       "bonus": "none", "solver": false, "mast": 0.0, "selection": "ucb1-tuned", "threads": 1, "simulations": 5000,
       "simulations_per_second": 5300000, "overhead": 0.9712, "overhead_interval": null, "rounds": 5}
    ],
    "networks": [
      {"game": "connect4", "batches": [],
       "searches": [
         {"novelty": "none", "cache": false, "simulations": 500, "simulations_per_second": 1234.5,
          "overhead": 1.0, "overhead_interval": [1.0, 1.0], "rounds": 20},
         {"novelty": "pseudocount", "cache": false, "simulations": 500, "simulations_per_second": 1230,
          "overhead": 1.004, "overhead_interval": [0.99, 1.049], "rounds": 20},
         {"novelty": "none", "cache": true, "simulations": 500, "simulations_per_second": 90000,
          "overhead": 1.0, "overhead_interval": [1.0, 1.0], "rounds": 20},
         {"novelty": "pseudocount", "cache": true, "simulations": 500, "simulations_per_second": 80000,
          "overhead": 1.5, "overhead_interval": [1.4, 1.6], "rounds": 20}]}]})");
}

/// What a record says; its file must be sound.
std::optional<Times> times_of(const std::string& text) {
  const ScratchFolder folder;
  write_text(folder / "times.json", text);
  return read_times(folder / "times.json");
}
Times times_of(const json& record) { return times_of(record.dump()).value(); }

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("read_times: searches with novelty, and the plain ones that they are compared with") {
  const Times times = times_of(record());
  CHECK(times.command == "pitboss bench --json --game connect4 --game atarigo");
  CHECK(times.signature == "0123456789abcdef");
  REQUIRE(times.static_values.size() == 2);
  const GameTimes& connect4 = times.static_values[0];
  CHECK(connect4.game == "connect4");
  CHECK(connect4.simulations == 5000);
  CHECK(connect4.simulations_per_second == 6330000.4);
  CHECK(connect4.rounds == 40);
  REQUIRE(connect4.measures.size() == 2);
  CHECK(connect4.measures[0].novelty == "threshold");
  CHECK(connect4.measures[0].ratio.value == 1.1496);
  CHECK(connect4.measures[0].ratio.interval->low == 1.1);
  CHECK(connect4.measures[0].ratio.interval->high == 1.2004);
  CHECK(times.static_values[1].measures.size() == 1);
  CHECK_FALSE(times.static_values[1].measures[0].ratio.interval);
  REQUIRE(times.networks.size() == 1);
  CHECK(times.networks[0].simulations == 500);
  CHECK(times.networks[0].simulations_per_second == 1234.5);
  REQUIRE(times.networks[0].measures.size() == 1);
  CHECK(times.networks[0].measures[0].ratio.value == 1.004);
  // In the order of the option's values.
  CHECK(measures_of(times.static_values) == std::vector<std::string>{"pseudocount", "threshold"});
}

TEST_CASE("read_times: nothing without a file; a damaged one is named, and why") {
  const ScratchFolder folder;
  const auto path = folder / "times.json";
  CHECK_FALSE(read_times(path));
  const auto error = [&](const std::string& text) {
    write_text(path, text);
    return error_of([&] { static_cast<void>(read_times(path)); });
  };
  const std::string begin = path.string() + ": not the times of searches: ";
  for (const char* const text : {"", "{", "[]", "{}", R"({"rows": 3})"}) {
    CAPTURE(text);
    CHECK(error(text).starts_with(begin));
  }
  CHECK(error(record().dump().substr(0, 2000)).starts_with(begin));
  const auto changed = [&](const char* pointer, const json& value) {
    json damaged = record();
    damaged.at(json::json_pointer(pointer)) = value;
    return error(damaged.dump());
  };
  CHECK(changed("/signature", 3).starts_with(begin));
  CHECK(changed("/rows/1/overhead", "1.1").starts_with(begin));
  CHECK(changed("/rows/1/overhead", 1.3) == begin + "an overhead is not in its interval");
  CHECK(changed("/rows/1/overhead_interval", json{1.0, 1.1}) ==
        begin + "an overhead is not in its interval");
  CHECK(changed("/rows/1/overhead_interval", json{1.1}) ==
        begin + "an interval is not two numbers");
  CHECK(changed("/rows/1/overhead_interval", nullptr) ==
        begin + "an interval is there with too few rounds, or missing with enough");
  CHECK(changed("/rows/9/overhead", -1) == begin + "an overhead is not above 0");
  CHECK(changed("/rows/9/rounds", 0) == begin + "rounds are fewer than 1");
  CHECK(changed("/rows/9/rounds", 4) ==
        begin + "the searches of atarigo have other simulations or rounds");
  CHECK(changed("/rows/1/simulations", 4000) == begin + "connect4 has no search without novelty");
  CHECK(changed("/rows/2/simulations", 4000) ==
        begin + "the searches of connect4 have other simulations or rounds");
  CHECK(changed("/rows/2/novelty", "threshold") ==
        begin + "connect4 has two searches with threshold");
  CHECK(changed("/rows/2/novelty", "new") == begin + "there is no novelty 'new'");
  CHECK(changed("/rows/9/novelty", "none") == begin + "atarigo has no search with novelty");
  CHECK(changed("/rows/9/game", "go") == begin + "there is no game 'go'");
  CHECK(changed("/rows/9/simulations_per_second", 0) == begin + "a search has no simulations");
  CHECK(changed("/rows", json::array()) == begin + "it has no search with static values");
}

TEST_CASE("findings_of times: the range, and whether networks agree with the paper's word") {
  json record_ = record();
  CHECK(findings_of(times_of(record_)) ==
        "a measure makes a search 0.97 to 1.15 times as long in 2 games with static values, and "
        "1.00 to 1.00 times as long in 1 game with networks, where every interval lies below 1.05: "
        "negligible, as the paper says");
  json& interval = record_["networks"][0]["searches"][1]["overhead_interval"];
  interval[1] = 1.05;
  CHECK(findings_of(times_of(record_))
            .ends_with("of 1 ratios 0 have an interval below 1.05: that all are negligible, as "
                       "the paper says, is not shown"));
  // Without an interval nothing is shown.
  for (json& search : record_["networks"][0]["searches"]) {
    search["overhead_interval"] = nullptr;
    search["rounds"] = 5;
  }
  CHECK(has(findings_of(times_of(record_)), "of 1 ratios 0 have an interval below"));
  record_.erase("networks");
  CHECK(findings_of(times_of(record_)) ==
        "a measure makes a search 0.97 to 1.15 times as long in 2 games with static values");
}

TEST_CASE("times_page") {
  const std::string page = times_page(times_of(record()));
  CHECK(has(page, "**A measure makes a search 0.97 to 1.15 times as long in 2 games"));
  CHECK(has(page,
            "| game | simulations | simulations/s without novelty | rounds | `pseudocount` | "
            "`threshold` |\n"));
  CHECK(has(page,
            "| connect4 | 5000 | 6330000 | 40 | 1.080 [1.070, 1.090] | 1.150 [1.100, 1.200] |\n"));
  CHECK(has(page, "| atarigo | 5000 | 5030000 | 5 | 0.971 | - |\n"));
  CHECK(has(page, "| connect4 | 500 | 1234 | 20 | 1.004 [0.990, 1.049] |\n"));
  CHECK(has(page, "pitboss bench --json --game connect4 --game atarigo\n"));
  CHECK(has(page, "`0123456789abcdef`"));
  CHECK(has(page, "(novelty-times.svg)"));
  CHECK_FALSE(has(page, "Not measured"));
  json without = record();
  without.erase("networks");
  CHECK_FALSE(has(times_page(times_of(without)), "## Networks"));

  const std::string missing = times_page(std::nullopt);
  CHECK(has(missing, "**Not measured.**"));
  CHECK(has(missing, "./dev results time"));
  CHECK_FALSE(has(missing, ".svg"));
}

TEST_CASE("figure_of times: a row for each game, a colour for each measure") {
  const std::string figure = figure_of(times_of(record()));
  CHECK(figure.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  for (const char* const word : {">connect4</text>", ">atarigo</text>", ">connect4, network</text>",
                                 ">pseudocount</text>", ">threshold</text>"}) {
    CAPTURE(word);
    CHECK(has(figure, word));
  }
  std::size_t dots = 0;
  for (auto at = figure.find("<circle"); at != std::string::npos;
       at = figure.find("<circle", at + 1)) {
    ++dots;
  }
  CHECK(dots == 4);
  CHECK(has(figure, "series-1"));
  CHECK_FALSE(has(figure, "class=\"series-2\""));
}

}  // namespace pitboss::clients
