#include "clients/follow/followed_tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/follow/ages.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/plot.hpp"
#include "clients/report/report_sections.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

namespace {

/// Of the arms in the page's table.
constexpr std::size_t most_arms = 100;
/// Of the charts over time.
constexpr std::size_t steps = 100;
/// With fewer values of a parameter there is nothing to draw.
constexpr std::size_t fewest_values = 2;

/// Values of the tuned parameters, in their order.
using Values = std::vector<std::string>;

/// What was tried, and what it scored.
struct Tried {
  int games = 0;
  double points = 0;

  void add(double share) {
    ++games;
    points += share;
  }
  [[nodiscard]] double mean() const { return games > 0 ? points / games : 0.5; }
};

struct TriedValue {
  std::string value;
  Tried tried;
};

/// A game by the options of the player that was tuned.
struct TunedGame {
  Values values;
  double share;  ///< of the point
};

/// A tuned parameter: its values in order, and for each game which of them it had.
struct Parameter {
  std::string name;
  std::vector<TriedValue> values = {};
  std::vector<std::size_t> course = {};
};

struct Tuning {  // NOLINT(bugprone-exception-escape): see Picture
  ordered_json configuration;
  std::map<std::string, Tried> arms;
  std::vector<Parameter> parameters;
  std::vector<Incident> incidents;
  int games = 0;
  int failures = 0;
};

std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

/// The tuned options of a match's first player, in the order of `names`.
Values values_of(const Match& match, const std::vector<std::string>& names) {
  Values out;
  for (const std::string& name : names) {
    const auto& options = match.players[0].options;
    const auto found = std::ranges::find_if(options, [&](const engine::Assignment& option) {
      return games::same_ignoring_case(option.name, name);
    });
    out.push_back(found == options.end() ? "-" : found->value);
  }
  return out;
}

/// "k=0.1 alpha=2"
std::string arm_of(const std::vector<std::string>& names, const Values& values) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += (i == 0 ? "" : " ") + names[i] + "=" + values[i];
  }
  return out;
}

/// Numbers by size, before words.
bool comes_before(const TriedValue& a, const TriedValue& b) {
  const auto one = number_in(a.value);
  const auto other = number_in(b.value);
  if (one && other) return *one < *other;
  return one.has_value() != other.has_value() ? one.has_value() : a.value < b.value;
}

/// Of the parameter whose values are at `place`.
Parameter parameter_of(const std::string& name, std::size_t place,
                       const std::vector<TunedGame>& games) {
  std::map<std::string, Tried> tried;
  for (const TunedGame& game : games) tried[game.values[place]].add(game.share);
  Parameter out{name};
  for (const auto& [value, of] : tried) out.values.push_back({value, of});
  std::ranges::sort(out.values, comes_before);
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < out.values.size(); ++i) places[out.values[i].value] = i;
  for (const TunedGame& game : games) out.course.push_back(places.at(game.values[place]));
  return out;
}

Tuning read(const fs::path& folder) {
  const Experiment experiment = read_plan(folder);
  const Ledger ledger(folder, experiment);
  Tuning out;
  require(experiment.tuning.has_value(), folder.string() + " holds no tuning");
  out.configuration = ordered_json::parse(experiment.tuning->text);
  require(out.configuration.contains("parameters"), "the ledger of the tuning is damaged");
  std::vector<std::string> names;
  for (const auto& [name, values] : out.configuration["parameters"].items()) names.push_back(name);
  std::vector<PlayedRound> rounds = ledger.played();
  std::ranges::stable_sort(rounds, {}, &PlayedRound::ended);
  std::vector<TunedGame> games;
  for (const PlayedRound& round : rounds) {
    const Values values = values_of(experiment.matches[round.match], names);
    for (const PlayedGame& game : round.games) {
      games.push_back({values, static_cast<double>(game.twelfths) / whole_point});
      out.arms[arm_of(names, values)].add(games.back().share);
      out.failures += game.is_forfeit() ? 1 : 0;
    }
  }
  out.games = static_cast<int>(games.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    out.parameters.push_back(parameter_of(names[i], i, games));
  }
  out.incidents = ledger.incidents();
  return out;
}

std::string game_of(const Tuning& tuning) {
  const auto& matches = tuning.configuration.value("matches", ordered_json::array());
  return matches.empty() ? std::string() : matches[0].value("game", std::string());
}

/// summary.json of a tuning that is over; null if it is not.
ordered_json summary_in(const fs::path& folder) {
  std::ifstream file(folder / "summary.json");
  auto json = ordered_json::parse(file, nullptr, false);
  return json.is_object() ? json : ordered_json();
}

std::vector<std::pair<std::string, Tried>> by_games(const std::map<std::string, Tried>& arms) {
  std::vector<std::pair<std::string, Tried>> out(arms.begin(), arms.end());
  std::ranges::stable_sort(out, std::greater(), [](const auto& one) { return one.second.games; });
  return out;
}

ordered_json tried_row(const Tried& tried) {
  const Interval interval = score_interval(tried.points, tried.games);
  return {{"games", tried.games},
          {"mean", tried.mean()},
          {"low", interval.low},
          {"high", interval.high}};
}

Markup tried_cells(const Tried& tried) {
  return cell(std::to_string(tried.games)) + cell(format("%.1f", 100 * tried.mean())) +
         cell(percent_text(score_interval(tried.points, tried.games)));
}

const std::vector<Column> tried_columns = {{"games"}, {"mean score %"}, {"95 % interval"}};

Markup arms_part(const Tuning& tuning) {
  std::vector<Markup> rows;
  for (const auto& [arm, tried] : by_games(tuning.arms)) {
    if (rows.size() == most_arms) break;
    rows.push_back(row_head(arm) + tried_cells(tried));
  }
  std::vector<Column> columns = {{"options", true}};
  std::ranges::copy(tried_columns, std::back_inserter(columns));
  return note(format("%zu different players were tried; those with the most games come first.",
                     tuning.arms.size())) +
         table("", columns, rows);
}

Markup values_table(const Parameter& parameter) {
  std::vector<Markup> rows;
  for (const auto& [value, tried] : parameter.values) {
    rows.push_back(row_head(value) + tried_cells(tried));
  }
  std::vector<Column> columns = {{parameter.name, true}};
  std::ranges::copy(tried_columns, std::back_inserter(columns));
  return table("", columns, rows);
}

/// Which values the games of each step had: the mean place among the values, and the middle half.
struct CoursePoint {
  double games;
  double low;
  double mean;
  double high;
};

std::vector<CoursePoint> course_of(const Parameter& parameter) {
  std::vector<CoursePoint> out;
  const std::size_t all = parameter.course.size();
  const std::size_t count = std::min(steps, all);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t begin = i * all / count;
    std::vector<std::size_t> places(parameter.course.begin() + begin,
                                    parameter.course.begin() + (i + 1) * all / count);
    std::ranges::sort(places);
    double sum = 0;
    for (const std::size_t place : places) sum += static_cast<double>(place);
    out.push_back({static_cast<double>(begin + places.size()),
                   static_cast<double>(places[places.size() / 4]),
                   sum / static_cast<double>(places.size()),
                   static_cast<double>(places[places.size() * 3 / 4])});
  }
  return out;
}

Markup course_chart(const Parameter& parameter) {
  const auto course = course_of(parameter);
  if (course.empty() || parameter.values.size() < fewest_values) return {};
  std::vector<Point> low;
  std::vector<Point> mean;
  std::vector<Point> high;
  for (const CoursePoint& at : course) {
    low.push_back({at.games, at.low + 0.5});
    mean.push_back({at.games, at.mean + 0.5});
    high.push_back({at.games, at.high + 0.5});
  }
  constexpr std::size_t most_names = 30;
  std::vector<std::string> names;
  for (const TriedValue& one : parameter.values) names.push_back(one.value);
  const std::string title = "Values of " + parameter.name + " that were tried over the games";
  const std::string legend = "The line is their mean place, the band has half of the games";
  const Axis x{"games", 0, course.back().games, true};
  const auto drawn = [&](Plot plot) {
    plot.band(low, high, "band");
    plot.line(mean, "first");
    return plot.svg();
  };
  const Markup picture =
      names.size() <= most_names
          ? drawn(Plot(title, legend, x, names))
          : drawn(Plot(title, legend, x,
                       {"place among the values", 0, static_cast<double>(names.size())}));
  return element("figure", element("figcaption", title) + picture + note(legend) +
                               folded("Values", values_table(parameter)));
}

Rows course_rows(const Tuning& tuning) {
  Rows rows = Rows::array();
  for (const Parameter& parameter : tuning.parameters) {
    for (const CoursePoint& at : course_of(parameter)) {
      const auto value = [&](double place) {
        return parameter.values[static_cast<std::size_t>(std::lround(place))].value;
      };
      rows.push_back({{"parameter", parameter.name},
                      {"games", at.games},
                      {"low", value(at.low)},
                      {"mean", value(at.mean)},
                      {"high", value(at.high)}});
    }
  }
  return rows;
}

Rows arm_rows(const Tuning& tuning) {
  Rows rows = Rows::array();
  for (const auto& [arm, tried] : by_games(tuning.arms)) {
    Rows row{{"options", arm}};
    row.update(tried_row(tried));
    rows.push_back(std::move(row));
  }
  return rows;
}

Rows value_rows(const Tuning& tuning) {
  Rows rows = Rows::array();
  for (const Parameter& parameter : tuning.parameters) {
    for (const auto& [value, tried] : parameter.values) {
      Rows row{{"parameter", parameter.name}, {"value", value}};
      row.update(tried_row(tried));
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

Markup incidents_part(const Tuning& tuning) {
  if (tuning.incidents.empty()) return paragraph("Nothing went wrong.");
  std::vector<Markup> rows;
  for (const Incident& one : tuning.incidents) {
    if (rows.size() == most_arms) break;
    rows.push_back(
        element("td", time_markup(one.when)) + words(one.player) + words(one.location) +
        element("td", {{"class", "words alarm"}}, text(one.reason)) +
        words(one.is_loss ? "lost" : "played again") +
        element("td", {{"class", "words"}},
                one.excerpt.empty() ? text("-") : folded("show", element("pre", one.excerpt))));
  }
  return table("",
               {{"time", true},
                {"player", true},
                {"place", true},
                {"what happened", true},
                {"the game was", true},
                {"excerpt", true}},
               rows);
}

Markup answer_part(const ordered_json& summary) {
  if (!summary.is_object() || !summary.contains("best")) {
    return paragraph("The tuning is not over.");
  }
  std::string answer;
  for (const auto& [name, value] : summary["best"].items()) {
    answer += (answer.empty() ? "" : " ") + name + "=" +
              (value.is_string() ? value.get<std::string>() : value.dump());
  }
  Markup out = element("p", text("The answer is ") + element("b", answer) + text("."));
  const auto score = summary.value("score", ordered_json());
  if (score.is_number()) {
    out += paragraph(format("Its fresh match against the player as it was: %.2f %%.",
                            100 * score.get<double>()));
  }
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

}  // namespace

FollowedTuning::FollowedTuning(std::string name, fs::path folder)
    : name_(std::move(name)), folder_(std::move(folder)) {}

Picture FollowedTuning::look() {
  const Tuning tuning = read(folder_);
  const ordered_json summary = summary_in(folder_);
  const std::int64_t last = last_sign(folder_);
  // More are on record if it was given more games and goes on.
  const bool is_over = summary.is_object() && summary.value("games", 0) >= tuning.games;
  const std::string state = is_over ? "finished" : is_recent(last) ? "running" : "stopped";
  const int planned =
      tuning.configuration.value("runs", 1) *
      tuning.configuration.value("games_per_run", tuning.configuration.value("games", 0));
  const std::string method = tuning.configuration.value("method", std::string());
  Picture out;
  out.is_running = state == "running";
  out.row = {
      {"name", name_},
      {"kind", "tuning"},
      {"title", "Tuning " + name_},
      {"game", game_of(tuning)},
      {"state", state},
      {"done", tuning.games},
      {"of", planned},
      {"unit", "games"},
      {"failures", tuning.failures},
      {"last", last},
      {"words", method + " over " + std::to_string(tuning.parameters.size()) + " parameters"}};
  out.facts = {{"configuration", tuning.configuration}, {"summary", summary}};
  out.tables["arms"] = arm_rows(tuning);
  out.tables["values"] = value_rows(tuning);
  out.tables["course"] = course_rows(tuning);
  out.tables["incidents"] = incident_rows(tuning.incidents, "match", 1);
  Markup charts;
  for (const Parameter& parameter : tuning.parameters) charts += course_chart(parameter);
  out.parts = {
      {"Progress",
       element("p",
               text("This tuning by " + method + " is ") + element("b", state) +
                   text(format(": %d games on record", tuning.games) +
                        (planned > 0 ? format(", of which the method plays %d", planned) : "") +
                        ". Last sign of life: ") +
                   time_markup(last)) +
           (tuning.failures > 0
                ? element("p", {{"class", "alarm"}},
                          text(format("Games lost by failures: %d.", tuning.failures)))
                : Markup())},
      {"Answer", answer_part(summary)},
      {"Values over time", element("div", {{"class", "plots"}}, charts)},
      {"Players tried", arms_part(tuning)},
      {"What went wrong", incidents_part(tuning)},
      {"What determines it", element("pre", tuning.configuration.dump(2))}};
  return out;
}

void FollowedTuning::set_paused(bool /*is_paused*/) {
  throw UserError("a tuning cannot be told to wait");
}

}  // namespace pitboss::clients
