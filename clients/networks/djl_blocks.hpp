#pragma once

#include <string_view>

#include "engine/leaf/network/tensor.hpp"

namespace pitboss::clients {

/// The tensors of a network that the novelty authors' program has written, under the names that
/// they have here (engine::tensor_shapes): residual blocks, then the heads of value and policy.
/// Their numbers are as in the file.
///
/// Every length is checked before anything is allocated by it, and nothing is recursive: the file
/// holds no structure, only what the reader expects next. Throws engine::BadNetwork for all else
/// than such a file, whole to its last byte. Whether the tensors fit each other is not looked at.
[[nodiscard]] engine::Tensors read_djl_blocks(std::string_view bytes);

}  // namespace pitboss::clients
