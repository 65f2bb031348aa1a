#pragma once

#include <string>

#include "clients/follow/followed_experiment.hpp"
#include "clients/follow/picture.hpp"

namespace pitboss::clients {

/// What is shown of an experiment. It and its report derive from the same results.
[[nodiscard]] Picture picture_of(const std::string& name, const RecordedExperiment& recorded);

}  // namespace pitboss::clients
