#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "engine/leaf/network/tensor.hpp"

namespace pitboss::clients {

struct DjlBlocks {
  std::vector<std::int64_t> input;  ///< its shape: positions, planes, rows, columns
  /// Under our names (engine::tensor_shapes): residual blocks, then the heads of value and policy.
  /// The numbers are as in the file.
  engine::Tensors tensors;
};

/// Reads a network that the novelty authors' program has written.
///
/// Every length is checked before memory is allocated for it. Nothing is recursive: the reader
/// knows which block comes next. Throws engine::BadNetwork unless the bytes are such a file, whole
/// to its last byte. Whether the tensors fit each other and
/// the input is not checked.
[[nodiscard]] DjlBlocks read_djl_blocks(std::string_view bytes);

}  // namespace pitboss::clients
