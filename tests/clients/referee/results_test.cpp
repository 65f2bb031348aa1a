#include "clients/referee/results.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "clients/referee/ledger_contents.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/summary.hpp"
#include "tests/clients/referee/made_games.hpp"

namespace pitboss::clients {

namespace {

using Rounds = std::vector<std::vector<PlayedGame>>;

/// The results of one match after its rounds have been added in that order.
Results results_of(const Experiment& experiment, const Rounds& rounds,
                   const std::vector<int>& order) {
  Results results(experiment);
  for (const int round : order) results.add(0, round, rounds[round]);
  return results;
}

std::vector<int> in_order(const Rounds& rounds) {
  std::vector<int> order;
  for (std::size_t i = 0; i < rounds.size(); ++i) order.push_back(static_cast<int>(i));
  return order;
}

}  // namespace

TEST_CASE("Results do not depend on the order of the rounds") {
  std::mt19937 random(1);
  for (const bool has_rule : {false, true}) {
    CAPTURE(has_rule);
    Experiment experiment{"", {made_match("connect4", "A", "B", 200)}, {}};
    if (has_rule) experiment.sprt = SprtPlan{.elo0 = 0, .elo1 = 40};
    const Rounds rounds = made_rounds(experiment.matches[0], 0.6, 0.1, 3);
    std::vector<int> order = in_order(rounds);
    const std::string expected = summary_json(results_of(experiment, rounds, order));
    for (int i = 0; i < 5; ++i) {
      std::shuffle(order.begin(), order.end(), random);
      CHECK(summary_json(results_of(experiment, rounds, order)) == expected);
    }
  }
}

TEST_CASE("a timed match whose players got unlike or short shares of the processor is marked") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 2)}, {}};
  Match& match = experiment.matches[0];
  // What a second of search was: A's with two threads got almost all of two processors.
  const auto results_with = [&](const char* of_b,
                                const char* of_a = "700/9/1900000/1000000 900/9/1900000/1000000") {
    Results results(experiment);
    for (const int round : {0, 1}) {
      std::vector<PlayedGame> games = made_round(match, round, "WL");
      for (PlayedGame& game : games) {
        game.efforts = {of_a, of_b};
      }
      results.add(0, round, games);
    }
    const Declaration first{"", {{"movetime", "1000"}, {"threads", "2"}}};
    const Declaration second{"", {{"movetime", "1000"}, {"threads", "1"}}};
    results.set_declared({{first, second}});
    return results;
  };
  const auto has = [](const Results& results, const char* words) {
    return summary_table(results).find(words) != std::string::npos;
  };
  const Results unlike = results_with("300/9/100000/500000");
  const MatchResults& marked = unlike.matches()[0];
  CHECK(marked.standings().simulations(0) == 700);
  CHECK(marked.standings().simulations(1) == 300);
  CHECK(marked.processor_share(0) == doctest::Approx(0.95));
  CHECK(marked.processor_share(1) == doctest::Approx(0.2));
  CHECK(marked.has_unlike_shares());
  CHECK(has(unlike, "simulations    700 / 300"));
  CHECK(has(unlike, "processor      A 95 %, B 20 %: UNLIKE SHARES"));
  CHECK(summary_json(unlike).find("\"unlike_shares\": true") != std::string::npos);
  CHECK(conclusion_of(marked).find("unlike shares of the processor (A 95 %, B 20 %)") !=
        std::string::npos);

  const Results alike = results_with("300/9/400000/500000");
  CHECK_FALSE(alike.matches()[0].has_unlike_shares());
  CHECK_FALSE(alike.matches()[0].has_short_shares());
  CHECK(summary_json(alike).find("\"short_shares\": false") != std::string::npos);
  CHECK(has(alike, "processor      A 95 %, B 80 %\n"));
  const Results untold = results_with("300/9/-/-");
  CHECK_FALSE(untold.matches()[0].has_unlike_shares());
  CHECK(has(untold, "processor      A 95 %\n"));

  const Results slow = results_with("300/9/170000/500000", "700/9/700000/1000000");
  const MatchResults& both = slow.matches()[0];
  CHECK_FALSE(both.has_unlike_shares());
  CHECK(both.has_short_shares());
  CHECK(has(slow, "processor      A 35 %, B 34 %: SHORT SHARES"));
  CHECK(summary_json(slow).find("\"short_shares\": true") != std::string::npos);
  CHECK(conclusion_of(both).find("short shares of the processor (A 35 %, B 34 %)") !=
        std::string::npos);
  CHECK(results_with("300/9/-/-", "700/9/700000/1000000").matches()[0].has_short_shares());
  // Without a bound of time a share means nothing.
  Results untimed = results_with("300/9/100000/500000");
  untimed.set_declared({{Declaration{}, Declaration{}}});
  CHECK_FALSE(untimed.matches()[0].has_unlike_shares());
  CHECK_FALSE(untimed.matches()[0].has_short_shares());
  CHECK_FALSE(has(untimed, "processor"));
  CHECK(has(untimed, "700 / 300"));
}

TEST_CASE("a stopping rule looks at the rounds in order, and not beyond its decision") {
  const Match match = made_match("connect4", "A", "B", 200);
  const Experiment experiment{"", {match}, SprtPlan{.elo0 = 0, .elo1 = 40}};
  const Rounds rounds = made_rounds(match, 0.6, 0.1, 3);

  // Round by round, by the statistics' own functions.
  Scores scores(2);
  std::size_t decided = 0;
  while (sprt_verdict(log_likelihood_ratio(scores, *experiment.sprt), *experiment.sprt) ==
         SprtVerdict::undecided) {
    REQUIRE(decided < rounds.size());
    scores.add(rounds[decided][0].twelfths + rounds[decided][1].twelfths);
    ++decided;
  }
  REQUIRE(decided > 10);
  REQUIRE(decided < 190);

  const Results all = results_of(experiment, rounds, in_order(rounds));
  const MatchResults& results = all.matches()[0];
  CHECK(results.verdict() == SprtVerdict::accept_elo1);
  CHECK(all.is_over());
  CHECK(results.standings().rounds() == static_cast<int>(decided));
  CHECK(results.games_beyond() == 400 - 2 * static_cast<int>(decided));
  CHECK(*results.llr() == log_likelihood_ratio(scores, *experiment.sprt));
  LedgerContents contents{{}, {}, all};
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    CHECK(results.counts(round) == (round < static_cast<int>(decided)));
    contents.played.push_back({0, round, rounds[round]});
  }
  CHECK(contents.games()[0].size() == 2 * decided);
  CHECK(contents.games()[0].back() == rounds[decided - 1].back());

  // The first round comes last: until then nothing counts.
  Results late(experiment);
  for (std::size_t i = 1; i < rounds.size(); ++i) late.add(0, static_cast<int>(i), rounds[i]);
  CHECK(late.games() == 0);
  CHECK_FALSE(late.is_over());
  CHECK(late.matches()[0].games_beyond() == 0);
  CHECK(late.matches()[0].counts(199));  // as far as is known
  late.add(0, 0, rounds[0]);
  CHECK(summary_json(late) == summary_json(all));
}

TEST_CASE("Results without a stopping rule count every round at once") {
  Experiment experiment{"", {made_match("connect4", "A", "B", 3), made_match("othello")}, {}};
  Results results(experiment);
  CHECK(results.games() == 0);
  results.add(0, 2, made_round(experiment.matches[0], 2, "WD"));
  CHECK(results.games() == 2);
  CHECK(results.matches()[0].llr() == std::nullopt);
  results.add(0, 0, made_round(experiment.matches[0], 0, "LL"));
  results.add(0, 1, made_round(experiment.matches[0], 1, "WW"));
  CHECK(results.matches()[0].is_over());
  CHECK_FALSE(results.is_over());
  results.add(1, 0, made_round(experiment.matches[1], 0, "DD"));
  CHECK(results.is_over());
  CHECK(results.matches()[0].standings().tally(0) == Tally{3, 1, 2, 6});
}

TEST_CASE("no round counts twice") {
  for (const bool has_rule : {false, true}) {
    Experiment experiment{"", {made_match("connect4", "A", "B", 3)}, {}};
    if (has_rule) experiment.sprt = SprtPlan{};
    Results results(experiment);
    const auto round = made_round(experiment.matches[0], 1, "WD");
    results.add(0, 1, round);
    CHECK_THROWS_AS(results.add(0, 1, round), std::logic_error);
    CHECK_THROWS_AS(results.add(1, 0, round), std::out_of_range);
  }
}

}  // namespace pitboss::clients
