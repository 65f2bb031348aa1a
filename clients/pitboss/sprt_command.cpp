#include <boost/program_options.hpp>
#include <iostream>
#include <string>
#include <string_view>

#include "clients/experiments/sprt_settings.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/sprt_estimate.hpp"
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

constexpr std::string_view sprt_usage =
    "What the games of a match say, from their counts alone, wherever they were played.\n"
    "See docs/referee.md#from-counts-alone.\n\n"
    "  pitboss sprt 10 40 100 50 20    pairs of games with swapped seats, in which the first "
    "player\n"
    "                                  had 0, 1/2, 1, 3/2 and 2 points\n"
    "  pitboss sprt 60 20 30           games won, drawn and lost that are no pairs\n\n";

DataTable findings_of(const Scores& scores, const SprtPlan& plan) {
  const double ratio = log_likelihood_ratio(scores, plan);
  const auto corrected = sprt_corrected_estimate(scores, plan);
  return facts_table(
      {{"games", std::to_string(scores.games())},
       {"score", format("%.1f %% ", 100 * scores.mean()) + percent_text(scores.interval())},
       {"Elo", elo_text(elo_estimate(scores))},
       {"normalized Elo", elo_text(normalized_elo_estimate(scores))},
       {"SPRT-corrected Elo", corrected ? elo_text(*corrected) : "-"},
       {"LOS", format("%.1f %%", 100 * superiority(scores))},
       {"test", sprt_text(plan)},
       {"LLR", llr_text(ratio, plan)},
       {"verdict", verdict_text(sprt_verdict(ratio, plan), plan)}});
}

}  // namespace

int sprt_command(const std::vector<std::string>& arguments) {
  std::string rule;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("sprt", po::value(&rule)->default_value("elo0=0 elo1=5")->value_name("STRING"),
      "the test; alpha=0.05 beta=0.05 model=normalized unless it says otherwise");
  add("help", "this text");
  std::vector<std::string> counts;
  if (!read_flags("sprt", sprt_usage, options, arguments, &counts)) return 0;
  const Scores scores = scores_of_counts(counts);
  const SprtPlan plan = sprt_plan(rule, scores.games_per_round());
  std::cout << terminal_text({"", {{"", {findings_of(scores, plan)}}}});
  return 0;
}

}  // namespace pitboss::clients
