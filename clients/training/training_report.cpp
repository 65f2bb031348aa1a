#include "clients/training/training_report.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/html_page.hpp"
#include "clients/report/plot.hpp"
#include "clients/report/record_files.hpp"
#include "clients/report/report_sections.hpp"

namespace pitboss::clients {

namespace {

/// A number for each generation.
struct Curve {
  std::string name;
  std::function<double(const Generation&)> value;
};

/// One or two curves over the generations; the first is drawn as .first, the second as .second.
Markup chart(const std::string& title, const std::vector<Generation>& all,
             const std::vector<Curve>& curves, double low, double high) {
  std::vector<std::vector<Point>> lines;
  Axis y{"", low, high};
  for (const Curve& curve : curves) {
    std::vector<Point>& line = lines.emplace_back();
    for (const Generation& one : all) {
      line.push_back({static_cast<double>(one.number), curve.value(one)});
      y.high = std::max(y.high, line.back().y);
    }
  }
  std::string legend = title + ": " + curves[0].name;
  if (curves.size() > 1) legend += " (blue), " + curves[1].name + " (orange)";
  Plot plot(title, legend, {"generation", 0, static_cast<double>(all.back().number), true}, y);
  constexpr std::array styles = {"first", "second"};
  for (std::size_t i = 0; i < lines.size(); ++i) plot.line(lines[i], styles[i]);
  return element("figure", element("figcaption", legend) + plot.svg());
}

/// The score against one opponent, with its interval.
Markup score_chart(const std::string& title, const std::vector<Generation>& all,
                   const std::function<bool(const Comparison&)>& is_shown) {
  std::vector<Point> score;
  std::vector<Point> low;
  std::vector<Point> high;
  for (const Generation& one : all) {
    for (const Comparison& comparison : one.evaluation) {
      if (!is_shown(comparison)) continue;
      const auto x = static_cast<double>(one.number);
      score.push_back({x, 100 * comparison.score});
      low.push_back({x, 100 * comparison.interval.low});
      high.push_back({x, 100 * comparison.interval.high});
    }
  }
  if (score.empty()) return {};
  Plot plot(title, title, {"generation", 0, static_cast<double>(all.back().number), true},
            {"score %", 0, 100});
  plot.band(low, high, "band");
  plot.level(50, "even");
  plot.line(score, "first");
  for (const Point& point : score) plot.dot(point.x, point.y, "mark");
  return element("figure", element("figcaption", title) + plot.svg());
}

/// Elo against the anchor, where the score says it.
Markup strength_chart(const std::vector<Generation>& all,
                      const std::function<bool(const Comparison&)>& is_shown) {
  std::vector<Point> elo;
  Axis y{"Elo", 0, 0};
  for (const Generation& one : all) {
    for (const Comparison& comparison : one.evaluation) {
      const auto value = elo_of(comparison.score);
      if (!is_shown(comparison) || !value) continue;
      elo.push_back({static_cast<double>(one.number), *value});
      y.low = std::min(y.low, *value);
      y.high = std::max(y.high, *value);
    }
  }
  if (elo.empty()) return {};
  const std::string title = "Elo against the anchor";
  Plot plot(title, title, {"generation", 0, static_cast<double>(all.back().number), true}, y);
  plot.level(0, "even");
  plot.line(elo, "first");
  for (const Point& point : elo) plot.dot(point.x, point.y, "mark");
  return element("figure", element("figcaption", title) + plot.svg());
}

/// The options of the last generation's anchor, since a run's anchor may be changed.
std::string newest_anchor(const std::vector<Generation>& all) {
  std::string options;
  for (const Generation& one : all) {
    for (const Comparison& comparison : one.evaluation) {
      if (comparison.opponent == "anchor") options = comparison.options;
    }
  }
  return options;
}

Markup charts(const RunFolder& run, const std::vector<Generation>& all) {
  Markup out;
  const std::string anchor = newest_anchor(all);
  const auto is_anchor = [&](const Comparison& one) {
    return one.opponent == "anchor" && one.options == anchor;
  };
  out += score_chart("Score against the anchor (" + anchor + "), with its 95 % interval", all,
                     is_anchor);
  out += strength_chart(all, is_anchor);
  out += score_chart(
      format("Score against the network %d generations before", run.settings().evaluation.earlier),
      all, [](const Comparison& one) { return one.opponent != "anchor"; });
  out += chart("Policy loss", all,
               {{"learned rows", [](const Generation& g) { return g.learned.policy_loss; }},
                {"held-out rows",
                 [](const Generation& g) { return g.learned.held_out_policy_loss.value_or(0); }}},
               0, 0);
  out += chart("Value loss", all,
               {{"learned rows", [](const Generation& g) { return g.learned.value_loss; }},
                {"held-out rows",
                 [](const Generation& g) { return g.learned.held_out_value_loss.value_or(0); }}},
               0, 0);
  out += chart("Entropy, nats", all,
               {{"network", [](const Generation& g) { return g.learned.network_entropy; }},
                {"searches", [](const Generation& g) { return g.learned.policy_entropy; }}},
               0, 0);
  out += chart("Speed", all, {{"games an hour", games_an_hour}}, 0, 0);
  out += chart("Games", all,
               {{"share of different openings",
                 [](const Generation& g) { return g.played.distinct_openings; }},
                {"share of draws",
                 [](const Generation& g) {
                   return g.played.draws / static_cast<double>(std::max(g.played.games, 1));
                 }}},
               0, 1);
  return element("div", {{"class", "plots"}}, out);
}

std::string optional_text(std::optional<double> number) {
  return number ? format("%.3f", *number) : "-";
}

/// The scores; with a link to the referee's report on them if that is beside the page.
Markup evaluation_cell(int generation, const std::vector<Comparison>& evaluation, bool has_links) {
  std::string scores;
  for (const Comparison& one : evaluation) {
    scores += (scores.empty() ? "" : "; ") + one.opponent + format(" %.1f ", 100 * one.score) +
              percent_text(one.interval);
  }
  if (scores.empty() || !has_links) return cell(scores);
  const std::string report = "evaluations/" + generation_text(generation) + "/report.html";
  return cell(element("a", {{"href", report}}, text(scores)));
}

/// The duration of a step, and the share of the processors that it used.
Markup time_cell(double seconds, double processor_seconds, int processors) {
  if (seconds == 0) return cell("-");
  if (processor_seconds == 0) return cell(format("%.0f", seconds));
  return cell(
      format("%.0f (%.0f)", seconds, 100 * busy_share(processor_seconds, seconds, processors)));
}

/// The time of all generations, as far as it is known.
std::string total_time(const std::vector<Generation>& all) {
  StepTimes sum;
  for (const Generation& one : all) sum += one.times;
  return "Self-play took " + duration_text(sum.self_play) + ", learning " +
         duration_text(sum.learning) + ", evaluations " + duration_text(sum.evaluation) + ".";
}

Markup generations_table(const std::vector<Generation>& all, bool has_links) {
  std::vector<Markup> rows;
  for (const auto& [number, played, learned, evaluation, times] : all) {
    rows.push_back(
        cell(std::to_string(number)) + cell(std::to_string(played.games)) +
        cell(std::to_string(played.rows)) +
        cell(format("%.1f", static_cast<double>(played.plies) / std::max(played.games, 1))) +
        cell(format("%.0f", static_cast<double>(played.simulations) / played.thread_seconds)) +
        cell(std::to_string(learned.rows_in_window)) + cell(std::to_string(learned.steps)) +
        cell(format("%.2g", learned.learning_rate)) + cell(format("%.3f", learned.policy_loss)) +
        cell(format("%.3f", learned.value_loss)) +
        cell(optional_text(learned.held_out_policy_loss)) +
        cell(optional_text(learned.held_out_value_loss)) +
        cell(format("%.1f", 100 * learned.policy_accuracy)) +
        cell(format("%.0f", learned.samples_per_second)) +
        time_cell(times.self_play, times.self_play_busy, times.processors) +
        time_cell(times.learning, learned.processor_seconds.value_or(0), times.processors) +
        evaluation_cell(number, evaluation, has_links));
  }
  return table("",
               {{"generation"},
                {"games"},
                {"rows"},
                {"plies"},
                {"simulations/s a thread"},
                {"window"},
                {"steps"},
                {"rate"},
                {"policy loss"},
                {"value loss"},
                {"held out: policy"},
                {"value"},
                {"accuracy %"},
                {"samples/s"},
                {"self-play s (busy %)"},
                {"learning s (busy %)"},
                {"score %"}},
               rows);
}

}  // namespace

double games_an_hour(const Generation& generation) {
  const double seconds = generation.times.self_play;
  return seconds > 0 ? 3600 * generation.played.games / seconds : 0;
}

std::vector<Generation> generations_of(const RunFolder& run) {
  std::vector<Generation> all;
  for (int g = 1; g <= run.last_generation(); ++g) {
    const auto played = read_manifest(run, g);
    const auto learned = read_learned(run, g);
    if (!played || !learned) continue;
    all.push_back({g, *played, *learned,
                   read_evaluation(run, g).value_or(std::vector<Comparison>{}),
                   read_step_times(run, g)});
  }
  return all;
}

std::vector<ReportPart> training_parts(const RunFolder& run, const std::vector<Generation>& all,
                                       bool has_links) {
  std::vector<ReportPart> parts;
  if (!all.empty()) {
    parts.push_back({"Course", paragraph(total_time(all)) + charts(run, all)});
    parts.push_back({"Generations", generations_table(all, has_links)});
  }
  parts.push_back({"Settings", element("pre", settings_text(run.settings()))});
  return parts;
}

void write_training_report(const RunFolder& run) {
  const TrainingSettings& settings = run.settings();
  const std::string title = "Training of " + settings.game;
  Markup content = element("h1", title);
  content += paragraph(format("%d of %d generations, seed %lld.", run.last_generation(),
                              settings.generations, static_cast<long long>(settings.seed)));
  for (const ReportPart& part : training_parts(run, generations_of(run), true)) {
    content += element("h2", part.title) + part.content;
  }
  replace_file(run.path() / "report.html", html_page(title, content));
}

}  // namespace pitboss::clients
