#include "clients/training/training_document.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/referee/ledger/ledger_shelf.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/evaluation.hpp"
#include "clients/training/learner.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/step_times.hpp"
#include "clients/training/training_progress.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

using enum Text::Kind;

/// What the files of a run tell of a generation.
struct Generation {
  int number;
  GenerationFigures played;
  LearnedFigures learned;
  std::vector<Comparison> evaluation;  ///< empty: it was not evaluated, or not yet
  StepTimes times;
};

/// All generations that have been learned. Throws UserError for damaged files.
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

/// Of self-play; 0: not known.
double games_an_hour(const Generation& generation) {
  const double seconds = generation.times.self_play;
  return seconds > 0 ? 3600 * generation.played.games / seconds : 0;
}

/// The duration of a step, and the share of the processors that it used.
Cell time_cell(double seconds, double processor_seconds, int processors) {
  std::string words = "-";
  if (seconds != 0) words = format("%.0f", seconds);
  if (seconds != 0 && processor_seconds != 0) {
    words += format(" (%.0f)", 100 * busy_share(processor_seconds, seconds, processors));
  }
  return Cell(seconds).with_words(words);
}

std::string scores_text(const Generation& generation) {
  std::string out;
  for (const Comparison& one : generation.evaluation) {
    out += (out.empty() ? "" : "; ") + one.opponent + format(" %.1f ", 100 * one.score) +
           percent_text(one.interval);
  }
  return out;
}

Cell anchor_cell(const Generation& generation, bool is_elo) {
  for (const Comparison& one : generation.evaluation) {
    if (one.opponent != "anchor") continue;
    return is_elo ? Cell(elo_of(one.score)) : Cell(one.score);
  }
  return {};
}

DataTable generations_table(const std::vector<Generation>& all, bool has_links) {
  using G = Generation;
  constexpr Form number = Form::number;
  const std::vector<Quantity<G>> quantities = {
      {{"generation", "generation"}, [](auto& g) { return g.number; }},
      {{"games", "games"}, [](auto& g) { return g.played.games; }},
      {{"rows", "rows"}, [](auto& g) { return g.played.rows; }},
      {{"draws"}, [](auto& g) { return g.played.draws; }},
      {{"draw_share"},
       [](auto& g) { return g.played.draws / static_cast<double>(std::max(g.played.games, 1)); }},
      {{"distinct_openings"}, [](auto& g) { return g.played.distinct_openings; }},
      {{"", "plies", number, 1},
       [](auto& g) { return static_cast<double>(g.played.plies) / std::max(g.played.games, 1); }},
      {{"", "simulations/s a thread", number},
       [](auto& g) { return static_cast<double>(g.played.simulations) / g.played.thread_seconds; }},
      {{"", "window"}, [](auto& g) { return g.learned.rows_in_window; }},
      {{"steps", "steps"}, [](auto& g) { return g.learned.steps; }},
      {{"learning_rate", "rate"},
       [](auto& g) {
         return Cell(g.learned.learning_rate).with_words(format("%.2g", g.learned.learning_rate));
       }},
      {{"policy_loss", "policy loss", number, 3}, [](auto& g) { return g.learned.policy_loss; }},
      {{"value_loss", "value loss", number, 3}, [](auto& g) { return g.learned.value_loss; }},
      {{"held_out_policy_loss", "held out: policy", number, 3},
       [](auto& g) { return g.learned.held_out_policy_loss; }},
      {{"held_out_value_loss", "value", number, 3},
       [](auto& g) { return g.learned.held_out_value_loss; }},
      {{"policy_entropy"}, [](auto& g) { return g.learned.policy_entropy; }},
      {{"network_entropy"}, [](auto& g) { return g.learned.network_entropy; }},
      {{"policy_accuracy", "accuracy %", Form::percent, 1},
       [](auto& g) { return g.learned.policy_accuracy; }},
      {{"", "samples/s", number}, [](auto& g) { return g.learned.samples_per_second; }},
      {{"self_play_seconds", "self-play s (busy %)"},
       [](auto& g) {
         return time_cell(g.times.self_play, g.times.self_play_busy, g.times.processors);
       }},
      {{"learning_seconds", "learning s (busy %)"},
       [](auto& g) {
         return time_cell(g.times.learning, g.learned.processor_seconds.value_or(0),
                          g.times.processors);
       }},
      {{"games_an_hour"}, [](auto& g) { return games_an_hour(g); }},
      {{"anchor_score"}, [](auto& g) { return anchor_cell(g, false); }},
      {{"anchor_elo"}, [](auto& g) { return anchor_cell(g, true); }},
      {{"", "score %"}, [&](auto& g) {
         const bool leads = has_links && !g.evaluation.empty();
         return Cell(scores_text(g))
             .leading_to(leads ? "evaluations/" + generation_text(g.number) + "/report.html" : "");
       }}};
  return table_of("generations", quantities, all);
}

/// The comparisons that are shown.
DataTable evaluations_table(const std::vector<Generation>& all,
                            const std::function<bool(const Comparison&)>& is_shown) {
  DataTable out{.name = "evaluations",
                .columns = {{"generation"},
                            {"opponent"},
                            {"options"},
                            {"games"},
                            {"wins"},
                            {"draws"},
                            {"score", "", Form::percent, 1, {"low", "high"}},
                            {"elo", "", Form::elo}}};
  for (const Generation& generation : all) {
    for (const Comparison& one : generation.evaluation) {
      if (!is_shown(one)) continue;
      out.rows.push_back(
          {generation.number, one.opponent, one.options, one.games, one.wins, one.draws,
           share_cell(one.score, one.interval, one.games),
           EloEstimate{elo_of(one.score), elo_of(one.interval.low), elo_of(one.interval.high)}});
    }
  }
  return hidden(std::move(out));
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

std::vector<Block> figures(const RunFolder& run, const std::vector<Generation>& all,
                           const DataTable& generations) {
  std::vector<Block> out;
  const auto add = [&](const std::string& title, const DataTable& table,
                       const std::vector<Curve>& curves, const Axis& y) {
    Chart chart = chart_of(title, "", table, "generation", curves, y);
    if (!chart.marks.empty()) out.emplace_back(Figure{std::move(chart), {}, {}});
  };
  const auto add_scores = [&](const std::string& title, const DataTable& table, const char* key,
                              const Axis& y, double even) {
    const Curve curve{.key = key, .has_dots = true};
    Chart chart = chart_of(title, "", table, "generation", {curve}, y);
    if (chart.marks.empty()) return;
    chart.x.high = all.back().number;
    chart.level(even, "even");
    out.emplace_back(Figure{std::move(chart), {}, {}});
  };
  const std::string anchor = newest_anchor(all);
  const DataTable anchored = evaluations_table(all, [&](const Comparison& one) {
    return one.opponent == "anchor" && one.options == anchor;
  });
  const Axis percent{"score %", 0, 100};
  add_scores("Score against the anchor (" + anchor + "), with its 95 % interval", anchored, "score",
             percent, 50);
  add_scores("Elo against the anchor, with its 95 % interval", anchored, "elo", {"Elo", 0, 0}, 0);
  add_scores(
      format("Score against the network %d generations before", run.settings().evaluation.earlier),
      evaluations_table(all, [](const Comparison& one) { return one.opponent != "anchor"; }),
      "score", percent, 50);
  const Axis from_zero{"", 0, 0};
  for (const char* kind : {"policy", "value"}) {
    std::string title = std::string(kind) + " loss";
    title[0] = static_cast<char>(title[0] - 'a' + 'A');
    const std::string key = std::string(kind) + "_loss";
    add(title, generations,
        {{key, "first", "learned rows"}, {"held_out_" + key, "second", "held-out rows"}},
        from_zero);
  }
  add("Entropy, nats", generations,
      {{"network_entropy", "first", "network"}, {"policy_entropy", "second", "searches"}},
      from_zero);
  add("Speed of self-play alone: games an hour", generations, {{"games_an_hour"}}, from_zero);
  add("Shares of the games", generations,
      {{"distinct_openings", "first", "different openings"}, {"draw_share", "second", "draws"}},
      {"", 0, 1});
  return out;
}

/// The time of all generations, as far as it is known.
std::string total_time(const std::vector<Generation>& all) {
  StepTimes sum;
  for (const Generation& one : all) sum += one.times;
  return "Self-play took " + duration_text(sum.self_play) + ", learning " +
         duration_text(sum.learning) + ", evaluations " + duration_text(sum.evaluation) + ".";
}

/// The report of a run, which may link to those of its evaluations. Its fact is `settings`.
Document document_of(const RunFolder& run, const std::vector<Generation>& all, bool has_links) {
  const TrainingSettings& settings = run.settings();
  const std::string text = settings_text(settings);
  Document out{"Training of " + settings.game,
               {{"",
                 {Text{format("%d of %d generations, seed %lld.", run.last_generation(),
                              settings.generations, static_cast<long long>(settings.seed))}}}}};
  out.facts = {{"settings", text}};
  DataTable generations = generations_table(all, has_links);
  Section course{"Course"};
  if (!all.empty()) {
    course.blocks = figures(run, all, generations);
    course.blocks.insert(course.blocks.begin(), Text{total_time(all)});
    out.sections.push_back(std::move(course));
  }
  Section table{all.empty() ? "" : "Generations", {std::move(generations)}};
  table.blocks.emplace_back(evaluations_table(all, [](const Comparison&) { return true; }));
  out.sections.push_back(std::move(table));
  out.sections.push_back({"Settings", {Text{text, code}}});
  return out;
}

/// When something in the run's folders was written last.
std::int64_t last_sign(const RunFolder& run) {
  std::int64_t last = 0;
  const int next = run.last_generation() + 1;
  for (const fs::path& path : {run.networks(), run.rows(next), run.evaluation(next - 1),
                               run.path() / "learner", run.path() / "generations"}) {
    last = std::max(last, last_change(path));
  }
  return last;
}

/// From the times of the generations so far; nothing if nothing is left, or no time is known.
std::optional<double> seconds_left(const RunFolder& run, const std::vector<Generation>& all) {
  if (all.empty()) return std::nullopt;
  StepTimes sum;
  for (const Generation& one : all) sum += one.times;
  const double seconds = sum.self_play + sum.learning + sum.evaluation;
  const double left = seconds * work_left(run, all.front().number, all.back().number);
  return left > 0 ? std::optional(left) : std::nullopt;
}

/// A training run, by the files of its generations.
class FollowedTraining final : public Followed {
 public:
  FollowedTraining(std::string name, fs::path folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  [[nodiscard]] Shot look() override {
    const RunFolder run = RunFolder::open(folder_);
    const TrainingSettings& settings = run.settings();
    const std::vector<Generation> all = generations_of(run);
    const int done = run.last_generation();
    const std::int64_t last = last_sign(run);
    const bool is_driven = has_driver(folder_);  // until the last generation is evaluated, too
    Shot out{{.name = name_,
              .kind = training_kind().name,
              .state = is_driven                      ? "running"
                       : done >= settings.generations ? "finished"
                       : is_recent(last)              ? "running"
                                                      : "stopped",
              .title = "Training of " + settings.game,
              .game = settings.game,
              .done = done,
              .of = settings.generations,
              .unit = "generations",
              .last = last},
             document_of(run, all, false)};
    if (!all.empty()) {
      out.outline.words = format("losses %.3f policy, %.3f value; %.0f games an hour of self-play",
                                 all.back().learned.policy_loss, all.back().learned.value_loss,
                                 games_an_hour(all.back()));
    }
    if (out.is_running()) out.outline.seconds_left = seconds_left(run, all);
    out.add_progress(progress_table(out.outline, format("%d of %d", done, settings.generations)));
    return out;
  }

 private:
  std::string name_;
  fs::path folder_;
};

/// What is in the folder last by name, as that of the last generation; the folder itself if there
/// is nothing.
fs::path last_in(const fs::path& folder) {
  std::error_code error;
  fs::path last = folder;
  fs::directory_iterator one(folder, error);
  for (; !error && one != fs::directory_iterator(); one.increment(error)) {
    last = std::max(last, one->path());
  }
  return last;
}

std::optional<std::string> version_in(const fs::path& folder) {
  std::error_code error;
  if (!RunFolder::is_run(folder) || !fs::exists(folder / "run.json", error)) return std::nullopt;
  std::string out = has_driver(folder) ? "driven " : "";
  for (const char* part : {"settings.toml", "networks", "generations", "learner", "times"}) {
    out += version_of_file(folder / part);
  }
  return out + version_of_file(last_in(folder / "evaluations"));
}

}  // namespace

void write_training_report(const RunFolder& run) {
  replace_file(run.path() / "report.html", html_page(document_of(run, generations_of(run), true)));
}

RunKind training_kind() {
  return {"training", version_in, [](const std::string& name, const LedgerPlace& place) {
            return std::make_shared<FollowedTraining>(name, std::get<fs::path>(place));
          }};
}

}  // namespace pitboss::clients
