#include "clients/results/ladder.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/experiments/ladder.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/results/document/writers.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

using Words = std::vector<std::string>;

Experiment experiment_of(const Words& players, const std::string& over, int reach, int games) {
  LadderSettings settings{.games = {"connect4"},
                          .players = players,
                          .over = ladder_option(over),
                          .games_a_pairing = games,
                          .reach = reach};
  return ladder_file(settings, {parse_address("127.0.0.1:1")}).experiment;
}

/// Rounds of a match of which the first player wins three games of four, or one of two.
void add_rounds(Results& results, int match, bool is_even) {
  const Match& of = results.matches()[match].match();
  for (int round = 0; round < of.games / of.round(); ++round) {
    results.add(match, round, made_round(of, round, is_even || round % 2 == 0 ? "WL" : "WW"));
  }
}

nlohmann::ordered_json tables(const std::vector<GameLadders>& games) {
  return json_of(Document{"", {ladders_section(games)}});
}

bool is_near(double a, double b) { return std::abs(a - b) < 1e-4; }

using tests::contains;

/// 95 % of a difference shown by games of this score.
double error_of(double score, int games) {
  return 1.959963984540054 * elo_scale / std::sqrt(games * score * (1 - score));
}

}  // namespace

TEST_CASE("ladders_in: what is a ladder, and what is not") {
  const auto found = [](const Experiment& experiment) { return ladders_in(Results(experiment)); };
  const Experiment two =
      experiment_of({"preset=uct", "name=plain preset=reference"}, "simulations=1:4", 2, 4);
  const auto ladders = found(two);
  REQUIRE(ladders.size() == 1);
  REQUIRE(ladders.front().ladders.size() == 2);
  CHECK(ladders.front().ladders[1].player == "plain");
  CHECK(ladders.front().ladders[1].option == "simulations");
  CHECK(ladders.front().ladders[1].rungs[2].value == "4");
  CHECK(ladders.front().ladders[1].rungs[2].doublings == 2);

  // Numbers are put in order; words stay as they are, without doublings.
  Experiment turned = experiment_of({"preset=uct"}, "simulations=1:4", 2, 4);
  std::ranges::reverse(turned.matches);
  CHECK(found(turned).front().ladders.front().rungs[0].value == "1");
  const auto words = found(experiment_of({"preset=network"}, "network=b,a", 1, 4));
  REQUIRE(words.size() == 1);
  CHECK_FALSE(words.front().ladders.front().rungs[1].doublings);

  // Neither do values that are equal, or infinite, have doublings.
  const auto other_values = [&](const std::string& first, const std::string& second) {
    Experiment out = experiment_of({"preset=uct"}, "simulations=1:2", 1, 4);
    auto& players = out.matches[0].players;
    players[1].name = rung_name("uct", first);
    players[1].options.back().value = first;
    players[0].name = rung_name("uct", second);
    players[0].options.back().value = second;
    return found(out).front().ladders.front();
  };
  CHECK(other_values("1", "2").rungs[1].doublings == 1);
  for (const char* const second : {"1.0", "inf", "nan", "-2"}) {
    const Ladder ladder = other_values("1", second);
    CHECK(ladder.rungs.size() == 2);
    CHECK_FALSE(ladder.rungs[1].doublings);
  }

  Experiment broken = experiment_of({"preset=uct"}, "simulations=1:4", 1, 4);
  broken.matches.pop_back();
  CHECK(found(broken).front().ladders.front().rungs.size() == 2);
  Experiment apart = experiment_of({"preset=uct"}, "simulations=1:4", 2, 4);
  std::erase_if(apart.matches, [](const Match& match) { return match.players[1].name == "uct-2"; });
  CHECK(found(apart).empty());
  Experiment renamed = experiment_of({"preset=uct"}, "simulations=1:2", 1, 4);
  renamed.matches[0].players[0].name = "other-2";
  CHECK(found(renamed).empty());
  Experiment unlike = experiment_of({"preset=uct"}, "simulations=1:2", 1, 4);
  unlike.matches[0].players[0].options.push_back({"k", "1"});
  CHECK(found(unlike).empty());
}

TEST_CASE("ladders_section: slopes and their intervals, by hand") {
  constexpr int games = 40;
  const Experiment experiment = experiment_of({"preset=uct"}, "simulations=100:800", 1, games);
  Results results(experiment);
  for (const int match : {0, 1, 2}) add_rounds(results, match, match == 2);
  const auto json = tables(ladders_in(results));
  REQUIRE(json["ladders"].size() == 1);
  const auto& ladder = json["ladders"][0];
  CHECK(ladder["from"] == "100");
  CHECK(ladder["to"] == "800");

  // Gains are 191, 191 and 0, by matches that nothing else connects. Least squares give the slope
  // 0.3 g1 + 0.4 g2 + 0.3 g3; the halves are the first gain and the last.
  const double gain = *elo_of(0.75);
  const double steep = error_of(0.75, games);
  const double even = error_of(0.5, games);
  CHECK(is_near(ladder["slope"], 0.7 * gain));
  const double error = std::hypot(0.3 * steep, 0.4 * steep, 0.3 * even);
  CHECK(is_near(ladder["slope_low"], 0.7 * gain - error));
  CHECK(is_near(ladder["slope_high"], 0.7 * gain + error));
  CHECK(is_near(ladder["lower"], gain));
  CHECK(is_near(ladder["upper"], 0));
  CHECK(is_near(ladder["change"], -gain));
  CHECK(is_near(ladder["change_high"], -gain + std::hypot(steep, even)));

  const auto& rungs = json["rungs"];
  REQUIRE(rungs.size() == 4);
  CHECK(rungs[0]["elo"] == 0);
  CHECK(is_near(rungs[2]["elo"], 2 * gain));
  CHECK(is_near(rungs[2]["elo_high"], 2 * gain + std::hypot(steep, steep)));
  CHECK(is_near(rungs[1]["gain"], gain));
  CHECK(rungs[1]["games"] == 2 * games);
  CHECK_FALSE(rungs[1].contains("errors"));

  const std::string text = terminal_text(Document{"", {ladders_section(ladders_in(results))}});
  CHECK(contains(text, "uct at connect4, simulations 100 to 800: Elo +133.6 ["));
  CHECK(contains(text, ": it flattens (-190.8 ["));
}

TEST_CASE("ladders_section: ladders of two options do not stand on one scale") {
  Experiment experiment = experiment_of({"preset=uct"}, "simulations=1:4", 2, 4);
  const Experiment other = experiment_of({"name=b preset=uct"}, "fpu_reduction=0,1", 1, 4);
  experiment.matches.push_back(other.matches.front());
  Results results(experiment);
  for (const int match : {0, 1, 2, 3}) add_rounds(results, match, false);
  const auto games = ladders_in(results);
  REQUIRE(games.size() == 1);
  REQUIRE(games.front().ladders.size() == 2);
  const Document document{"", {ladders_section(games)}};
  const std::string page = html_page(document);
  CHECK(contains(page, "Elo by simulations, connect4"));
  CHECK(contains(page, "Elo by fpu_reduction, connect4"));
  CHECK(contains(page, "above the one before"));
  const auto json = json_of(document);
  CHECK(json["ladders"].size() == 1);
  REQUIRE(json["rungs"].size() == 5);
  CHECK(json["rungs"][4]["option"] == "fpu_reduction");
  // No games connect them, so that each has a zero of its own.
  CHECK(json["rungs"][3]["elo"] == 0);
  CHECK(is_near(json["rungs"][4]["elo"], *elo_of(0.75)));
}

TEST_CASE("ladders_section: before games, with a loser of all games, with errors") {
  const Experiment experiment = experiment_of({"preset=uct"}, "simulations=100:400", 1, 4);
  Results results(experiment);
  const auto words = [&](const TruthErrors& errors = {}) {
    return terminal_text(Document{"", {ladders_section(ladders_in(results), errors)}});
  };
  CHECK(contains(words(), "too few games"));
  CHECK(contains(words(), "no games"));
  const auto before = json_of(Document{"", {ladders_section(ladders_in(results))}});
  for (const char* const key : {"elo", "elo_low", "gain"}) {
    CHECK(before["rungs"][0][key].is_null());
  }
  for (const int round : {0, 1}) {
    results.add(0, round, made_round(experiment.matches[0], round, "WW"));
    results.add(1, round, made_round(experiment.matches[1], round, "WL"));
  }
  CHECK(contains(words(), "lost all"));
  CHECK(contains(words(), "Some players have no rating beside the others"));
  const TruthErrors errors{{{"connect4", "uct-200"}, share_cell(0.25, {0.2, 0.3}, 300)}};
  CHECK(contains(words(errors), "25.0 [20.0, 30.0]"));
  const auto json = json_of(Document{"", {ladders_section(ladders_in(results), errors)}});
  CHECK(json["rungs"][1]["errors"] == 0.25);
  CHECK(json["rungs"][0]["errors"].is_null());
  CHECK(contains(html_page(Document{"", {ladders_section(ladders_in(results), errors)}}),
                 "Elo by simulations, connect4"));
}

}  // namespace pitboss::clients
