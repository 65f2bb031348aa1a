#include "clients/tuning/unit_space.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "clients/experiments/number_in.hpp"

namespace pitboss::clients {

namespace {

bool is_number(const std::string& value) { return number_in<double>(value).has_value(); }

/// The digits of `index` in that base, mirrored at the point.
double radical_inverse(int index, int base) {
  double out = 0;
  for (double digit = 1.0 / base; index > 0; index /= base, digit /= base) {
    out += digit * (index % base);
  }
  return out;
}

double place_in(const std::vector<std::string>& values, bool are_words, const std::string& value) {
  const auto middle = [&](double place) {
    return (place + 0.5) / static_cast<double>(values.size());
  };
  const auto found = std::ranges::find(values, value);
  if (found != values.end()) return middle(static_cast<double>(found - values.begin()));
  const auto number = number_in<double>(value);
  if (are_words || !number) return -1;
  const auto above = std::ranges::find_if(
      values, [&](const std::string& listed) { return *number_in<double>(listed) >= *number; });
  if (above == values.begin()) return middle(0);
  if (above == values.end()) return middle(static_cast<double>(values.size()) - 1);
  const double low = *number_in<double>(*(above - 1));
  const double high = *number_in<double>(*above);
  return middle(static_cast<double>(above - values.begin()) - (high - *number) / (high - low));
}

}  // namespace

UnitSpace::UnitSpace(SearchSpace space) : space_(std::move(space)) {
  for (TunedParameter& parameter : space_) {
    const bool are_numbers = std::ranges::all_of(parameter.values, is_number);
    are_words_.push_back(!are_numbers);
    if (are_numbers) std::ranges::sort(parameter.values, {}, number_in<double>);
  }
}

UnitPoint UnitSpace::point_of(const Values& values) const {
  UnitPoint point;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    if (!space_[i].has_range()) {
      point.push_back(place_in(space_[i].values, are_words_[i], values[i]));
      continue;
    }
    const auto [low, high] = space_[i].range.bounds();
    const double at = space_[i].range.coordinate_of(*number_in<double>(values[i]));
    point.push_back((std::clamp(at, low, high) - low) / (high - low));
  }
  return point;
}

Values UnitSpace::values_at(const UnitPoint& point) const {
  Values values;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const double u = std::clamp(point[i], 0.0, 1.0);
    if (space_[i].has_range()) {
      const auto [low, high] = space_[i].range.bounds();
      values.push_back(space_[i].range.text_at(low + u * (high - low)));
    } else {
      const auto& listed = space_[i].values;
      const auto part = static_cast<std::size_t>(u * static_cast<double>(listed.size()));
      values.push_back(listed[std::min(part, listed.size() - 1)]);
    }
  }
  return values;
}

UnitPoint UnitSpace::even(int index, const UnitPoint& shift) const {
  constexpr std::array primes{2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53};
  UnitPoint point;
  for (std::size_t i = 0; i < space_.size(); ++i) {
    const int base = primes[i % primes.size()];
    double whole = 0;
    point.push_back(std::modf(radical_inverse(index + 1, base) + shift[i], &whole));
  }
  return point;
}

UnitPoint UnitSpace::random(games::Random& random) const {
  UnitPoint point(space_.size());
  for (double& u : point) u = random.uniform();
  return point;
}

UnitPoint UnitSpace::random_near(const UnitPoint& point, double distance,
                                 games::Random& random) const {
  UnitPoint out = point;
  const int n = size();
  const int only = random.below(2) == 0 ? -1 : random.below(n);
  for (int i = 0; i < n; ++i) {
    // Nearly normal, of deviation 1.
    const double normal = 2 * (random.uniform() + random.uniform() + random.uniform()) - 3;
    const double other = random.uniform();
    if (only >= 0 && only != i) continue;
    if (are_words_[i]) {
      if (only == i || other < distance) out[i] = other < distance ? other / distance : other;
    } else {
      out[i] = std::clamp(point[i] + distance * normal, 0.0, 1.0);
    }
  }
  return out;
}

std::string UnitSpace::edge_of(const Values& values, int parameter) const {
  const TunedParameter& of = space_[parameter];
  if (are_words_[parameter] || (!of.has_range() && of.values.size() < 3)) return {};
  const double least = of.has_range() ? 0.01 : 0.5 / static_cast<double>(of.values.size());
  const double u = point_of(values)[parameter];
  return u <= least ? "lower" : u >= 1 - least ? "upper" : "";
}

}  // namespace pitboss::clients
