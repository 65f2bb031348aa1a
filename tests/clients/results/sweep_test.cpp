#include "clients/results/sweep.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/results/document/writers.hpp"

namespace pitboss::clients {

namespace {

/// Players against "plain", by their options.
Experiment experiment_of(const std::vector<std::string>& options, const std::string& more = "") {
  std::string text = "game = \"connect4\"\ngames = 2\n[[server]]\naddress = \"127.0.0.1:1\"\n";
  std::string pairings;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string name = "novel-" + std::to_string(i + 1);
    text += "[[player]]\nname = \"" + name + "\"\noptions = { " + options[i] + " }\n";
    pairings += "[\"" + name + "\", \"plain\"], ";
  }
  text += "[[player]]\nname = \"plain\"\noptions = { simulations = 9 }\n";
  return parse_experiment("pairings = [" + pairings + more + "]\n" + text, "sweep.toml").experiment;
}

}  // namespace

TEST_CASE("sweeps_in: a line, a map, and what is neither") {
  const auto count = [](const Experiment& experiment) {
    return sweeps_in(Results(experiment)).size();
  };
  CHECK(count(experiment_of({"k = 0.1", "k = 0.2", "k = 0.4"})) == 1);
  CHECK(count(experiment_of({"k = 0.1", "k = 0.2"})) == 0);
  // A combination is missing.
  CHECK(count(experiment_of(
            {"k = 0.1, gamma = 0.1", "k = 0.2, gamma = 0.1", "k = 0.1, gamma = 0.2"})) == 0);
  // Three options.
  CHECK(count(experiment_of({"k = 0.1, gamma = 0.1, beta = 0", "k = 0.2, gamma = 0.2, beta = 0.1",
                             "k = 0.3, gamma = 0.3, beta = 0.2"})) == 0);
  // One of them is an opponent, too.
  CHECK(count(experiment_of({"k = 0.1", "k = 0.2", "k = 0.4"}, "[\"novel-1\", \"novel-2\"]")) == 0);
}

TEST_CASE("sweep_section: a line and a map, before the first game") {
  const Experiment line = experiment_of({"k = 0.2", "k = 0.1", "k = 0.4"});
  const Results results(line);
  const std::vector<Sweep> sweeps = sweeps_in(results);
  REQUIRE(sweeps.size() == 1);
  CHECK(sweeps.front().options.front().values == std::vector<std::string>{"0.1", "0.2", "0.4"});
  CHECK(sweeps.front().matches == std::vector<int>{1, 0, 2});
  const Document document{"", {sweep_section(results, sweeps.front())}};
  CHECK(document.sections.front().title == "Sweep of k at connect4 against plain");
  CHECK(tables_of(document).at("sweep").size() == 3);
  CHECK(markdown_text(document).find("No game has been played yet.") != std::string::npos);

  const Experiment map = experiment_of(
      {"k = 0.1, beta = 0.1", "k = 0.1, beta = 0.2", "k = 0.2, beta = 0.1", "k = 0.2, beta = 0.2"});
  const Results of_map(map);
  const std::vector<Sweep> maps = sweeps_in(of_map);
  REQUIRE(maps.size() == 1);
  CHECK(maps.front().options[0].name == "beta");
  // The last option changes fastest.
  CHECK(maps.front().matches == std::vector<int>{0, 2, 1, 3});
}

}  // namespace pitboss::clients
