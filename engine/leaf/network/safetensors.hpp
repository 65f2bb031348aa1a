#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// The contents of a file in the safetensors format (huggingface/safetensors): a length of 8 bytes,
/// little-endian; a header of that length, JSON; the tensors' numbers.
struct SafeTensors {
  std::map<std::string, std::string> metadata;
  Tensors tensors;
};

/// Reads a file's bytes, which may come from anywhere: all lengths are checked before anything is
/// allocated by them. Takes tensors of 32-bit floats (F32) that lie in the file without gaps or
/// overlaps, in any order. Throws BadNetwork for all else, and for what is over 4096 tensors, 8
/// dimensions or a header of 1 MiB.
[[nodiscard]] SafeTensors parse_safetensors(std::string_view bytes);

/// The same as a file's bytes: the same for the same contents.
[[nodiscard]] std::string safetensors_bytes(const SafeTensors& file);

}  // namespace pitboss::engine
