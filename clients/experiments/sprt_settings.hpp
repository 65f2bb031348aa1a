#pragma once

#include <string>

#include "clients/experiments/settings.hpp"
#include "clients/experiments/statistics/sprt.hpp"

namespace pitboss::clients {

/// The stopping rule of a table [sprt]. Throws UserError unless the table has the bounds and known
/// keys alone; whether there are tests of that kind, `check` tells.
[[nodiscard]] SprtPlan sprt_of(const Setting& table);

/// The words of the flag --sprt, "elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic", as such a
/// table. Throws UserError.
[[nodiscard]] Setting sprt_words(const std::string& words);

}  // namespace pitboss::clients
