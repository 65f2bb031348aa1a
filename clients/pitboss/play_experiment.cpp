#include "clients/pitboss/play_experiment.hpp"

#include <algorithm>
#include <iostream>
#include <string>
#include <utility>

#include "clients/results/conclusions.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/progress_display.hpp"
#include "clients/results/record_files.hpp"

namespace pitboss::clients {

namespace {

/// Writes what an experiment's folder has of its ledger, and says so; returns what has failed.
std::string keep_records(const Conduct& conduct, const LedgerContents& contents) {
  std::string written = conduct.database ? address_file : "ledger.sqlite";
  std::string failure;
  try {
    if (conduct.database) {
      replace_file(conduct.folder / address_file, conduct.database->address() + "\n");
    }
    write_records(conduct.folder, contents,
                  [&](const std::string& name) { written += ", " + name; });
  } catch (const UserError& e) {
    failure = e.what();
  }
  std::cout << "records    " << conduct.folder.string() << ": " << written << "\n";
  return failure;
}

/// Failure if a match is over in which a player only broke down, which says nothing of its play.
int exit_of(const Results& results) {
  const auto is_broken = [](const MatchResults& match) {
    return match.standings().breakdowns().are_all();
  };
  if (std::ranges::none_of(results.matches(), is_broken)) return exit_complete;
  for (const std::string& why : no_results_of(results)) std::cerr << "failed: " << why << "\n";
  return exit_stopped;
}

}  // namespace

std::optional<RunEnd> run_with_display(const Experiment& experiment, Conduct conduct) {
  return run_with_display(experiment, experiment, std::move(conduct));
}

std::optional<RunEnd> run_with_display(const Experiment& part, const Experiment& experiment,
                                       Conduct conduct) {
  conduct.handles_signals = true;
  ProgressDisplay progress;
  conduct.on_progress = [&](const Results& results) { progress.update(results); };
  conduct.on_note = [&](const std::string& text) { progress.note(text); };
  try {
    std::optional<RunEnd> end = run_part(part, experiment, conduct);
    progress.finish();
    return end;
  } catch (const LedgerAway& away) {
    progress.finish();
    std::cerr << "stopped: " << away.what() << "; the same command continues the experiment\n";
    return std::nullopt;
  }
}

RunConclusion conclude_run(const Conduct& conduct, const RunEnd& end) {
  std::cout << summary_table(end.contents.results);
  std::string why = end.why;
  std::string unwritten;
  if (conduct.wants_games) unwritten = keep_records(conduct, end.contents);
  if (!unwritten.empty()) why += (why.empty() ? "" : "; ") + unwritten;
  std::cout << std::flush;
  if (!why.empty()) {
    std::cerr << "stopped: " << why << "; the same command continues the experiment\n";
    return {exit_stopped, unwritten};
  }
  if (end.kind == RunEnd::Kind::complete) return {exit_of(end.contents.results), {}};
  std::cerr << "interrupted; the same command continues the experiment\n";
  return {exit_interrupted, {}};
}

}  // namespace pitboss::clients
