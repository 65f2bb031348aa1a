#pragma once

/// Confidence intervals of a score. A win counts 1, a draw its share of the point: 1/2 in a game
/// for two.
namespace pitboss::clients {

struct Interval {
  double low;
  double high;
};

/// engine::normal_95, not rounded: for all intervals but `score_interval`.
inline constexpr double exact_normal_95 = 1.959963984540054;

/// The 95 % interval of a score as in the NoveltyMCTS authors' experiments: Wilson's with
/// continuity correction (Newcombe 1998), and the rule of three where every point or none was won.
/// With draws it is wider than necessary. [0, 1] without games.
[[nodiscard]] Interval score_interval(double points, int games);

/// The 95 % interval of a score: Wilson's (1927). [0, 1] without games.
[[nodiscard]] Interval wilson_interval(double points, int games);

}  // namespace pitboss::clients
