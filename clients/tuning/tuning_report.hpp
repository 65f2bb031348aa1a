#pragma once

#include <string>

#include "clients/referee/results.hpp"
#include "clients/tuning/tuning_run.hpp"

namespace pitboss::clients {

/// The report of a complete tuning as one self-contained HTML page: the answer and its fresh match
/// (null: there was none), what the user should note, and what each stage has learned: parameters
/// over time with their bounds, samples and scores by value, heat maps of pairs of parameters, the
/// candidates. `options` is the answer as a line to copy, `match_folder` the name of the match's
/// folder beside the page.
[[nodiscard]] std::string tuning_html(const PlannedTuning& plan, const TuningEnd& end,
                                      const std::string& options, const Results* match,
                                      const std::string& match_folder);

}  // namespace pitboss::clients
