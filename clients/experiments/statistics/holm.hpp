#pragma once

#include <span>
#include <vector>

namespace pitboss::clients {

/// The p-values of a family of tests, adjusted by Holm's step-down method (1979): if those of at
/// most a are rejected, the probability to reject any true hypothesis is at most a, however the
/// tests depend on each other. In the order of `p`, each in [0, 1].
[[nodiscard]] std::vector<double> holm_adjusted(std::span<const double> p);

}  // namespace pitboss::clients
