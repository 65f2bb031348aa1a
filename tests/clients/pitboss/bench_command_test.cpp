#include "clients/pitboss/commands.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/cache_line_time.hpp"
#include "clients/pitboss/disturbance.hpp"
#include "clients/pitboss/feature_timing.hpp"
#include "clients/pitboss/search_signature.hpp"
#include "clients/pitboss/search_timing.hpp"
#include "clients/pitboss/speed_figures.hpp"
#include "games/any_game.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/folders.hpp"
#include "tests/sanitized.hpp"

using namespace pitboss;
using namespace pitboss::clients;

// The same in every build, and every part of these searches is in other tests, too.
TEST_CASE("search_signature: the search does what it did" * doctest::skip(tests::sanitized)) {
  const std::string path = pitboss::tests::tests_folder() + "/golden/signature.txt";
  std::string text;
  for (const auto name : games::game_names()) {
    text += std::string(name) + " " + search_signature({std::string(name)}) + "\n";
  }
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  if (std::getenv("PITBOSS_UPDATE_SIGNATURE") != nullptr) std::ofstream(path) << text;
  std::ifstream file(path);
  const std::string expected{std::istreambuf_iterator<char>(file), {}};
  CHECK_MESSAGE(text == expected,
                "The search behaves differently. If that is meant, say so in the commit and write "
                "the new signature: ./dev update");
}

TEST_CASE("bench: how long a line takes is told of several threads") {
  CHECK(time_line() > 0);
  const auto timings = time_threads(*games::make_game("connect4"), {.simulations = 100}, 2, 0);
  REQUIRE(timings.size() == 2);
  CHECK(timings[0].line_seconds == 0);
  CHECK(timings[1].line_seconds > 0);
}

TEST_CASE("time_features: fifty features, or those that the rules give") {
  const FeatureTiming yavalath = time_features(*games::make_game("yavalath"), 50, 0);
  CHECK(yavalath.matching.features == 50);
  CHECK(yavalath.matching.instances > 50);
  CHECK(yavalath.matching.moves > 20);
  CHECK(yavalath.matching.moves < 61);
  CHECK(yavalath.matching.seconds > 0);
  CHECK(yavalath.simulation_seconds > 0);
  CHECK(yavalath.overhead.value > 0);
  const FeatureTiming fanorona = time_features(*games::make_game("fanorona"), 50, 0);
  CHECK(fanorona.matching.features == 66);
}

TEST_CASE("measure_speed: its JSON names the command and the signature") {
  const SpeedPlan plan{.games = {"connect4", "atarigo"},
                       .searches = {.simulations = 50},
                       .seconds = 1,
                       .has_networks = true};
  const nlohmann::ordered_json json = json_of(measure_speed(plan));
  CHECK(json["command"] ==
        "pitboss bench --json --game connect4 --game atarigo --simulations 50 --threads 1 "
        "--seconds 1 --networks");
  CHECK(json["signature"] == search_signature({"connect4", "atarigo"}));
  REQUIRE(json["networks"].size() == 2);
  for (const auto& search : json["networks"][0]["searches"]) CHECK(search["simulations"] == 5);
  // Rows of several threads and rows without enough rounds have none.
  for (const auto& row : json["rows"]) {
    if (row["rounds"] < least_for_interval) CHECK(row["overhead_interval"].is_null());
  }
}

TEST_CASE("measure_speed: picks rows, with those that they are compared with, and sets options") {
  const auto rows_of = [](SearchPlan searches) {
    searches.simulations = 50;
    const SpeedFigures figures =
        measure_speed({.games = {"connect4"}, .searches = std::move(searches), .seconds = 0});
    CHECK_FALSE(figures.games[0].playouts);
    CHECK(figures.games[0].threads.empty());
    std::vector<std::string> names;
    for (const Timing& timing : figures.games[0].variants) {
      CHECK(timing.options.k == 0.06);
      names.push_back(row_names(timing.options)[2]);
    }
    return names;
  };
  const auto k = settings_of_rows({"k=0.06"}, {});
  using Names = std::vector<std::string>;
  CHECK(rows_of({.settings = k, .rows = {"static pseudocount"}}) ==
        Names{"static -", "static pseudocount"});
  CHECK(rows_of({.settings = k, .rows = {"solver", "uniform mast 0.3"}}) ==
        Names{"static -", "static solver", "uniform -", "uniform solver", "uniform -",
              "uniform mast 0.3"});
  const auto refusal = [&](const SearchPlan& searches) {
    return error_of(
        [&] { static_cast<void>(measure_speed({.games = {"connect4"}, .searches = searches})); });
  };
  CHECK(refusal({.rows = {"pseudo"}}).starts_with("no search is called 'pseudo'; --row takes -, "));
  CHECK(error_of([] { static_cast<void>(settings_of_rows({"novelty=threshold"}, {})); }) ==
        "--set novelty: the rows differ in this option");
  CHECK(error_of([] { bench({"--set", "k=x"}); }).find("k") != std::string::npos);
}

TEST_CASE("bench: a disturbance is told when other programs took time") {
  CHECK(sentence({.load = 9, .lost = 0.01}).empty());
  CHECK(sentence({.load = 2.5, .lost = 0.4}).find("40 % of this thread's time (load 2.5)") !=
        std::string::npos);
  const auto sleep = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
  DisturbanceWatch watch;
  sleep();  // nobody watches
  CHECK(watch.seen().lost == 0);
  watch.during(sleep);
  CHECK(watch.seen().lost > 0.5);
}

TEST_CASE("bench refuses what means nothing") {
  CHECK_THROWS_AS(bench({"--simulations", "0"}), UserError);
  CHECK_THROWS_AS(bench({"--seconds", "-1"}), UserError);
  CHECK_THROWS_AS(bench({"--game", "chess"}), UserError);
  CHECK_THROWS_AS(bench({"--nonsense"}), UserError);
  CHECK_THROWS_AS(bench({"stray"}), UserError);
}
