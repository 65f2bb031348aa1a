#pragma once

#include <string>

#include "engine/leaf/network/network_file.hpp"

namespace pitboss::clients {

/// Most positions that Triton puts into one batch.
inline constexpr int triton_batch = 256;

/// The text of NAME/config.pbtxt in a model repository of Triton Inference Server, for the model of
/// `onnx_bytes` in NAME/1/model.onnx: the ONNX Runtime backend, the sizes of inputs and outputs,
/// batching of requests without waiting, and the network's `sha256` as a parameter. A name has only
/// letters, digits, '.', '_' and '-'; throws engine::BadNetwork for another one.
[[nodiscard]] std::string triton_config(const engine::NetworkFile& file, const std::string& name,
                                        const std::string& sha256);

}  // namespace pitboss::clients
