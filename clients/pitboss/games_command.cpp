#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/match_size.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/round_counts.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/summary.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

namespace {

constexpr std::string_view games_usage =
    "How many games a question takes. See docs/referee.md#how-many-games.\n\n"
    "  pitboss games --elo 10 --draws 0.3                   games that do not depend on each "
    "other\n"
    "  pitboss games --elo 10 --rounds \"10 40 100 50 20\"    rounds like those of an earlier "
    "match,\n"
    "                                                       counted as for pitboss sprt\n\n";

/// What is asked for.
struct Question {
  double elo = 0;
  double draws = 0;
  double error = 0;  ///< Elo; 0: as much as `elo`
  std::string rounds;
  std::string rule;
};

std::string games_text(double games) { return format("%.0f", std::ceil(games)); }

std::string length_text(const SprtPlan& plan, double score, double deviation) {
  const TestLength length = expected_length(plan, score, deviation);
  return games_text(length.games) + " on average; elo1 is accepted with " +
         format("%.1f %%", 100 * length.accepts_elo1);
}

DataTable answer_to(const Question& asked) {
  const double score = score_of(asked.elo);
  const bool has_rounds = !asked.rounds.empty();
  const Scores earlier = has_rounds ? scores_of_counts(shell_words(asked.rounds)) : Scores(1);
  double deviation = 0;
  try {
    deviation = has_rounds ? deviation_of_game(earlier) : deviation_of_game(score, asked.draws);
  } catch (const std::invalid_argument& e) {
    throw UserError(format("%g Elo with --draws %g: ", asked.elo, asked.draws) + e.what());
  }
  require(deviation > 0, "games that all end alike have no deviation to reckon with");
  const double error = asked.error > 0 ? asked.error : std::abs(asked.elo);
  const SprtPlan plan =
      sprt_plan(asked.rule.empty() ? format("elo0=0 elo1=%g model=logistic", std::abs(asked.elo))
                                   : asked.rule,
                earlier.games_per_round());
  return facts_table(
      {{"difference", format("%+g Elo, a score of %.2f %%", asked.elo, 100 * score)},
       {"deviation", format("%.3f points a game", deviation)},
       {format("interval of +-%g Elo", error),
        games_text(games_for_error(score, deviation, error)) + " games"},
       {"the interval leaves out 0",
        games_text(games_for_power(score, deviation, 0.8)) + " games, in 80 % of matches"},
       {"test", sprt_text(plan)},
       {"games of the test", length_text(plan, score, deviation)},
       {"if both are equal", length_text(plan, 0.5, deviation)}});
}

}  // namespace

int games_command(const std::vector<std::string>& arguments) {
  Question asked;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("elo", po::value(&asked.elo)->default_value(10)->value_name("X"),
      "the difference, in logistic Elo");
  add("draws", po::value(&asked.draws)->default_value(0, "0")->value_name("SHARE"),
      "of the games, from 0 to 1");
  add("rounds", po::value(&asked.rounds)->value_name("COUNTS"),
      "of an earlier match, whose rounds scatter as these will; in place of --draws");
  add("error", po::value(&asked.error)->value_name("X"),
      "half the 95 % interval that is wanted, in Elo; as much as --elo if it is not given");
  add("sprt", po::value(&asked.rule)->value_name("STRING"),
      "the test; elo0=0 elo1=ELO model=logistic if it is not given");
  add("help", "this text");
  const auto given = read_flags("games", games_usage, options, arguments);
  if (!given) return 0;
  require(asked.elo != 0 && std::abs(asked.elo) <= 200,
          "--elo must be from -200 to 200, and not 0");
  require(!given->contains("error") || asked.error > 0, "--error must be above 0");
  require((*given)["draws"].defaulted() || asked.rounds.empty(),
          "--rounds says how many games are drawn: leave out --draws");
  std::cout << terminal_text({"", {{"", {answer_to(asked)}}}});
  return 0;
}

}  // namespace pitboss::clients
