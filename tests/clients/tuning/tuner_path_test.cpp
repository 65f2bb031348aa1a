#include "clients/tuning/tuner_path.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

/// The ledger of a tuning whose candidates had these values of K and alpha, two games each.
void record(const std::filesystem::path& folder,
            const std::vector<std::pair<std::string, std::string>>& tried) {
  Experiment experiment{"", {}, std::nullopt};
  experiment.tuning = TuningConfiguration{
      R"({"matches":[{"game":"connect4"}],"parameters":{"K":{"values":["0.1","0.2","0.4"]},)"
      R"("alpha":{"values":["0","1"]}},"method":"race","games":40})"};
  Ledger ledger(folder, experiment);
  ledger.open_for_writing();
  int number = 0;
  for (const auto& [k, alpha] : tried) {
    Match match = made_match("connect4", "tuned", "plain");
    match.players[0].options = {{"K", k}, {"alpha", alpha}};
    match.seed = number + 1;
    const PlayedRound round{number, 0, {made_game(match, 0, "W+1")}, 1000, 1000};
    ledger.transact([&] {
      ledger.add(number, match);
      CHECK(ledger.finish(*ledger.claim(number, 0), round));
    });
    ++number;
  }
}

/// A sweep's players against "plain", by their options.
Experiment sweep_of(const std::vector<std::string>& options) {
  std::string players;
  std::string pairings;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string name = "tuned-" + std::to_string(i + 1);
    players += "[[player]]\nname = \"" + name + "\"\noptions = { " + options[i] + " }\n";
    pairings += "[\"" + name + "\", \"plain\"], ";
  }
  return parse_experiment("pairings = [" + pairings +
                              "]\ngame = \"connect4\"\ngames = 2\n[[server]]\naddress = "
                              "\"127.0.0.1:1\"\n" +
                              players + "[[player]]\nname = \"plain\"\n",
                          "sweep.toml")
      .experiment;
}

std::vector<Point> path_in(const Chart& chart) {
  const auto line = std::ranges::find(chart.marks, ChartMark::Kind::line, &ChartMark::kind);
  return line == chart.marks.end() ? std::vector<Point>{} : line->points;
}

Figure path_over(const Experiment& experiment, const std::filesystem::path& tuning) {
  const Results results(experiment);
  const std::vector<Sweep> sweeps = sweeps_in(results);
  REQUIRE(sweeps.size() == 1);
  return tuner_path(results, sweeps.front(), tuning);
}

}  // namespace

TEST_CASE("tuner_path: over one option, where values stand between those of the sweep") {
  const ScratchFolder folder;
  record(folder / "t", {{"0.1", "0"}, {"0.3", "1"}, {"0.4", "0"}});
  const Figure figure = path_over(sweep_of({"k = 0.4", "k = 0.1", "k = 0.2"}), folder / "t");
  CHECK(figure.chart.x.names == std::vector<std::string>{"0.1", "0.2", "0.4"});
  const auto path = path_in(figure.chart);
  REQUIRE(path.size() == 3);
  CHECK(path[0].x == doctest::Approx(0.5));
  CHECK(path[1].x == doctest::Approx(2));
  CHECK(path[2].x == doctest::Approx(2.5));
  CHECK(path[2].y == doctest::Approx(3));
}

TEST_CASE("tuner_path: on a map; a step is a mean of several games") {
  const ScratchFolder folder;
  record(folder / "t", std::vector<std::pair<std::string, std::string>>(80, {"0.2", "1"}));
  const Figure figure = path_over(sweep_of({"k = 0.1, alpha = 0", "k = 0.1, alpha = 1",
                                            "k = 0.2, alpha = 0", "k = 0.2, alpha = 1"}),
                                  folder / "t");
  CHECK(figure.chart.x.label == "k");
  CHECK(figure.chart.y.label == "alpha");
  const auto path = path_in(figure.chart);
  CHECK(path.size() == 40);
  CHECK(path.back().x == doctest::Approx(1.5));
  CHECK(path.back().y == doctest::Approx(1.5));
}

TEST_CASE("tuner_path: a tuning without these options has no path") {
  const ScratchFolder folder;
  record(folder / "t", {{"0.1", "0"}});
  const Figure figure =
      path_over(sweep_of({"beta = 0.4", "beta = 0.1", "beta = 0.2"}), folder / "t");
  CHECK(path_in(figure.chart).empty());
}

TEST_CASE("check_path: another game, other parameters, and no tuning at all") {
  const ScratchFolder folder;
  record(folder / "t", {{"0.1", "0"}});
  const auto error = [&](const std::string& game, const std::string& over,
                         const std::string& tuning) {
    write_text(folder / "f.toml",
               "game = \"" + game +
                   "\"\ngames = 2\n[[server]]\naddress = \"a:1\"\n[[player]]\nname = "
                   "\"tuned\"\noptions = { k = 0.2 }\n[[player]]\nname = "
                   "\"plain\"\n[tune]\n[tune.parameters]\n"
                   "k = [0.1, 0.2, 0.4]\nbeta = [0.1, 0.2, 0.4]\n");
    const PlannedTuning plan = read_tuning(folder / "f.toml");
    return error_of([&] { check_path(plan, {.over = {over}}, folder / tuning); });
  };
  CHECK(error("connect4", "k=0.1,0.2,0.3", "t") == "");
  CHECK(error("hex", "k", "t").find("is of connect4, not hex") != std::string::npos);
  CHECK(error("connect4", "beta", "t").find("does not tune beta") != std::string::npos);
  CHECK(error("connect4", "k", "nowhere").find("nowhere") != std::string::npos);
}

}  // namespace pitboss::clients
