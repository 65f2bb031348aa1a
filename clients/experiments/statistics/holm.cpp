#include "clients/experiments/statistics/holm.hpp"

#include <algorithm>
#include <numeric>

namespace pitboss::clients {

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
  std::vector<double> adjusted(p.size());
  double least = 0;
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const double scaled = static_cast<double>(p.size() - rank) * p[order[rank]];
    least = std::max(least, std::min(1.0, scaled));
    adjusted[order[rank]] = least;
  }
  return adjusted;
}

}  // namespace pitboss::clients
