#pragma once

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/pitboss/engine_builds.hpp"

namespace pitboss::clients {

/// What is known of two builds before they play: of the new commit's and the base's.
struct SearchChecks {
  /// The programs are compiled, and their files hold the same bytes.
  bool is_same_program = false;
  /// Openings from which both were asked for moves, twice; nothing where time may end their moves.
  std::optional<int> openings;
  int alike = 0;  ///< of them, those in which both chose the same moves
  /// Where an engine that was asked again chose another move; empty if nowhere.
  std::array<std::string, 2> other_move;
  std::string bench;                      ///< the command; empty: there is none
  std::array<std::string, 2> bench_says;  ///< its output, the first time
  std::array<bool, 2> is_bench_alike{};   ///< whether it said the same again
};

/// Looks at two builds, which the match's players run by the command `program`. Blocks for up to
/// some ten seconds a build, or for as long as the benches and a few moves take, but ends
/// soon after `stop` is true. Throws EngineUnfit if an engine fails.
[[nodiscard]] SearchChecks check_searches(const Match& match,
                                          const std::array<EngineBuild, 2>& builds,
                                          const std::string& program, const std::string& bench,
                                          const std::atomic<bool>& stop);

/// What the user should know of it, as sentences without a full stop; empty if there is nothing.
[[nodiscard]] std::vector<std::string> remarks_on(const SearchChecks& checks, const Match& match);

}  // namespace pitboss::clients
