#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/statistics/tally.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/document.hpp"

/// The results by the machines that the engines have searched on.
namespace pitboss::clients {

/// The level of the tests that tell a machine from the others, all tests of an experiment together.
inline constexpr double level_of_machines = 0.05;

/// What a machine has played of a match: all rounds on record, those beyond a decision, too.
struct MachineScore {
  int match = 0;  ///< number in the experiment
  int rounds = 0;
  Tally tally;       ///< the first player's
  int failures = 0;  ///< games lost by failures rather than by play
  /// That rounds of machines that are alike differ as much as this one's from all others' of the
  /// match, by `homogeneity` of the rounds' points; nothing with too few rounds.
  std::optional<double> p;
  std::optional<double> p_holm;  ///< adjusted for all tests of the experiment (`holm_adjusted`)
  [[nodiscard]] bool differs() const { return p_holm && *p_holm <= level_of_machines; }
};

/// A machine, or several if the engines of one referee search on several.
struct Machine {
  std::string host;
  std::string processor;
  int rounds = 0;
  int games = 0;
  int failures = 0;
  double games_a_minute = 0;         ///< `speed_of`
  std::vector<MachineScore> scores;  ///< by match
  [[nodiscard]] bool differs() const;
};

/// In the order in which their referees joined. Rounds of which the ledger does not tell who played
/// them are those of a machine that is called "not recorded".
[[nodiscard]] std::vector<Machine> machines_of(const LedgerContents& contents);

/// The tables `machines`, a row a machine, and `machine_scores`, a row a match and machine, and
/// whether machines differ.
[[nodiscard]] Section machines_section(const LedgerContents& contents);
/// machines.json: an object with both tables.
[[nodiscard]] std::string machines_json(const LedgerContents& contents);

}  // namespace pitboss::clients
