#include "clients/tuning/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "clients/tuning/gaussian_process.hpp"

namespace pitboss::clients {

namespace {

/// Of a range, between the values at which the score is looked at; pairs of points for the
/// importance.
constexpr int parts = 24;
constexpr int pairs = 512;

UnitPoint changed(UnitPoint point, int parameter, double u) {
  point[parameter] = u;
  return point;
}

/// The point whose values are played in the place of this one's.
UnitPoint played(const UnitSpace& space, const UnitPoint& point) {
  return space.point_of(space.values_at(point));
}

/// The places in [0, 1] of a parameter's values, each once; of a range evenly, with the answer's.
std::vector<double> places_of(const UnitSpace& space, const UnitPoint& answer, int parameter) {
  std::vector<double> out;
  const TunedParameter& tuned = space.space()[parameter];
  if (!tuned.has_range()) {
    const auto n = static_cast<double>(tuned.values.size());
    for (double i = 0; i < n; ++i) out.push_back((i + 0.5) / n);
    return out;
  }
  for (int i = 0; i <= parts; ++i) {
    const double u = static_cast<double>(i) / parts;
    out.push_back(played(space, changed(answer, parameter, u))[parameter]);
  }
  out.push_back(answer[parameter]);
  std::ranges::sort(out);
  const auto repeated = std::ranges::unique(out);
  out.erase(repeated.begin(), repeated.end());
  return out;
}

double variance_of(const std::vector<double>& numbers) {
  double sum = 0;
  double squares = 0;
  for (const double number : numbers) {
    sum += number;
    squares += number * number;
  }
  const auto n = static_cast<double>(numbers.size());
  return (squares - sum * sum / n) / (n - 1);
}

}  // namespace

std::vector<Sensitivity> sensitivities(const UnitSpace& space,
                                       std::span<const Observation> observations,
                                       const Values& answer) {
  const int n = space.size();
  const UnitPoint top = space.point_of(answer);
  std::vector<UnitPoint> points{top};
  std::vector<std::vector<double>> places;
  for (int i = 0; i < n; ++i) {
    places.push_back(places_of(space, top, i));
    for (const double u : places.back()) points.push_back(changed(top, i, u));
  }
  // Jansen's estimator (1999): pairs of points that differ in one parameter.
  const auto first_pair = static_cast<int>(points.size());
  games::Random random(1);
  const UnitPoint shift(static_cast<std::size_t>(n), 0.0);
  for (int pair = 0; pair < pairs; ++pair) {
    const UnitPoint one = played(space, space.even(pair, shift));
    const UnitPoint other = played(space, space.random(random));
    points.push_back(one);
    for (int i = 0; i < n; ++i) points.push_back(changed(one, i, other[i]));
  }
  const Likeness from{.lengths = std::vector<double>(static_cast<std::size_t>(n), 0.4),
                      .are_words = space.are_words()};
  const Beliefs beliefs(fitted(from, observations), observations, std::move(points));

  std::vector<double> scores;
  std::vector<double> squares(static_cast<std::size_t>(n), 0.0);
  for (int pair = 0; pair < pairs; ++pair) {
    const int at = first_pair + pair * (n + 1);
    scores.push_back(beliefs.mean(at));
    for (int i = 0; i < n; ++i) {
      squares[i] += std::pow(beliefs.mean(at + 1 + i) - beliefs.mean(at), 2);
    }
  }
  const double variance = variance_of(scores);

  std::vector<Sensitivity> out;
  int at = 0;
  for (int i = 0; i < n; ++i) {
    Sensitivity& of = out.emplace_back();
    if (variance > 0) of.importance = std::min(1.0, squares[i] / (2 * pairs) / variance);
    for (const double u : places[i]) {
      ++at;
      const double spread =
          beliefs.variance(at) + beliefs.variance(0) - 2 * beliefs.covariance(at, 0);
      of.changes.push_back({space.values_at(changed(top, i, u))[i],
                            beliefs.mean(at) - beliefs.mean(0), std::sqrt(std::max(spread, 0.0))});
    }
  }
  return out;
}

}  // namespace pitboss::clients
