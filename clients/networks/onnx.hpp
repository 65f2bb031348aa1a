#pragma once

#include <string>

#include "engine/leaf/network/network_file.hpp"

namespace pitboss::clients {

/// The network as a model in the ONNX format (opset 17, IR version 8) for ONNX Runtime, Triton and
/// others: input `planes` [N, planes, rows, columns], outputs `policy` [N, policy] and `values`
/// [N, values], all of 32-bit floats; N is any number of positions, the outputs are logits. The
/// weights keep their names. The metadata are those of the network's file (game, parameters, layout
/// of the planes, version of the format ...), and its `sha256`.
///
/// The messages are libonnx's (Debian's libonnx-dev, with protobuf 20 MB). Throws
/// engine::BadNetwork if the tensors do not fit the shape.
[[nodiscard]] std::string onnx_bytes(const engine::NetworkFile& file, const std::string& sha256);

}  // namespace pitboss::clients
