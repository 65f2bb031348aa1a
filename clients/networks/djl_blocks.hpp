#pragma once

#include <string_view>

#include "engine/leaf/network/tensor.hpp"

namespace pitboss::clients {

/// The tensors of a network that the novelty authors' program has written, under our names
/// (engine::tensor_shapes): residual blocks, then the heads of value and policy. Their numbers are
/// as in the file.
///
/// Every length is checked before memory is allocated for it. Nothing is recursive: the reader
/// knows which block comes next. Throws engine::BadNetwork unless the bytes are such a file, whole
/// to its last byte. Whether the tensors fit each other is not checked.
[[nodiscard]] engine::Tensors read_djl_blocks(std::string_view bytes);

}  // namespace pitboss::clients
