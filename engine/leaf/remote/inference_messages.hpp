#pragma once

#include <string>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "inference.pb.h"

namespace pitboss::engine {

/// A request for the logits of these positions, their numbers raw.
[[nodiscard]] inference::ModelInferRequest request_for(
    const std::string& name, const NetworkShape& shape,
    const std::vector<const std::vector<float>*>& positions, const std::string& id);

/// The logits in a reply, values before policy, of each position. Throws std::runtime_error with
/// what is wrong with the reply: another id, a tensor missing or of another type or shape, a number
/// that is none.
[[nodiscard]] std::vector<std::vector<float>> logits_in(const inference::ModelInferResponse& reply,
                                                        const NetworkShape& shape,
                                                        std::size_t positions,
                                                        const std::string& id);

/// Throws std::runtime_error unless the metadata are those of a network of this shape and hash;
/// a server that tells no hash, or of no tensors, is believed.
void check_metadata(const inference::ModelMetadataResponse& metadata, const NetworkShape& shape,
                    const std::string& sha256);

}  // namespace pitboss::engine
