#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/settings.hpp"

/// What is tuned: options of a player, each with a list of values or a range. Nothing here blocks.
namespace pitboss::clients {

/// One value for each parameter of a search space, in its order, as options take them.
using Values = std::vector<std::string>;

/// Numbers between two bounds. A tuner moves in coordinates: the number itself, or its logarithm.
struct Range {
  double low = 0;
  double high = 1;
  bool is_logarithmic = false;
  bool is_whole = false;     ///< only whole numbers may be played
  bool low_is_zero = false;  ///< logarithmic, and the lower bound stands for 0
  /// By how much one step changes the number: a summand, or if logarithmic a factor above 1. 0: a
  /// sixth of the range.
  double step = 0;

  /// Whether it is a number between the bounds, or 0 where the lower one stands for it.
  [[nodiscard]] bool holds(const std::string& value) const;
  [[nodiscard]] double coordinate_of(double number) const;
  [[nodiscard]] std::pair<double, double> bounds() const;  ///< in coordinates
  /// A step in coordinates, for whole numbers so large that it changes any by 1/2 at least.
  [[nodiscard]] double step_in_coordinates() const;
  /// The option at a coordinate, with six digits, within the bounds. `u` in [0, 1) rounds whole
  /// numbers: floor(x + u), whose mean is x if u is uniform; 0.5 rounds to the nearest.
  [[nodiscard]] std::string text_at(double coordinate, double u = 0.5) const;
};

struct TunedParameter {
  std::string name;
  std::vector<std::string> values;  ///< a grid, or choices in any order; empty: the range
  Range range;

  [[nodiscard]] bool has_range() const { return values.empty(); }
};

using SearchSpace = std::vector<TunedParameter>;

/// What it may be: "0.1, 0.3, 1", "0.01 to 2, steps of a factor of 2.42", "0 to 8, steps of 1".
[[nodiscard]] std::string text_of(const TunedParameter& parameter);
/// "k=0.3 alpha=0.01", to be copied.
[[nodiscard]] std::string text_of(const SearchSpace& space, const Values& values);

/// Reads a table of parameters:
///     k = [0.1, 0.2, 0.3]
///     novelty = ["none", "pseudocount"]
///     beta = { min = 0.001, max = 10, scale = "log" }
///     alpha = { min = 1e-5, max = 10, scale = "log", zero = true }
///     feature_moves = { min = 0, max = 8, whole = true, step = 1 }
///     othello = { k = [0.03, 0.06, 0.1] }
/// A table for a game has the parameters that differ there; only that of the match's game is read.
/// Options of an engine of ours are checked against the option table, which also knows which ones
/// are whole. Throws UserError, which names file, line and key.
[[nodiscard]] SearchSpace read_search_space(const Setting& parameters, const Match& match,
                                            bool is_ours);
/// A candidate of a table of some parameters: { k = 0.3, alpha = 0 }. Those that it does not name
/// have the values of `base`; names of `all` that are not in the space are passed over. Throws
/// UserError for other names, and for values that a range or the option does not hold.
[[nodiscard]] Values read_candidate(const Setting& table, const SearchSpace& space,
                                    const SearchSpace& all, Values base, bool is_ours);
/// Where the values of a parameter stand for this match's game; the table itself if nowhere.
[[nodiscard]] const Setting& parameter_setting(const Setting& parameters, const Match& match,
                                               std::string_view name);

}  // namespace pitboss::clients
