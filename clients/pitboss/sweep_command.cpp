#include <boost/program_options.hpp>
#include <iostream>

#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/play_experiment.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/setting_flags.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/dry_run.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/record_files.hpp"
#include "clients/tuning/sweep_plan.hpp"
#include "clients/tuning/tuner_path.hpp"
#include "environment/machine.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr std::string_view sweep_usage =
    "Plays fresh games of a player with each of several values of one or two of its options, all\n"
    "from the same openings, and draws a line or a map. The same command with the same --out\n"
    "continues what was interrupted. See docs/tuning.md.\n\n"
    "  pitboss sweep --experiment FILE.toml --over k --over beta --points 7 --out DIR\n\n";

struct SweepFlags {
  std::string experiment;
  TuningChoice choice;
  SweepSettings settings;
  std::string tuning;
  std::string out;
  AccessFlags access;
  bool is_dry_run = false;
};

po::options_description describe(SweepFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("experiment", po::value(&a.experiment)->value_name("FILE"),
      "the game, the players, and in [tune.parameters] what may be swept, as for pitboss tune");
  add("game", po::value(&a.choice.game)->value_name("GAME"),
      "the game, of a file with more than one");
  add("player", po::value(&a.choice.player)->value_name("NAME"),
      "the player, instead of the one that the file names");
  add("over", po::value(&a.settings.over)->composing()->value_name("NAME[=VALUES]"),
      "a parameter of the file, with all its values, or those listed: k=0.1,0.3,1; one or two");
  add("at", po::value(&a.settings.at)->composing()->value_name("NAME=VALUE"),
      "the value of another parameter, instead of that before tuning; repeatable");
  add("points", po::value(&a.settings.points)->default_value(a.settings.points)->value_name("N"),
      "how many values of a range");
  add("games", po::value(&a.settings.games)->value_name("N"),
      "of each combination against each opponent, instead of those that the file says");
  add("tuning", po::value(&a.tuning)->value_name("DIR"),
      "the folder of a tuning, whose path is drawn");
  add("out", po::value(&a.out)->value_name("DIR"), "folder for the records");
  a.access.add_to(all);
  add_flags(all, run_rows, ExperimentFile());
  add("dry-run", po::bool_switch(&a.is_dry_run),
      "only say what would be played and how long it may take");
  add("help", "this text");
  return all;
}

/// The sweeps of a run that has ended, with the path of a tuning if one is named.
Document document_of(const Results& results, const std::string& tuning) {
  Document out{title_of(results)};
  for (const Sweep& sweep : sweeps_in(results)) {
    out.sections.push_back(sweep_section(results, sweep));
    if (tuning.empty()) continue;
    out.sections.back().blocks.emplace_back(tuner_path(results, sweep, tuning));
  }
  return out;
}

}  // namespace

int sweep_command(const std::vector<std::string>& arguments) {
  SweepFlags values;
  const auto given = read_flags("sweep", sweep_usage, describe(values), arguments);
  if (!given) return exit_complete;
  require(!values.experiment.empty(), "--experiment is missing");
  require((*given)["games"].empty() || values.settings.games > 0, "--games must be above 0");
  const PlannedTuning plan = read_tuning(values.experiment, values.choice);
  ExperimentFile file = plan.file.file;
  file.experiment = sweep_experiment(plan, values.settings);
  read_given(*given, run_rows, file);
  use_access(file.experiment, values.access.read());
  if (!values.out.empty()) file.folder = values.out;
  if (!values.tuning.empty()) check_path(plan, values.settings, values.tuning);
  if (values.is_dry_run) {
    const std::string load = load_text(environment::load(), environment::processors());
    std::cout << plan_text(file, measure_costs(file.experiment, make_engine)) << load;
    return exit_complete;
  }
  require(!file.folder.empty(), "--out must name a folder");
  const Conduct conduct = conduct_of(file);
  const std::optional<RunEnd> end = run_with_display(file.experiment, conduct);
  if (!end) return exit_stopped;
  const Document document = document_of(end->contents.results, values.tuning);
  const int code = conclude_run(conduct, *end).exit_code;
  std::cout << terminal_text(document);
  replace_file(conduct.folder / "sweep.json", text_of(json_of(document)) + "\n");
  replace_file(conduct.folder / "sweep.html", html_page(document));
  return code;
}

}  // namespace pitboss::clients
