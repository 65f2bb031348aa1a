#include "clients/follow/followed_training.hpp"

#include <algorithm>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/follow/ages.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/report_sections.hpp"
#include "clients/training/training_report.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

Rows generation_rows(const std::vector<Generation>& all) {
  Rows rows = Rows::array();
  for (const auto& [generation, played, learned, evaluation, times] : all) {
    Rows row{{"generation", generation},
             {"games", played.games},
             {"rows", played.rows},
             {"draws", played.draws},
             {"distinct_openings", played.distinct_openings},
             {"steps", learned.steps},
             {"learning_rate", learned.learning_rate},
             {"policy_loss", learned.policy_loss},
             {"value_loss", learned.value_loss},
             {"held_out_policy_loss", number(learned.held_out_policy_loss)},
             {"held_out_value_loss", number(learned.held_out_value_loss)},
             {"policy_entropy", learned.policy_entropy},
             {"network_entropy", learned.network_entropy},
             {"policy_accuracy", learned.policy_accuracy},
             {"self_play_seconds", times.self_play},
             {"learning_seconds", times.learning}};
    for (const Comparison& one : evaluation) {
      if (one.opponent != "anchor") continue;
      row["anchor_score"] = one.score;
      row["anchor_elo"] = number(elo_of(one.score));
    }
    rows.push_back(std::move(row));
  }
  for (std::size_t i = 0; i < all.size(); ++i) rows[i]["games_an_hour"] = games_an_hour(all[i]);
  return rows;
}

Rows evaluation_rows(const std::vector<Generation>& all) {
  Rows rows = Rows::array();
  for (const Generation& generation : all) {
    for (const Comparison& one : generation.evaluation) {
      rows.push_back({{"generation", generation.number},
                      {"opponent", one.opponent},
                      {"options", one.options},
                      {"games", one.games},
                      {"wins", one.wins},
                      {"draws", one.draws},
                      {"score", one.score},
                      {"low", one.interval.low},
                      {"high", one.interval.high},
                      {"elo", number(elo_of(one.score))}});
    }
  }
  return rows;
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

}  // namespace

Picture FollowedTraining::look() {
  const RunFolder run = RunFolder::open(folder_);
  const TrainingSettings& settings = run.settings();
  const std::vector<Generation> all = generations_of(run);
  const int done = run.last_generation();
  const std::int64_t last = last_sign(run);
  const bool is_driven = has_driver(folder_);  // until the last generation is evaluated, too
  const std::string state = is_driven                      ? "running"
                            : done >= settings.generations ? "finished"
                            : is_recent(last)              ? "running"
                                                           : "stopped";
  Picture out;
  out.is_running = state == "running";
  std::string words;
  if (!all.empty()) {
    words =
        format("losses %.3f policy, %.3f value; %.0f games an hour", all.back().learned.policy_loss,
               all.back().learned.value_loss, games_an_hour(all.back()));
  }
  out.row = {{"name", name_},
             {"kind", "training"},
             {"title", "Training of " + settings.game},
             {"game", settings.game},
             {"state", state},
             {"done", done},
             {"of", settings.generations},
             {"unit", "generations"},
             {"last", last},
             {"words", words}};
  out.facts = {{"settings", settings_text(settings)}};
  out.tables["generations"] = generation_rows(all);
  out.tables["evaluations"] = evaluation_rows(all);
  out.parts = {{"Progress", element("p", text("This training is ") + element("b", state) +
                                             text(format(": %d of %d generations. Last sign of "
                                                         "life: ",
                                                         done, settings.generations)) +
                                             time_markup(last))}};
  for (ReportPart& part : training_parts(run, all, false)) out.parts.push_back(std::move(part));
  return out;
}

void FollowedTraining::set_paused(bool /*is_paused*/) {
  throw UserError("a training cannot be told to wait");
}

}  // namespace pitboss::clients
