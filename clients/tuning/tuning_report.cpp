#include "clients/tuning/tuning_report.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "clients/report/formatting.hpp"
#include "clients/report/html_page.hpp"
#include "clients/report/plot.hpp"
#include "clients/report/report_sections.hpp"
#include "clients/report/tournament_charts.hpp"

namespace pitboss::clients {

namespace {

Markup figure(const std::string& title, const Markup& picture, const Markup& numbers) {
  return element("figure", element("figcaption", title) + picture + numbers);
}

/// A parameter over time, in its own scale, between its bounds.
Markup course_chart(const PlannedTuning& plan, const Spsa& spsa, std::size_t parameter) {
  const TunedParameter& tuned = plan.space[parameter];
  const Range& range = tuned.range;
  const double unit = range.is_logarithmic ? std::numbers::ln10 : 1;  // coordinates are natural
  const int games = games_per_step(plan.settings.conditions);
  constexpr std::int64_t most_points = 400;
  const std::int64_t shown = std::min(spsa.learned(), most_points);
  std::vector<Point> course;
  for (std::int64_t i = 0; i <= shown; ++i) {
    const std::int64_t outcomes = shown == 0 ? 0 : spsa.learned() * i / shown;
    course.push_back(
        {static_cast<double>(outcomes * games), spsa.theta(outcomes)[parameter] / unit});
  }
  const auto [low, high] = range.bounds();
  const double margin = (high - low) / unit / 20;
  const double answer = spsa.mean_theta()[parameter] / unit;
  const std::string label = (range.is_logarithmic ? "log10 " : "") + tuned.name;
  Plot plot(tuned.name + " over time",
            format("From %s = %.3g to %.3g, which is the answer", label.c_str(), course.front().y,
                   answer),
            {"games", 0, course.back().x, true},
            {label, low / unit - margin, high / unit + margin});
  plot.level(low / unit, "bound", "min");
  plot.level(high / unit, "bound", "max");
  plot.level(answer, "even", "answer");
  plot.line(course, "first");
  return figure(tuned.name + " over time, with its bounds", plot.svg(), {});
}

struct ValueSamples {
  std::string value;
  double sum = 0;
  double samples = 0;
};

/// Samples of each value of a parameter, and their mean scores.
Markup samples_chart(const std::string& parameter, const std::vector<ValueSamples>& values) {
  std::vector<std::string> names;
  double most = 1;
  for (const ValueSamples& value : values) {
    names.push_back(value.value);
    most = std::max(most, value.samples);
  }
  Plot plot("Samples of " + parameter, "Samples of each value", {"samples", 0, 1.05 * most, true},
            names);
  std::vector<Markup> rows;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto y = static_cast<double>(i);
    plot.box(0, values[i].samples, y + 0.15, y + 0.85, "bar");
    rows.push_back(row_head(values[i].value) + cell(format("%.0f", values[i].samples)) +
                   cell(format("%.1f", 100 * values[i].sum / std::max(values[i].samples, 1.0))));
  }
  return figure("Samples of " + parameter, plot.svg(),
                table("", {{parameter, true}, {"samples"}, {"score %"}}, rows));
}

ValueSamples samples_of(const Bandit& bandit, std::int64_t arm, std::string value) {
  const auto found = bandit.arms().find(arm);
  if (found == bandit.arms().end()) return {std::move(value)};
  const Arm prior;  // the sample of 1/2 with which an arm begins is not one that was played
  return {std::move(value), found->second.sum - prior.sum,
          static_cast<double>(found->second.samples - prior.samples)};
}

/// The samples of a tuple's values in all runs; the places of other parameters do not matter.
ValueSamples samples_of(const std::vector<NTupleModel>& models, std::size_t tuple,
                        const Places& places, const std::string& value) {
  ValueSamples all{value};
  for (const NTupleModel& model : models) {
    const NTupleModel::Tuple& of = model.tuples()[tuple];
    const ValueSamples one = samples_of(of.bandit, model.arm_of(of, places), value);
    all.sum += one.sum;
    all.samples += one.samples;
  }
  return all;
}

/// A score, the paler the nearer to 50 %, and below it the samples.
Markup heat_cell(const ValueSamples& of) {
  if (of.samples < 1) return element("td", {{"class", "none"}}, text("-"));
  const double score = of.sum / of.samples;
  return element("td", {{"class", heat_classes(score)}},
                 text(format("%.1f", 100 * score)) + element("small", format("%.0f", of.samples)));
}

Markup heat_map(const PlannedTuning& plan, const std::vector<NTupleModel>& models,
                std::size_t tuple, std::size_t down, std::size_t across) {
  const TunedParameter& rows_of = plan.space[down];
  const TunedParameter& columns_of = plan.space[across];
  std::vector<Column> columns{{rows_of.name + " \\ " + columns_of.name, true}};
  for (const std::string& value : columns_of.values) columns.push_back({value});
  std::vector<Markup> rows;
  Places places(plan.space.size(), 0);
  for (std::size_t i = 0; i < rows_of.values.size(); ++i) {
    Markup row = row_head(rows_of.values[i]);
    for (std::size_t j = 0; j < columns_of.values.size(); ++j) {
      places[down] = static_cast<int>(i);
      places[across] = static_cast<int>(j);
      row += heat_cell(samples_of(models, tuple, places, ""));
    }
    rows.push_back(row);
  }
  return element("figure", {{"class", "matrix"}},
                 element("figcaption", "Score % and samples by " + rows_of.name + " (left) and " +
                                           columns_of.name + " (above)") +
                     table("", columns, rows));
}

Markup n_tuple_charts(const PlannedTuning& plan, const NTupleRuns& runs) {
  Markup charts;
  Markup maps;
  const auto& tuples = runs.models().front().tuples();
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    const std::vector<int>& parameters = tuples[t].parameters;
    if (parameters.size() == 1) {
      const TunedParameter& parameter = plan.space[parameters[0]];
      std::vector<ValueSamples> values;
      Places places(plan.space.size(), 0);
      for (std::size_t i = 0; i < parameter.values.size(); ++i) {
        places[parameters[0]] = static_cast<int>(i);
        values.push_back(samples_of(runs.models(), t, places, parameter.values[i]));
      }
      charts += samples_chart(parameter.name, values);
    } else if (parameters.size() == 2) {
      maps += heat_map(plan, runs.models(), t, parameters[0], parameters[1]);
    }
  }
  return element("div", {{"class", "plots"}}, charts) + maps;
}

Markup candidates_table(const PlannedTuning& plan, const std::vector<Candidate>& candidates) {
  std::vector<Markup> rows;
  for (const Candidate& candidate : candidates) {
    const bool has_played = candidate.scores.rounds() > 0;
    rows.push_back(row_head(text_of(plan.space, candidate.values)) +
                   cell(std::to_string(candidate.scores.games())) +
                   cell(has_played ? format("%.2f", 100 * candidate.scores.mean()) : "-") +
                   cell(has_played ? percent_text(candidate.scores.interval(), 2) : "-"));
  }
  return table("", {{"options", true}, {"games"}, {"score %"}, {"95 % interval"}}, rows);
}

Markup stage_section(const PlannedTuning& plan, const UcbBandit& ucb) {
  std::vector<ValueSamples> values;
  for (std::size_t i = 0; i < plan.space[0].values.size(); ++i) {
    values.push_back(
        samples_of(ucb.bandit(), static_cast<std::int64_t>(i), plan.space[0].values[i]));
  }
  return element("h2", "UCB1-Tuned") + samples_chart(plan.space[0].name, values);
}

Markup stage_section(const PlannedTuning& plan, const NTupleRuns& runs) {
  return element("h2", "N-tuple bandit, all runs together") + n_tuple_charts(plan, runs);
}

Markup stage_section(const PlannedTuning& plan, const Spsa& spsa) {
  Markup charts;
  for (std::size_t i = 0; i < plan.space.size(); ++i) charts += course_chart(plan, spsa, i);
  return element("h2", "SPSA") + element("div", {{"class", "plots"}}, charts);
}

Markup stage_section(const PlannedTuning& plan, const FinalComparison& comparison) {
  return element("h2", "Comparison of the runs' candidates") +
         candidates_table(plan, comparison.candidates());
}

Markup stage_section(const PlannedTuning& plan, const OneStepDeviations& deviations) {
  return element("h2", "Changes of one parameter") +
         candidates_table(plan, deviations.candidates());
}

Markup match_section(const Results* match, const std::string& folder) {
  Markup out = element("h2", "Fresh match");
  if (match == nullptr) return out + paragraph("None: the answer is the player as it was.");
  std::vector<Markup> rows;
  for (const MatchResults& one : match->matches()) {
    const Tally tally = one.standings().tally(0);
    rows.push_back(row_head(one.match().players[1].name) + cell(std::to_string(tally.games())) +
                   cell(format("%.2f", 100 * tally.score())) +
                   cell(percent_text(score_interval(tally.points(), tally.games()), 2)));
  }
  return out + table("", {{"against", true}, {"games"}, {"score %"}, {"95 % interval"}}, rows) +
         element("p",
                 element("a", {{"href", folder + "/report.html"}}, text("All about this match"))) +
         note("This result is the one to publish: its games took no part in the choice.");
}

}  // namespace

std::string tuning_html(const PlannedTuning& plan, const TuningEnd& end, const std::string& options,
                        const Results* match, const std::string& match_folder) {
  const std::string& name = plan.file.file.experiment.name;
  const std::string title = "Tuning" + (name.empty() ? "" : " " + name);
  Markup out = element("h1", title);
  out += paragraph(plan.file.itself.players[0].name + " at " + plan.file.itself.game + ", " +
                   std::to_string(end.games) + " games. Before: " +
                   text_of(plan.space, plan.settings.conditions.start) + ". Answer, to be copied:");
  out += element("pre", options);
  for (const std::string& remark : end.remarks) {
    out += element("p", {{"class", "alarm"}}, text(remark));
  }
  out += match_section(match, match_folder);
  for (const Stage& stage : end.tuning->begun()) {
    out += std::visit([&](const auto& one) { return stage_section(plan, one); }, stage);
  }
  return html_page(title, out);
}

}  // namespace pitboss::clients
