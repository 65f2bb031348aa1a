#include "clients/tuning/sweep_plan.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/clients/error_of.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

PlannedTuning plan_with(const std::string& tune = "",
                        const std::string& whole = "feature_moves = [5, 9]\n") {
  const ScratchFolder folder;
  write_text(folder / "t.toml",
             "game = \"hex\"\ngames = 20\nseed = 3\n[[server]]\naddress = \"a:1\"\n"
             "[[player]]\nname = \"novel\"\noptions = { feature_moves = 9, k = 0.3, beta = 0.1 }\n"
             "[[player]]\nname = \"plain\"\noptions = { k = 0.5 }\n"
             "[[player]]\nname = \"uct\"\noptions = { k = 1 }\n[tune]\n" +
                 tune + "[tune.parameters]\nk = { min = 0.01, max = 1, scale = \"log\" }\n" +
                 whole + "beta = [0.1, 0.2, 0.4]\n");
  return read_tuning(folder / "t.toml");
}

/// "k feature_moves beta" of the first players, in order.
std::vector<std::string> options_of(const Experiment& experiment) {
  std::vector<std::string> out;
  for (const Match& match : experiment.matches) {
    std::string words;
    for (const char* const name : {"k", "feature_moves", "beta"}) {
      for (const auto& option : match.players[0].options) {
        if (option.name == name) words += (words.empty() ? "" : " ") + option.value;
      }
    }
    out.push_back(words);
  }
  return out;
}

}  // namespace

TEST_CASE("sweep_experiment: a range, a list, and what stays, against each opponent") {
  const PlannedTuning plan = plan_with();
  const Experiment line = sweep_experiment(plan, {.over = {"K"}, .points = 3});
  CHECK(options_of(line) == std::vector<std::string>{"0.01 9 0.1", "0.1 9 0.1", "1 9 0.1",
                                                     "0.01 9 0.1", "0.1 9 0.1", "1 9 0.1"});
  for (const Match& match : line.matches) CHECK(match.games == 20);
  CHECK(line.matches[0].players[0].name == "novel-1");
  CHECK(line.matches[2].players[1].name == "plain");
  CHECK(line.matches[3].players[0].name == "novel-1");
  CHECK(line.matches[3].players[1].name == "uct");

  const Experiment map = sweep_experiment(
      plan, {.over = {"feature_moves", "k=0.2,0.7"}, .at = {"beta=0.7"}, .games = 6});
  CHECK(options_of(map).size() == 8);
  CHECK(options_of(map)[1] == "0.7 5 0.7");
  CHECK(options_of(map)[2] == "0.2 9 0.7");
  CHECK(map.matches[7].games == 6);
}

TEST_CASE("sweep_experiment: all play the same openings, which the tuning and its answer do not") {
  const PlannedTuning plan = plan_with();
  const Experiment sweep = sweep_experiment(plan, {.over = {"beta"}});
  for (const Match& match : sweep.matches) CHECK(match.seed == sweep.matches[0].seed);
  CHECK(sweep.matches[0].seed != plan.file.itself.seed);
  CHECK(sweep.matches[0].seed != plan.fresh_match({"1", "9", "0.1"}).matches[0].seed);
}

TEST_CASE("sweep_experiment: in self-play the opponent is the player as it was") {
  const Experiment sweep = sweep_experiment(plan_with("self_play = true\n"), {.over = {"beta"}});
  REQUIRE(sweep.matches.size() == 3);
  CHECK(sweep.matches[2].players[0].name == "novel-3");
  CHECK(sweep.matches[2].players[1].name == "novel.other");
}

TEST_CASE("sweep_experiment: whole numbers of a narrow range are tried once each") {
  const PlannedTuning plan = plan_with("", "feature_moves = { min = 6, max = 9 }\n");
  const Experiment sweep = sweep_experiment(plan, {.over = {"feature_moves"}, .points = 9});
  CHECK(sweep.matches.size() == 8);
}

TEST_CASE("sweep_experiment: every mistake has its sentence") {
  const PlannedTuning plan = plan_with();
  const auto error = [&](const SweepSettings& settings) {
    return error_of([&] { static_cast<void>(sweep_experiment(plan, settings)); });
  };
  CHECK(error({}) == "--over: expected one or two parameters");
  CHECK(error({.over = {"k", "beta", "feature_moves"}}) ==
        "--over: expected one or two parameters");
  CHECK(error({.over = {"alpha"}}) ==
        "--over: alpha is no parameter of the file; these are: k, feature_moves, beta");
  CHECK(error({.over = {"k", "K=1,2"}}) == "--over: K is given twice");
  CHECK(error({.over = {"feature_moves"}}) == "--over: a line needs at least three values");
  CHECK(error({.over = {"k=0.1", "beta"}}) == "--over: k has one value; a sweep needs more");
  CHECK(error({.over = {"k=0.1,0.2,0.1"}}) == "--over: k has 0.1 twice");
  CHECK(error({.over = {"k=0.1,,0.2"}}) == "--over: a value of k is empty");
  CHECK(error({.over = {"k=0.1,0.2,much"}}).starts_with("--over: "));
  CHECK(error({.over = {"k"}, .at = {"beta"}}) == "--at: expected NAME=VALUE, not 'beta'");
  CHECK(error({.over = {"k"}, .at = {"k=1"}}) == "--at: k is swept over");
  CHECK(error({.over = {"k"}, .at = {"gamma=1"}}).starts_with("--at: gamma is no parameter"));
  CHECK(error({.over = {"k"}, .at = {"beta=much"}}).starts_with("--at: "));
  CHECK(error({.over = {"k"}, .points = 1}) == "--points must be 2 to 100");
  CHECK(error({.over = {"k"}, .points = 101}) == "--points must be 2 to 100");
  CHECK(error({.over = {"k"}, .games = 3}) == "--games must be a multiple of 2");
}

}  // namespace pitboss::clients
