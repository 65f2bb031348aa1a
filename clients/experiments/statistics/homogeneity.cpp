#include "clients/experiments/statistics/homogeneity.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace pitboss::clients {

namespace {

using Counts = std::vector<std::int64_t>;

constexpr double least_expected = 5;

std::int64_t sum_of(const Counts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

/// The counts of all groups together.
Counts total_of(std::span<const Counts> groups) {
  Counts total(groups.front().size());
  for (const Counts& group : groups) {
    for (std::size_t c = 0; c < total.size(); ++c) total[c] += group[c];
  }
  return total;
}

/// For each class the joined class that it becomes a part of. `share` is the smallest group's, of
/// all.
std::vector<std::size_t> joined(const Counts& total, double share) {
  std::vector<std::size_t> out(total.size());
  std::size_t classes = 0;
  double expected = 0;
  for (std::size_t c = 0; c < total.size(); ++c) {
    out[c] = classes;
    expected += share * static_cast<double>(total[c]);
    if (expected < least_expected) continue;
    ++classes;
    expected = 0;
  }
  // What is left joins the last class.
  const std::size_t last = classes == 0 ? 0 : classes - 1;
  for (std::size_t& c : out) c = std::min(c, last);
  return out;
}

}  // namespace

std::optional<Homogeneity> homogeneity(std::span<const std::vector<std::int64_t>> groups) {
  if (groups.size() < 2) return std::nullopt;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const Counts& group : groups) {
    if (group.size() != groups.front().size() ||
        std::ranges::any_of(group, [](std::int64_t count) { return count < 0; })) {
      throw std::invalid_argument("homogeneity: groups of other classes, or a negative count");
    }
    least = std::min(least, sum_of(group));
  }
  const Counts total = total_of(groups);
  const auto all = static_cast<double>(sum_of(total));
  if (least == 0 || total.empty()) return std::nullopt;
  const std::vector<std::size_t> parts = joined(total, static_cast<double>(least) / all);
  const std::size_t classes = parts.back() + 1;
  if (classes < 2) return std::nullopt;
  std::vector<double> of_class(classes);
  for (std::size_t c = 0; c < total.size(); ++c)
    of_class[parts[c]] += static_cast<double>(total[c]);
  Homogeneity out;
  for (const Counts& group : groups) {
    std::vector<double> seen(classes);
    for (std::size_t c = 0; c < group.size(); ++c) seen[parts[c]] += static_cast<double>(group[c]);
    for (std::size_t c = 0; c < classes; ++c) {
      const double expected = of_class[c] * static_cast<double>(sum_of(group)) / all;
      out.statistic += (seen[c] - expected) * (seen[c] - expected) / expected;
    }
  }
  out.degrees = static_cast<int>((groups.size() - 1) * (classes - 1));
  out.p = boost::math::cdf(
      boost::math::complement(boost::math::chi_squared(out.degrees), out.statistic));
  return out;
}

}  // namespace pitboss::clients
