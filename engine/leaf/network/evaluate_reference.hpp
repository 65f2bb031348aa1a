#pragma once

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// What Network::evaluate computes, by the book: plain loops in double over the tensors as they
/// are. Throws BadNetwork if these are no weights for the shape.
void evaluate_reference(const NetworkShape& shape, const Tensors& tensors, const float* planes,
                        int batch, float* values, float* policy);

}  // namespace pitboss::engine
