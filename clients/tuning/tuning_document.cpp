#include "clients/tuning/tuning_document.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "clients/experiments/number_in.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/ledger_shelf.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/tuning/sensitivity.hpp"
#include "clients/tuning/tried_games.hpp"
#include "clients/tuning/tuning_file.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

using enum Text::Kind;

/// Of the players that people are shown.
constexpr std::size_t most_arms = 100;
/// Of the charts over time.
constexpr std::size_t steps = 100;
/// Of those from whose scores the answer's surroundings are told.
constexpr std::size_t most_scores = 300;
/// With more values a chart has no names for them.
constexpr std::size_t most_names = 30;

/// What was tried, and what it scored.
struct Tried {
  int games = 0;
  double points = 0;

  void add(double share) {
    ++games;
    points += share;
  }
  [[nodiscard]] Cell score() const {
    Cell out = share_cell(games > 0 ? points / games : 0.5, score_interval(points, games), games);
    out.is_strong = false;
    return out;
  }
};

/// A tuned parameter: its values in order, and in each game the place among them or, of a range,
/// the number, or its logarithm.
struct Parameter {
  std::string name;
  ordered_json range;  ///< null: a list of values
  std::vector<std::pair<std::string, Tried>> values = {};
  std::vector<double> course = {};

  [[nodiscard]] bool is_logarithmic() const { return range.value("log", false); }
  [[nodiscard]] double scaled(double number) const {
    if (!is_logarithmic()) return number;
    return std::log10(std::max(number, range.value("min", 1e-9)));  // the lower bound stands for 0
  }
  /// The value at a place of the course.
  [[nodiscard]] std::string value_at(double place) const {
    if (range.is_null()) return values[static_cast<std::size_t>(std::lround(place - 0.5))].first;
    return format("%.6g", is_logarithmic() ? std::pow(10, place) : place);
  }
};

/// Numbers by size, before words.
bool comes_before(const std::string& a, const std::string& b) {
  const auto one = number_in<double>(a);
  const auto other = number_in<double>(b);
  if (one && other) return *one < *other;
  return one.has_value() != other.has_value() ? one.has_value() : a < b;
}

Parameter parameter_of(const std::string& name, const ordered_json& planned,
                       const std::vector<TriedGame>& games) {
  Parameter out{name, planned.contains("min") ? planned : ordered_json()};
  std::map<std::string, Tried> tried;
  for (const TriedGame& game : games) tried[value_in(game.options, name)].add(game.share);
  out.values.assign(tried.begin(), tried.end());
  std::ranges::sort(out.values, comes_before, &std::pair<std::string, Tried>::first);
  std::map<std::string, double> places;
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    const std::string& value = out.values[i].first;
    const auto number = number_in<double>(value);
    places[value] =
        !out.range.is_null() && number ? out.scaled(*number) : static_cast<double>(i) + 0.5;
  }
  for (const TriedGame& game : games) out.course.push_back(places.at(value_in(game.options, name)));
  return out;
}

/// summary.json of a tuning that is over; empty if it is not.
ordered_json summary_in(const fs::path& folder) {
  std::ifstream file(folder / "summary.json");
  auto json = ordered_json::parse(file, nullptr, false);
  return json.is_object() ? json : ordered_json::object();
}

/// What the ledger of a tuning tells.
struct Record {  // NOLINT(bugprone-exception-escape): the moves of JSON throw nothing
  Experiment experiment;
  ordered_json configuration;
  ordered_json summary;
  std::vector<TriedGame> games;  ///< those of the method first
  std::size_t of_method = 0;     ///< at most
  std::vector<Parameter> parameters;
  std::vector<Incident> incidents;
  // Of the games on record; one that was proposed twice was played once.
  int played = 0;
  int failures = 0;
  double games_a_minute = 0;  ///< `speed_of`

  [[nodiscard]] std::string method() const { return configuration.value("method", ""); }
  [[nodiscard]] const ordered_json& match() const { return configuration["matches"][0]; }
  [[nodiscard]] std::string game() const { return match().value("game", ""); }
  [[nodiscard]] std::string player() const {
    const auto players = match().value("players", ordered_json::array());
    return players.empty() ? "A player" : players[0].value("name", "");
  }
  [[nodiscard]] std::string title() const {
    return "Tuning " + (experiment.name.empty() ? player() + " at " + game() : experiment.name);
  }
};

Record read(const fs::path& folder) {
  Experiment experiment = read_plan(folder);
  const Ledger ledger(folder, experiment);
  require(experiment.tuning.has_value(), folder.string() + " holds no tuning");
  Record out;
  out.configuration = ordered_json::parse(experiment.tuning->text);
  require(out.configuration.contains("parameters") && out.configuration.contains("matches"),
          "the ledger of the tuning is damaged");
  const ordered_json& parameters = out.configuration["parameters"];
  out.summary = summary_in(folder);
  out.of_method = out.configuration.value("runs", 1U) *
                  out.configuration.value("games_per_run", out.configuration.value("games", 0U));
  const std::vector<PlayedRound> rounds = ledger.played();
  out.games = tried_games(experiment, rounds);
  for (const PlayedRound& round : rounds) {
    out.played += static_cast<int>(round.games.size());
    out.failures += static_cast<int>(std::ranges::count_if(round.games, &PlayedGame::is_forfeit));
  }
  out.games_a_minute = speed_of(rounds, [](auto&) { return true; });
  out.incidents = ledger.incidents();
  for (const auto& [name, planned] : parameters.items()) {
    out.parameters.push_back(parameter_of(name, planned, out.games));
  }
  out.experiment = std::move(experiment);
  return out;
}

Column score_column() { return {"mean", "score %", Form::percent, 1, {"low", "high"}}; }

/// Players and their scores, those with the most games first.
DataTable arms_table(std::span<const TriedGame> games, bool has_both_sides) {
  std::map<std::string, Tried> arms;
  for (const TriedGame& game : games) {
    arms[game.options].add(game.share);
    // In a tournament of candidates, which play each other.
    if (has_both_sides && !game.against.empty()) {
      arms[game.against].add(1 - game.share);
    }
  }
  std::vector<std::pair<std::string, Tried>> order(arms.begin(), arms.end());
  std::ranges::stable_sort(order, std::greater(), [](const auto& one) { return one.second.games; });
  DataTable out{.columns = {{"options", "options"}, {"games", "games"}, score_column()}};
  for (const auto& [options, tried] : order) {
    out.rows.push_back({options, tried.games, tried.score()});
  }
  return out;
}

DataTable values_table(const Parameter& parameter) {
  DataTable out{
      .name = "values",
      .columns = {{"parameter"}, {"value", parameter.name}, {"games", "games"}, score_column()},
      .has_heads = false};
  for (const auto& [value, tried] : parameter.values) {
    out.rows.push_back({parameter.name, value, tried.games, tried.score()});
  }
  return out;
}

/// Games of each value of a list.
Figure samples_figure(const Parameter& parameter) {
  std::vector<std::string> names;
  double most = 1;
  for (const auto& [value, tried] : parameter.values) {
    names.push_back(value);
    most = std::max<double>(most, tried.games);
  }
  Chart chart("Samples of " + parameter.name, "Games of each value",
              {"games", 0, 1.05 * most, true}, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto y = static_cast<double>(i);
    chart.box(0, parameter.values[i].second.games, y + 0.15, y + 0.85, "bar");
  }
  return {std::move(chart), values_table(parameter), {}};
}

/// What was tried in the games of each step: their mean, and the middle half.
struct Step {
  double games;
  double low;
  double mean;
  double high;
};

std::vector<Step> steps_of(const Parameter& parameter) {
  std::vector<Step> out;
  const std::size_t all = parameter.course.size();
  const std::size_t count = std::min(steps, all);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * all / count;
    std::vector<double> places(
        parameter.course.begin() + static_cast<std::ptrdiff_t>(begin),
        parameter.course.begin() + static_cast<std::ptrdiff_t>((i + 1) * all / count));
    std::ranges::sort(places);
    out.push_back(
        {static_cast<double>(begin + places.size()), places[places.size() / 4],
         std::accumulate(places.begin(), places.end(), 0.0) / static_cast<double>(places.size()),
         places[places.size() * 3 / 4]});
  }
  return out;
}

/// A parameter over the games; of a range in its own scale, with its bounds and the answer.
Figure course_figure(const Record& record, const Parameter& parameter,
                     const std::vector<Step>& course) {
  const std::string legend = "The mean of the values tried, and the middle half of them";
  const Axis x{"games", 0, course.back().games, true};
  Chart chart;
  if (parameter.range.is_null()) {
    std::vector<std::string> names;
    for (const auto& [value, tried] : parameter.values) names.push_back(value);
    const std::string title = "Values of " + parameter.name + " that were tried over the games";
    const auto height = static_cast<double>(names.size());
    chart = names.size() <= most_names
                ? Chart(title, legend, x, names)
                : Chart(title, legend, x,
                        Axis{.label = parameter.name, .high = height, .names = names});
  } else {
    const double low = parameter.scaled(parameter.range.value("min", 0.0));
    const double high = parameter.scaled(parameter.range.value("max", 1.0));
    const double margin = (high - low) / 20;
    chart =
        Chart(parameter.name + " over the games, with its bounds", legend, x,
              Axis{.label = parameter.name + (parameter.is_logarithmic() ? ", logarithmic" : ""),
                   .low = low - margin,
                   .high = high + margin,
                   .is_logarithmic = parameter.is_logarithmic()});
    chart.level(low, "bound", "min " + parameter.value_at(low));
    chart.level(high, "bound", "max " + parameter.value_at(high));
    const auto best = record.summary.value("best", ordered_json::object());
    const auto answer = number_in<double>(best.value(parameter.name, ""));
    if (answer) chart.level(parameter.scaled(*answer), "even", format("answer %.6g", *answer));
  }
  std::vector<Point> low;
  std::vector<Point> mean;
  std::vector<Point> high;
  for (const Step& step : course) {
    low.push_back({step.games, step.low});
    mean.push_back({step.games, step.mean});
    high.push_back({step.games, step.high});
  }
  chart.band(low, high);
  chart.add(ChartMark::Kind::line, mean, "first");
  chart.keys = {{"first", "mean of the values tried"}, {"band", "the middle half of them"}};
  Figure out{std::move(chart), {}, {}};
  if (parameter.range.is_null()) return out;
  out.numbers = values_table(parameter);
  if (out.numbers.rows.size() > most_arms) out.numbers = hidden(std::move(out.numbers));
  out.numbers.folded = "Values";
  return out;
}

/// Scores of each pair of two lists' values.
DataTable pairs_of(const Record& record, const Parameter& down, const Parameter& across) {
  std::map<std::pair<std::string, std::string>, Tried> tried;
  for (const TriedGame& game : record.games) {
    tried[{value_in(game.options, down.name), value_in(game.options, across.name)}].add(game.share);
  }
  DataTable out{
      .columns = {{"", down.name + " \\ " + across.name}},
      .caption = "Score % and samples by " + down.name + " (left) and " + across.name + " (above)"};
  for (const auto& [value, of] : across.values) out.columns.push_back({"", value, Form::heat, 1});
  for (const auto& [value, of] : down.values) {
    Cells& row = out.rows.emplace_back(Cells{value});
    for (const auto& [other, of_other] : across.values) {
      const auto found = tried.find({value, other});
      row.push_back(found == tried.end() ? Cell() : found->second.score());
    }
  }
  return out;
}

/// What a summary has of a parameter.
std::string answer_of(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

/// The scores of all that were tried against the opponents or, in self-play, against the options
/// before tuning, whose score of 1/2 is known. Their noise is that of single games.
std::vector<Observation> scores_in(const Record& record, const UnitSpace& space) {
  std::string start;
  for (const TunedParameter& parameter : space.space()) {
    const auto& planned = record.configuration["parameters"][parameter.name];
    start += (start.empty() ? "" : " ") + parameter.name + "=" + planned.value("start", "-");
  }
  std::map<std::string, Tried> tried;
  bool is_against_start = false;
  for (const TriedGame& game : record.games) {
    if (!game.against.empty() && game.against != start) continue;
    is_against_start |= !game.against.empty();
    tried[game.options].add(game.share);
  }
  std::vector<Observation> out;
  const auto add = [&](const std::string& options, double score, double variance) {
    Values values;
    for (const TunedParameter& parameter : space.space()) {
      values.push_back(value_in(options, parameter.name));
      if (parameter.has_range() && !number_in<double>(values.back())) return;
    }
    out.push_back({space.point_of(values), score, variance});
  };
  if (is_against_start) add(start, 0.5, 1e-6);
  for (const auto& [options, of] : tried) {
    if (is_against_start && options == start) continue;
    add(options, of.points / of.games, 0.25 / of.games);
  }
  return out;
}

/// The expected score over a parameter, beside that of the answer.
Figure sensitivity_figure(const Parameter& parameter, const Sensitivity& of,
                          const std::string& answer) {
  std::vector<Point> low;
  std::vector<Point> mean;
  std::vector<Point> high;
  std::vector<std::string> names;
  Axis up{.label = "score %, less the answer's", .low = -1, .high = 1};
  for (const ChangedScore& change : of.changes) {
    const double x = parameter.range.is_null()
                         ? static_cast<double>(names.size()) + 0.5
                         : parameter.scaled(number_in<double>(change.value).value_or(0));
    names.push_back(change.value);
    const double half = 100 * exact_normal_95 * change.deviation;
    mean.push_back({x, 100 * change.lead});
    low.push_back({x, mean.back().y - half});
    high.push_back({x, mean.back().y + half});
    up.low = std::min(up.low, low.back().y);
    up.high = std::max(up.high, high.back().y);
  }
  Axis across{.label = parameter.name};
  if (parameter.range.is_null()) {
    across.high = static_cast<double>(names.size());
    if (names.size() <= most_names) across.names = names;
  } else {
    across.low = mean.front().x;
    across.high = mean.back().x;
    across.is_logarithmic = parameter.is_logarithmic();
    if (across.is_logarithmic) across.label += ", logarithmic";
  }
  Chart chart(parameter.name + " around the answer, " + answer,
              "The expected score with its 95 % interval, the other parameters as in the answer",
              across, up);
  chart.level(0, "even", "answer");
  if (parameter.range.is_null()) {
    constexpr double half = 0.2;
    for (std::size_t i = 0; i < mean.size(); ++i) {
      chart.box(mean[i].x - half, mean[i].x + half, low[i].y, high[i].y, "band");
      chart.add(ChartMark::Kind::dot, {mean[i]}, "first");
    }
  } else {
    chart.band(low, high);
    chart.add(ChartMark::Kind::line, mean, "first");
  }
  chart.keys = {{"first", "expected score"}, {"band", "95 % interval"}};
  return {std::move(chart), {}, {}};
}

/// The values whose score is not told apart from the answer's: of a range those next to it.
std::string as_good_as_answer(const Parameter& parameter, const Sensitivity& of,
                              const std::string& answer) {
  const auto is_as_good = [](const ChangedScore& change) {
    return change.lead + exact_normal_95 * change.deviation >= 0;
  };
  if (!parameter.range.is_null()) {
    const auto found = std::ranges::find(of.changes, answer, &ChangedScore::value);
    if (found == of.changes.end()) return "-";
    auto first = found;
    while (first != of.changes.begin() && is_as_good(*(first - 1))) --first;
    auto last = found;
    while (last + 1 != of.changes.end() && is_as_good(*(last + 1))) ++last;
    return first->value + " to " + last->value;
  }
  std::string out;
  for (const ChangedScore& change : of.changes) {
    if (is_as_good(change)) out += (out.empty() ? "" : ", ") + change.value;
  }
  return out;
}

/// How much each parameter matters, and how flat the answer's surroundings are.
Section sensitivity_section(const Record& record) {
  if (!record.summary.contains("best")) return {""};
  const UnitSpace space(configured_space(record.configuration["parameters"]));
  const std::vector<Observation> scores = scores_in(record, space);
  if (scores.size() < 2 || scores.size() > most_scores) return {""};
  Values answer;
  for (const TunedParameter& parameter : space.space()) {
    answer.push_back(answer_of(record.summary["best"].value(parameter.name, ordered_json("-"))));
  }
  const std::vector<Sensitivity> all = sensitivities(space, scores, answer);
  DataTable table{
      .name = "sensitivity",
      .columns = {{"parameter", "parameter"},
                  {"answer", "answer"},
                  {"importance", "importance %", Form::percent},
                  {"as_good", "not told apart from the answer"},
                  {"worst", "worst"},
                  estimate_column("lead", "score % there, less the answer's", Form::percent, 1)}};
  DataTable changes{
      .name = "around",
      .columns = {{"parameter"}, {"value"}, estimate_column("lead", "", Form::percent, 1)}};
  Section out{"Around the answer"};
  const auto lead = [](const ChangedScore& change) {
    Cell cell = change.lead;
    cell.low = change.lead - exact_normal_95 * change.deviation;
    cell.high = change.lead + exact_normal_95 * change.deviation;
    return cell;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Parameter& parameter = record.parameters[i];
    const ChangedScore& worst = *std::ranges::min_element(all[i].changes, {}, &ChangedScore::lead);
    table.rows.push_back({parameter.name, answer[i], all[i].importance,
                          as_good_as_answer(parameter, all[i], answer[i]), worst.value,
                          lead(worst)});
    for (const ChangedScore& change : all[i].changes) {
      changes.rows.push_back({parameter.name, change.value, lead(change)});
    }
  }
  out.blocks.emplace_back(std::move(table));
  out.blocks.emplace_back(Text{
      "As a Gaussian process over all of the tuning's scores expects it, the other parameters "
      "being those of the answer. Importance: the share of the variance of the expected scores "
      "over the whole space in which a parameter has a part, alone or with others. "
      "pitboss sweep measures the same with fresh games.",
      note});
  for (std::size_t i = 0; i < all.size(); ++i) {
    out.blocks.emplace_back(sensitivity_figure(record.parameters[i], all[i], answer[i]));
  }
  out.blocks.emplace_back(hidden(std::move(changes)));
  return out;
}

Section learned_section(const Record& record) {
  const std::string method = record.method();
  Section out{method == "race"         ? "Race, candidates in the order in which they entered it"
              : method == "n-tuple"    ? "N-tuple bandit, all runs together"
              : method == "ucb1-tuned" ? "UCB1-Tuned"
                                       : "SPSA"};
  DataTable rows{.name = "course",
                 .columns = {{"parameter"}, {"games"}, {"low"}, {"mean"}, {"high"}}};
  for (const Parameter& parameter : record.parameters) {
    if (parameter.range.is_null()) out.blocks.emplace_back(samples_figure(parameter));
    const auto course = steps_of(parameter);
    if (!course.empty()) out.blocks.emplace_back(course_figure(record, parameter, course));
    for (const Step& step : course) {
      rows.rows.push_back({parameter.name, step.games, parameter.value_at(step.low),
                           parameter.value_at(step.mean), parameter.value_at(step.high)});
    }
  }
  out.blocks.emplace_back(hidden(std::move(rows)));
  for (std::size_t i = 0; i < record.parameters.size(); ++i) {
    for (std::size_t j = i + 1; j < record.parameters.size(); ++j) {
      const Parameter& down = record.parameters[i];
      const Parameter& across = record.parameters[j];
      if (!down.range.is_null() || !across.range.is_null()) continue;
      out.blocks.emplace_back(pairs_of(record, down, across));
    }
  }
  return out;
}

/// What came after the method.
Section candidates_section(const Record& record) {
  const bool is_compared = record.configuration.value("runs", 1) > 1;
  const bool is_changed = record.configuration.value("deviation_games", 0) > 0;
  const auto after =
      std::span(record.games).subspan(std::min(record.of_method, record.games.size()));
  if ((!is_compared && !is_changed) || after.empty()) return {""};
  Section out{is_compared ? "Comparison of the runs' candidates" : "Changes of one parameter",
              {arms_table(after, true)}};
  if (is_compared && is_changed) {
    out.blocks.emplace_back(
        Text{"Changes of one parameter, tried after it, are among these.", note});
  }
  return out;
}

Section players_section(const Record& record) {
  DataTable arms = arms_table(record.games, false);
  arms.name = "arms";
  Section out{"Players tried"};
  out.blocks.emplace_back(
      Text{format("%zu different players were tried; those with the most games come first.",
                  arms.rows.size()),
           note});
  // SPSA tries new values all the time, of which each has a few games.
  const bool has_ranges = std::ranges::any_of(
      record.parameters, [](const Parameter& of) { return !of.range.is_null(); });
  if (has_ranges && record.method() != "race") arms.folded = "Players and scores";
  DataTable others{.name = arms.name, .columns = arms.columns};
  if (arms.rows.size() > most_arms) {
    others.rows.assign(arms.rows.begin() + most_arms, arms.rows.end());
    arms.rows.resize(most_arms);
  }
  out.blocks.emplace_back(std::move(arms));
  out.blocks.emplace_back(hidden(std::move(others)));
  return out;
}

/// `link_of`: where all about the match in a folder is.
using LinkOf = std::function<std::string(const std::string& folder)>;
Section match_section(const ordered_json& summary, const LinkOf& link_of) {
  Section out{"Fresh match"};
  const auto matches = summary.value("matches", ordered_json::array());
  if (matches.empty()) {
    out.blocks.emplace_back(Text{"None: the answer is the player as it was."});
    return out;
  }
  DataTable table{.columns = {{"", "against"}, {"", "games"}, {"", "score %", Form::percent, 2}}};
  for (const auto& match : matches) {
    Cell score = share_cell(match["score"], {match["interval"][0], match["interval"][1]}, 0);
    table.rows.push_back({match["against"].get<std::string>(), match["games"].get<int>(), score});
  }
  out.blocks = {std::move(table)};
  const std::string link = link_of(summary["match"].get<std::string>());
  out.blocks.emplace_back(Text{"", plain, "All about this match", link});
  out.blocks.emplace_back(
      Text{"This result is the one to publish: its games took no part in the choice.", note});
  return out;
}

Section head_section(const Record& record) {
  Section out{""};
  const auto add = [&](const std::string& words, Text::Kind kind) {
    out.blocks.emplace_back(Text{words, kind});
  };
  const std::string opponents = opponents_text(record.experiment.matches);
  add(record.player() + " at " + record.game() +
          (opponents.empty() ? "" : ", against " + opponents) + ", " +
          std::to_string(record.played) + " games.",
      plain);
  const ordered_json& parameters = record.configuration["parameters"];
  for (const TunedParameter& parameter : configured_space(parameters)) {
    add(parameter.name + ", before tuning " + parameters[parameter.name].value("start", "-") +
            ": " + text_of(parameter),
        item);
  }
  if (record.failures > 0) add(format("Games lost by failures: %d.", record.failures), alarm);
  if (!record.summary.contains("best")) {
    add("The tuning is not over.", note);
    return out;
  }
  std::string answer;
  for (const auto& [name, value] : record.summary["best"].items()) {
    answer += (answer.empty() ? "" : " ") + name + "=" + answer_of(value);
  }
  add("The answer is " + answer + ".", verdict);
  if (record.summary.contains("options")) add(record.summary["options"], code);
  for (const auto& remark : record.summary.value("remarks", ordered_json::array())) {
    add(remark, alarm);
  }
  return out;
}

Document document_of(const Record& record, const LinkOf& link_of) {
  Document out{record.title(), {head_section(record)}};
  out.facts = {{"configuration", record.configuration},
               {"summary", record.summary.empty() ? ordered_json() : record.summary}};
  if (record.summary.contains("best")) {
    out.sections.push_back(match_section(record.summary, link_of));
  }
  out.sections.push_back(sensitivity_section(record));
  out.sections.push_back(learned_section(record));
  out.sections.push_back(candidates_section(record));
  out.sections.push_back(players_section(record));
  Section wrong{"What went wrong"};
  if (record.incidents.empty()) wrong.blocks.emplace_back(Text{"Nothing went wrong."});
  wrong.blocks.emplace_back(
      incidents_table(record.incidents, "match", 1, [](int match) { return match + 1; }));
  out.sections.push_back(std::move(wrong));
  out.sections.push_back({"What determines it", {Text{record.configuration.dump(2), code}}});
  return out;
}

/// When something was written last, also of the fresh match that the answer plays in the end.
std::int64_t last_sign(const fs::path& folder) {
  std::int64_t last = last_change(tuning_path(folder));
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    last = std::max(last, last_change(ledger_path(entry.path())));
  }
  return last;
}

/// A tuning, by its ledger.
class FollowedTuning final : public Followed {
 public:
  FollowedTuning(std::string name, fs::path folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  [[nodiscard]] Shot look() override { return shown(read(folder_)); }

 private:
  [[nodiscard]] Shot shown(const Record& record) const {
    const std::int64_t last = last_sign(folder_);
    const int games = record.played;
    // More are on record if it was given more games and goes on.
    const bool is_over = !record.summary.empty() && record.summary.value("games", 0) >= games;
    const auto planned = static_cast<int>(record.of_method);
    Shot out{{.name = name_,
              .kind = tuning_kind().name,
              .state = is_over           ? "finished"
                       : is_recent(last) ? "running"
                                         : "stopped",
              .title = record.title(),
              .game = record.game(),
              .done = games,
              .of = std::max(planned, games),  // the candidates play after the method
              .failures = record.failures,
              .last = last,
              .words = record.method() + " over " + std::to_string(record.parameters.size()) +
                       " parameters"},
             document_of(record, [&](const std::string& folder) {
               return page_address(name_ + "/" + folder);
             })};
    std::string words = format("%d games on record", games);
    if (planned > 0) words += format(", of which the method plays %d", planned);
    if (const double speed = record.games_a_minute; speed > 0) {
      out.outline.games_a_minute = speed;
      if (out.is_running() && games < planned) {
        out.outline.seconds_left = 60 * (planned - games) / speed;
        out.outline.left_of = "the method's games";
      }
    }
    out.add_progress(progress_table(out.outline, words, {{"method", record.method()}}));
    return out;
  }

  std::string name_;
  fs::path folder_;
};

}  // namespace

Document tuning_document(const fs::path& folder) {
  return document_of(read(folder), [](const std::string& match) { return match + "/report.html"; });
}

RunKind tuning_kind() {
  return {"tuning",
          [](const fs::path& folder) -> std::optional<std::string> {
            std::error_code error;
            if (!fs::exists(tuning_path(folder), error)) return std::nullopt;
            return version_of_file(tuning_path(folder)) + version_of_file(folder / "summary.json");
          },
          [](const std::string& name, const LedgerPlace& place) {
            return std::make_shared<FollowedTuning>(name, std::get<fs::path>(place));
          }};
}

}  // namespace pitboss::clients
