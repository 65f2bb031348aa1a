#include "clients/results/summary.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/progress_display.hpp"
#include "clients/results/tournament.hpp"
#include "tests/clients/referee/made_games.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::json;

void play(Results& results, int match, const std::vector<std::vector<PlayedGame>>& rounds) {
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    results.add(match, static_cast<int>(i), rounds[i]);
  }
}

using tests::contains;

/// What a terminal shows, with single blanks.
std::string shown(const Results& results) {
  std::string out;
  for (const char c : summary_table(results)) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

/// No number of the whole document is one that JSON cannot say.
bool has_word_nan(const std::string& text) {
  return contains(text, "nan") || contains(text, "inf,");
}

/// The first match in summary.json.
json first_match(const Results& results) {
  return json::parse(summary_json(results))["matches"][0];
}

}  // namespace

TEST_CASE("summary_json of a match has the statistics' numbers") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 100)}, SprtPlan{.elo1 = 10}};
  Results results(experiment);
  play(results, 0, made_rounds(experiment.matches[0], 0.5, 0.1, 1));
  const json summary = first_match(results);
  for (const char* key :
       {"game", "parameters", "openings", "seed", "complete", "games", "wins", "draws", "losses",
        "score", "interval", "distinct_games", "failures", "players"}) {
    CAPTURE(key);
    CHECK(summary.contains(key));
  }
  const Scores& scores = results.matches()[0].standings().scores();
  CHECK(summary["games"] == 200);
  CHECK(summary["complete"] == true);
  CHECK(summary["elo"]["value"] == *elo_estimate(scores).elo);
  CHECK(summary["elo"]["low"] == *elo_estimate(scores).low);
  CHECK(summary["elo"]["high"] == *elo_estimate(scores).high);
  CHECK(summary["normalized_elo"]["value"] == *normalized_elo_estimate(scores).elo);
  CHECK(summary["los"] == superiority(scores));
  REQUIRE(summary["pairs"].size() == 5);
  int pairs = 0;
  int halves = 0;
  for (int i = 0; i < 5; ++i) {
    pairs += summary["pairs"][i].get<int>();
    halves += i * summary["pairs"][i].get<int>();
  }
  CHECK(pairs == 100);
  CHECK(halves == 2 * summary["wins"].get<int>() + summary["draws"].get<int>());
  CHECK(summary["sprt"]["llr"] == log_likelihood_ratio(scores, *experiment.sprt));
  CHECK(summary["sprt"]["upper"] == sprt_bounds(*experiment.sprt).high);
  CHECK(summary["sprt"]["decision"] == "undecided");

  const std::string table = shown(results);
  CHECK(contains(table, "\nElo +"));
  CHECK(contains(table, "\nLOS % "));
  CHECK(contains(table, "\nSPRT LLR +"));
}

TEST_CASE("summary_table names a program by its command") {
  Match match = made_match("connect4", "A", "B", 1);
  match.players[0].location = Program{{"my engine", "-x"}};
  match.players[0].language = Language::gtp;
  match.players[0].setup = {"komi 0"};
  const std::string line = "\nA 'my engine' -x, speaks gtp; komi 0\n";
  const Experiment one{"", {match}, {}};
  CHECK(contains(shown(Results(one)), line));
  const Experiment two{"", {match, made_match("hex", "A", "B", 1)}, {}};
  CHECK(contains(shown(Results(two)), line));
}

TEST_CASE("summary_json of degenerate counts") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 5)}, {}};
  const Results none(experiment);
  json summary = first_match(none);
  CHECK(summary["games"] == 0);
  CHECK(summary["score"] == 0.5);
  CHECK(summary["elo"]["value"].is_null());
  CHECK(summary["normalized_elo"]["low"].is_null());
  CHECK(summary["los"] == 0.5);
  CHECK(summary["sprt"].is_null());
  CHECK(summary["plies"].is_null());
  CHECK(summary["complete"] == false);
  CHECK_FALSE(has_word_nan(summary_json(none)));
  CHECK_FALSE(has_word_nan(summary_table(none)));

  Results won(experiment);
  play(won, 0, made_rounds(experiment.matches[0], 1, 0, 1));
  summary = first_match(won);
  CHECK(summary["score"] == 1.0);
  CHECK(summary["elo"]["value"].is_null());
  CHECK(summary["elo"]["low"].is_number());
  CHECK(summary["elo"]["high"].is_null());
  CHECK(summary["pairs"] == json{0, 0, 0, 0, 5});
  CHECK(contains(shown(won), "\nElo too few games\nLOS"));

  Results drawn(experiment);
  play(drawn, 0, made_rounds(experiment.matches[0], 0, 1, 1));
  CHECK(first_match(drawn)["elo"]["value"] == 0.0);
}

TEST_CASE("summary_json has no pairs in a game for three, but rounds") {
  Experiment experiment{"", {made_match("rolit players=3")}, {}};
  const Match& match = experiment.matches[0];
  Results results(experiment);
  std::vector<PlayedGame> round;
  for (int game = 0; game < 6; ++game) round.push_back(made_game(match, game, "0"));
  results.add(0, 0, round);
  const json summary = first_match(results);
  CHECK(summary["pairs"].is_null());
  CHECK(summary["rounds"] == json::parse(R"([{"points": 3.0, "rounds": 1}])"));
}

TEST_CASE("a score with a bound on one side only has an Elo, and summary.json one shape") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 20)}, {}};
  Results results(experiment);
  for (int round = 0; round < 20; ++round) {
    results.add(0, round, made_round(experiment.matches[0], round, round < 3 ? "WL" : "LL"));
  }
  REQUIRE(results.matches()[0].standings().tally(0) == Tally{3, 0, 37});
  CHECK(contains(shown(results), "\nElo about -436.4, below -"));
  const json one = json::parse(summary_json(results));
  CHECK(one["games"] == 40);
  CHECK(one["ratings"]["overall"].size() == 2);
  CHECK(one["matches"].size() == 1);
  experiment.matches.push_back(made_match("othello", "A", "B", 1));
  const json two = json::parse(summary_json(Results(experiment)));
  for (const auto& [key, value] : two.items()) CHECK(one.contains(key));
  // A single match's keys stand beside these.
  for (const auto& [key, value] : two["matches"][0].items()) CHECK(one.contains(key));
  CHECK(one["score"] == one["matches"][0]["score"]);
}

TEST_CASE("summary of failures, apart by player and kind") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 4)}, {}};
  const Match& match = experiment.matches[0];
  Results results(experiment);
  const char* reasons[] = {"illegal move: e9",   "illegal move: e8", "no answer in 5 s",
                           "connection closed",  "refused: genmove", "garbage: <b>",
                           "program ended: 139", "unreachable"};
  for (int round = 0; round < 4; ++round) {
    // B loses all games: white, then black.
    results.add(0, round,
                {made_game(match, 2 * round, "B+F", reasons[2 * round]),
                 made_game(match, 2 * round + 1, "W+F", reasons[2 * round + 1])});
  }
  const Standings& standings = results.matches()[0].standings();
  CHECK(standings.failures(1, Failure::illegal_move) == 2);
  CHECK(standings.failures(1, Failure::timeout) == 1);
  CHECK(standings.failures(1, Failure::crash) == 2);
  CHECK(standings.failures(1, Failure::refused) == 1);
  CHECK(standings.failures(1, Failure::garbage) == 1);
  CHECK(standings.failures(1, Failure::unreachable) == 1);
  CHECK(standings.failures(0, Failure::crash) == 0);
  const json summary = first_match(results);
  const std::string why =
      "No result: B lost 2 of 8 games by illegal moves: does it play by these rules, and, if it "
      "speaks gtp, is its row 1 at the top (dialect)?";
  CHECK(summary["no_result"] == why);
  CHECK(summary["elo"]["high"].is_null());
  CHECK(summary["los"].is_null());
  CHECK(contains(shown(results), why));
  CHECK_FALSE(contains(shown(results), "Elo"));
  CHECK(contains(progress_view(results, {}, {200, 24, false})[1], "no result"));
  CHECK(summary["failures"] == 8);
  CHECK(summary["players"][1]["failure_kinds"]["crash"] == 2);
  CHECK(summary["players"][1]["failures"]["illegal move"] == 2);
  CHECK(summary["players"][0]["failure_kinds"].empty());
  CHECK(contains(shown(results), "Games lost by something other than play\n"));
  CHECK(contains(shown(results), "\nB 0 2 1 2 1 1 1 8\n"));
}

TEST_CASE("summary of several matches has ratings and a crosstable") {
  Experiment experiment;
  experiment.name = "three";
  experiment.matches = {made_match("connect4", "A", "B", 50), made_match("connect4", "A", "C", 50),
                        made_match("connect4", "B", "C", 50), made_match("othello", "A", "B", 50),
                        made_match("othello", "D", "E", 1)};
  Results results(experiment);
  play(results, 0, made_rounds(experiment.matches[0], 0.6, 0.1, 1));
  play(results, 1, made_rounds(experiment.matches[1], 0.7, 0.05, 2));
  play(results, 2, made_rounds(experiment.matches[2], 0.55, 0.1, 3));
  play(results, 3, made_rounds(experiment.matches[3], 0.2, 0.1, 4));
  results.add(4, 0, made_round(experiment.matches[4], 0, "WL"));
  const json summary = json::parse(summary_json(results));
  REQUIRE(summary["matches"].size() == 5);
  CHECK(summary["complete"] == true);
  CHECK(summary["games"] == 402);

  const auto& connect4 = summary["ratings"]["games"]["connect4"];
  REQUIRE(connect4.size() == 3);
  const std::vector<Tournament> games = tournaments_by_game(results);
  REQUIRE(games.size() == 2);
  const Ratings expected = rate(games[0].table);
  CHECK(connect4[0]["player"] == "A");
  CHECK(connect4[0]["elo"] == expected.players[0].elo);
  CHECK(connect4[0]["high"] == expected.players[0].elo + *expected.players[0].error);

  // D and E have met nobody else.
  const auto& overall = summary["ratings"]["overall"];
  REQUIRE(overall.size() == 5);
  CHECK(overall[2]["component"] == 0);
  CHECK(overall[3]["component"] == 1);
  CHECK(overall[3]["elo"].get<double>() == doctest::Approx(0));

  const std::string table = shown(results);
  const std::size_t headline = table.find("ranking A +");
  CHECK(headline < table.find("connect4 A - B"));
  CHECK(
      contains(table.substr(headline, table.find('\n', headline) - headline), "; D +0.0, E +0.0"));
  CHECK(contains(table, "connect4 A - B"));
  CHECK(contains(table, "cannot be compared"));
  CHECK(contains(table, "\nfailures none\n"));
  CHECK(contains(table, "50.0 (2)"));
}

TEST_CASE("a player that lost all has no rating, and the summary says why") {
  Experiment experiment{"",
                        {made_match("connect4", "A", "B", 2), made_match("connect4", "A", "C", 2),
                         made_match("connect4", "B", "C", 2)},
                        {}};
  Results results(experiment);
  play(results, 0, made_rounds(experiment.matches[0], 0, 1, 1));
  play(results, 1, made_rounds(experiment.matches[1], 1, 0, 1));
  play(results, 2, made_rounds(experiment.matches[2], 1, 0, 1));
  const json overall = json::parse(summary_json(results))["ratings"]["overall"];
  CHECK(overall[2]["player"] == "C");
  CHECK(overall[2]["elo"].is_null());
  CHECK(overall[2]["unrated"] == "lost all");
  CHECK(overall[0]["elo"].get<double>() == doctest::Approx(0));
  CHECK(contains(shown(results), "ranking A +0.0, B +0.0; C lost all\n"));
}

TEST_CASE("names tell matches apart by game, and games by parameters where they must") {
  Experiment experiment{"", {made_match("gomoku size=9"), made_match("gomoku size=15")}, {}};
  CHECK(contains(match_name(Results(experiment), 0), "gomoku size=9"));
  CHECK(contains(match_name(Results(experiment), 1), "A - B"));
  experiment.matches = {made_match("gomoku size=9"), made_match("connect4")};
  CHECK(match_name(Results(experiment), 0) == "gomoku A - B");
  experiment.matches = {made_match("gomoku size=9"), made_match("gomoku size=9", "A", "C")};
  CHECK(match_name(Results(experiment), 1) == "A - C");
}

}  // namespace pitboss::clients
