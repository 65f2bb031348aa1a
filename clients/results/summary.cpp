#include "clients/results/summary.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <variant>
#include <vector>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/ratings.hpp"
#include "clients/experiments/time_control.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

/// The number; null if undefined or infinite.
ordered_json number_json(std::optional<double> value) {
  return value && std::isfinite(*value) ? ordered_json(*value) : ordered_json();
}

ordered_json tally_json(const Tally& tally) {
  const Interval interval = score_interval(tally.points(), tally.games());
  return {{"games", tally.games()}, {"wins", tally.wins},
          {"draws", tally.draws},   {"losses", tally.losses},
          {"score", tally.score()}, {"interval", {interval.low, interval.high}}};
}

ordered_json elo_json(const EloEstimate& estimate) {
  return {{"value", number_json(estimate.elo)},
          {"low", number_json(estimate.low)},
          {"high", number_json(estimate.high)}};
}

ordered_json player_json(const MatchResults& results, int number) {
  const Match& match = results.match();
  const Standings& standings = results.standings();
  const Player& player = match.players[number];
  ordered_json out{{"name", player.name}, {"options", ordered_json::object()}};
  for (const auto& [name, value] : player.options) out["options"][name] = value;
  if (!player.setup.empty()) out["setup"] = player.setup;
  if (player.clock) out["tc"] = text_of(*player.clock);
  if (const auto& declared = results.declared()[number]) {
    out["engine"] = {{"program", declared->program}, {"options", declared->options}};
  }
  out.update(tally_json(standings.tally(number)));
  for (std::size_t c = 0; c < match.colours.size(); ++c) {
    out[std::string(match.colours[c])] =
        tally_json(standings.tally(number, static_cast<games::Colour>(c)));
  }
  if (const Evaluations& sum = standings.evaluations(number); sum != Evaluations()) {
    out["evaluations"] = {{"remote", sum.remote}, {"local", sum.local}};
  }
  // A move's, the median.
  const auto simulations = standings.simulations(number);
  out["simulations"] = simulations ? ordered_json(*simulations) : ordered_json();
  out["processor_share"] = number_json(results.processor_share(number));
  out["resignations"] = standings.resignations(number);
  out["failures"] = standings.failures(number);
  ordered_json kinds = ordered_json::object();
  for (const Failure failure : all_failures) {
    const int count = standings.failures(number, failure);
    if (count > 0) kinds[std::string(name_of(failure))] = count;
  }
  out["failure_kinds"] = std::move(kinds);
  return out;
}

ordered_json sprt_json(const MatchResults& match) {
  if (!match.sprt()) return nullptr;
  const SprtPlan& plan = *match.sprt();
  const Interval bounds = sprt_bounds(plan);
  const auto corrected = match.standings().corrected_elo(plan);
  return {{"model", name_of(plan.model)},
          {"elo0", plan.elo0},
          {"elo1", plan.elo1},
          {"alpha", plan.alpha},
          {"beta", plan.beta},
          {"llr", number_json(match.llr())},
          {"lower", bounds.low},
          {"upper", bounds.high},
          {"decision", name_of(match.verdict())},
          // Logistic Elo that the stopping rule does not bias; null if it cannot be told.
          {"corrected_elo", corrected ? elo_json(*corrected) : ordered_json()}};
}

/// By score: the number of rounds.
ordered_json rounds_json(const Scores& scores) {
  ordered_json out = ordered_json::array();
  for (const ScoreClass& c : scores.classes()) {
    if (c.rounds == 0) continue;
    out.push_back(
        {{"points", static_cast<double>(c.twelfths) / whole_point}, {"rounds", c.rounds}});
  }
  return out;
}

/// The pairs by result, from two losses to two wins; null in a game for more than two.
ordered_json pairs_json(const Scores& scores) {
  if (scores.games_per_round() != 2) return nullptr;
  ordered_json out = ordered_json::array();
  for (const ScoreClass& c : scores.classes()) out.push_back(c.rounds);
  return out;
}

ordered_json lengths_json(const std::map<int, int>& lengths) {
  if (lengths.empty()) return nullptr;
  std::int64_t plies = 0;
  std::int64_t games = 0;
  for (const auto& [length, count] : lengths) {
    plies += std::int64_t{length} * count;
    games += count;
  }
  return {{"least", lengths.begin()->first},
          {"mean", static_cast<double>(plies) / static_cast<double>(games)},
          {"most", lengths.rbegin()->first}};
}

ordered_json match_json(const MatchResults& results) {
  const Match& match = results.match();
  const Standings& standings = results.standings();
  ordered_json out;
  const std::string why = no_result_of(standings.breakdowns());
  out["no_result"] = why.empty() ? ordered_json() : ordered_json(why);
  out["game"] = match.game;
  out["parameters"] = ordered_json::object();
  for (const auto& [name, text] : match.parameters.values()) out["parameters"][name] = text;
  out["openings"] = match.openings.text();
  out["seed"] = match.seed;
  out["complete"] = results.is_over();
  // The scores from here on are the first player's.
  out.update(tally_json(standings.tally(0)));
  out["elo"] = elo_json(standings.elo());
  out["normalized_elo"] = elo_json(standings.normalized_elo());
  out["los"] = number_json(standings.superiority());
  out["pairs"] = pairs_json(standings.scores());
  out["rounds"] = rounds_json(standings.scores());
  out["sprt"] = sprt_json(results);
  out["distinct_games"] = standings.distinct();
  out["plies"] = lengths_json(standings.lengths());
  out["failures"] = standings.forfeits();
  out["unlike_shares"] = results.has_unlike_shares();
  out["short_shares"] = results.has_short_shares();
  out["players"] = ordered_json::array();
  for (const int i : {0, 1}) out["players"].push_back(player_json(results, i));
  return out;
}

}  // namespace

std::string_view name_of(SprtVerdict verdict) {
  switch (verdict) {
    case SprtVerdict::accept_elo0:
      return "elo0";
    case SprtVerdict::accept_elo1:
      return "elo1";
    case SprtVerdict::undecided:
      break;
  }
  return "undecided";
}

ordered_json summary_of(const Results& results) {
  ordered_json out;
  out["no_results"] = no_results_of(results);
  out["name"] = results.experiment().name;
  out["complete"] = results.is_over();
  out["games"] = results.games();
  out["failures"] = results.forfeits();
  out["ratings"]["overall"] = rows_of(ratings_table(whole_tournament(results)));
  out["ratings"]["games"] = ordered_json::object();
  for (const Tournament& game : tournaments_by_game(results)) {
    out["ratings"]["games"][game.title] = rows_of(ratings_table(game));
  }
  out["matches"] = ordered_json::array();
  for (const MatchResults& match : results.matches()) out["matches"].push_back(match_json(match));
  if (out["matches"].size() == 1) {
    const ordered_json only = out["matches"].front();
    for (const auto& [key, value] : only.items()) {
      if (!out.contains(key)) out[key] = value;
    }
  }
  return out;
}

std::string summary_json(const Results& results) { return summary_of(results).dump(2) + "\n"; }

int games_left(const Results& results) {
  int left = 0;
  for (const MatchResults& match : results.matches()) {
    if (!match.is_over()) left += match.match().games - match.standings().games();
  }
  return left;
}

std::string simulations_text(const MatchResults& match) {
  std::string out;
  for (const int i : {0, 1}) {
    const auto simulations = match.standings().simulations(i);
    out += (i == 0 ? "" : " / ") + (simulations ? std::to_string(*simulations) : "-");
  }
  return out;
}

std::string shares_text(const MatchResults& match) {
  std::string out;
  for (const int i : {0, 1}) {
    const auto share = match.processor_share(i);
    if (!share) continue;
    out += (out.empty() ? "" : ", ") +
           format("%s %.0f %%", match.match().players[i].name.c_str(), 100 * *share);
  }
  return out;
}

std::string ranking_text(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  std::string out;
  int component = -1;
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    const bool is_rated = rating.status == RatingStatus::rated;
    // Numbers of two components have nothing in common.
    const bool is_next = is_rated && rating.component == component;
    if (!out.empty()) out += is_next ? ", " : "; ";
    out += tournament.players[i] + " ";
    out += is_rated ? signed_text(rating.elo) : std::string(why_unrated(rating.status));
    component = is_rated ? rating.component : -1;
  }
  return out;
}

std::string llr_text(double ratio, const SprtPlan& plan) {
  const Interval bounds = sprt_bounds(plan);
  return format("%+.2f [%+.2f, %+.2f]", ratio, bounds.low, bounds.high);
}

std::string llr_text(const MatchResults& match) {
  if (!match.llr()) return "";
  std::string out = "LLR " + llr_text(*match.llr(), *match.sprt());
  if (match.verdict() == SprtVerdict::undecided) return out;
  return out + ": " + verdict_text(match.verdict(), *match.sprt());
}

std::string verdict_text(SprtVerdict verdict, const SprtPlan& plan) {
  if (verdict == SprtVerdict::undecided) return "undecided";
  const bool is_high = verdict == SprtVerdict::accept_elo1;
  const auto text = [](double elo) { return elo == 0 ? std::string("0") : format("%+g", elo); };
  return "accepted " + text(is_high ? plan.elo1 : plan.elo0) +
         (plan.model == EloModel::normalized ? " normalized Elo, not " : " Elo, not ") +
         text(is_high ? plan.elo0 : plan.elo1);
}

std::string sprt_text(const SprtPlan& plan) {
  return format("%s Elo %g against %g, alpha %g, beta %g", std::string(name_of(plan.model)).c_str(),
                plan.elo0, plan.elo1, plan.alpha, plan.beta);
}

std::string options_text(const Player& player) {
  std::vector<std::string> words;
  for (const auto& [name, value] : player.options) words.push_back(name + "=" + value);
  std::string out = shell_text(words);
  for (const std::string& command : player.setup) out += (out.empty() ? "" : "; ") + command;
  if (player.clock) out += (out.empty() ? "tc=" : " tc=") + text_of(*player.clock);
  if (!out.empty()) return out;
  return player.language == Language::pitboss ? "server's defaults" : "its defaults";
}

std::string language_text(const Player& player) {
  std::string out(name_of(player.language));
  if (player.dialect) out += ", dialect " + std::string(protocol::dialect_name(*player.dialect));
  return out;
}

std::string player_text(const Player& player) {
  const bool is_program = std::holds_alternative<Program>(player.location);
  std::string out = is_program ? text_of(player.location) + ", " : "";
  if (is_program || player.language != Language::pitboss) {
    out += "speaks " + language_text(player) + "; ";
  }
  return out + options_text(player);
}

}  // namespace pitboss::clients
