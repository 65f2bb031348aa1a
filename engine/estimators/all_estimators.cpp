#include "engine/estimators/all_estimators.hpp"

namespace pitboss::engine {

std::span<const EstimatorRow> estimator_rows() { return AllEstimators::rows; }

}  // namespace pitboss::engine
