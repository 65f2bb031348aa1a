#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clients/referee/results.hpp"
#include "clients/results/document/document.hpp"

namespace pitboss::clients {

struct SweptOption {
  std::string name;
  std::vector<std::string> values;  ///< numbers in rising order, words as they appear
};

/// What a player scores against an opponent with other values of one or two of its options.
struct Sweep {
  std::string game;  ///< with its parameters
  std::string opponent;
  std::vector<SweptOption> options;
  /// By number in the experiment, of all combinations: the last option changes fastest.
  std::vector<int> matches;
};

/// The sweeps in an experiment: at least three matches against one opponent, whose first players
/// differ in one or two options alone, have all combinations of their values, and are no second
/// players.
[[nodiscard]] std::vector<Sweep> sweeps_in(const Results& results);

/// The highest score and what is not told apart from it; a line with its band over one option, a
/// heat map of two; scores with intervals, for programs the table `sweep`.
[[nodiscard]] Section sweep_section(const Results& results, const Sweep& sweep);

}  // namespace pitboss::clients
