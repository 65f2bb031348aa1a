#pragma once

#include <string>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/remote/server_terms.hpp"
#include "inference.pb.h"

namespace pitboss::engine {

/// What a request or a reply may have.
inline constexpr int most_message_bytes = 64 << 20;

/// A request for the logits of these positions, raw: the numbers of their planes, or if
/// `takes_bits` a bit for each, since they are 0 or 1, eight to a byte from the lowest on.
[[nodiscard]] inference::ModelInferRequest request_for(
    const std::string& name, const NetworkShape& shape,
    const std::vector<const std::vector<float>*>& positions, const std::string& id,
    bool takes_bits);

/// The logits in a reply, values before policy, of each position. Throws std::runtime_error with
/// what is wrong with the reply: another id, a tensor missing or of another type or shape, a number
/// that is none.
[[nodiscard]] std::vector<std::vector<float>> logits_in(const inference::ModelInferResponse& reply,
                                                        const NetworkShape& shape,
                                                        std::size_t positions,
                                                        const std::string& id);

/// What the server tells of itself: the properties `max_batch_size`, `packed_input` and
/// `precision`.
[[nodiscard]] ServerTerms terms_in(const inference::ModelMetadataResponse& metadata,
                                   const NetworkShape& shape);

/// Throws std::runtime_error unless the metadata are those of a network of this shape and hash;
/// a server that tells no hash, or of no tensors, is believed.
void check_metadata(const inference::ModelMetadataResponse& metadata, const NetworkShape& shape,
                    const std::string& sha256);

}  // namespace pitboss::engine
