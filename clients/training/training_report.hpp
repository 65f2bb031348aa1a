#pragma once

#include <vector>

#include "clients/report/report.hpp"
#include "clients/training/evaluation.hpp"
#include "clients/training/learner.hpp"
#include "clients/training/manifest.hpp"
#include "clients/training/run_folder.hpp"
#include "clients/training/step_times.hpp"

namespace pitboss::clients {

/// What the files of a run tell of a generation.
struct Generation {
  int number;
  GenerationFigures played;
  LearnedFigures learned;
  std::vector<Comparison> evaluation;  ///< empty: it was not evaluated, or not yet
  StepTimes times;
};

/// All generations that have been learned. Throws UserError for damaged files.
[[nodiscard]] std::vector<Generation> generations_of(const RunFolder& run);

/// Of self-play; 0: not known.
[[nodiscard]] double games_an_hour(const Generation& generation);

/// The report of a run: its course in charts, a table of its generations, which may link to the
/// reports of their evaluations, its settings.
[[nodiscard]] std::vector<ReportPart> training_parts(const RunFolder& run,
                                                     const std::vector<Generation>& all,
                                                     bool has_links);

/// Writes report.html into the folder of the run: what every generation played, learned, and scored
/// against the anchor and earlier networks. Throws UserError.
void write_training_report(const RunFolder& run);

}  // namespace pitboss::clients
