#pragma once

#include <optional>
#include <string>

#include "clients/pitboss/interruption.hpp"
#include "clients/referee/run_experiment.hpp"

namespace pitboss::clients {

inline constexpr int exit_complete = 0;

/// The file in an experiment's folder that names the database of its ledger.
inline constexpr const char* address_file = "ledger.url";

/// Plays an experiment and shows its progress on standard error; Ctrl-C ends it. Blocks. Nothing,
/// said there, if its ledger cannot be read any more. Throws UserError before the first game.
[[nodiscard]] std::optional<RunEnd> run_with_display(const Experiment& experiment, Conduct conduct);
/// The same of a part of it; see run_part.
[[nodiscard]] std::optional<RunEnd> run_with_display(const Experiment& part,
                                                     const Experiment& experiment, Conduct conduct);

/// What has become of a run that has ended.
struct RunConclusion {
  /// Complete, stopped (also if a player only broke down, or if records cannot be written),
  /// interrupted.
  int exit_code;
  std::string unwritten;  ///< why records cannot be written; empty if they are
};

/// Prints the results of a run that has ended, writes its records into the folder, if the games are
/// wanted, and says why it has ended.
[[nodiscard]] RunConclusion conclude_run(const Conduct& conduct, const RunEnd& end);

}  // namespace pitboss::clients
