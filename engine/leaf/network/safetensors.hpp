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

/// The metadata alone, without a look at the tensors' numbers; `bytes` may end behind the header.
/// Throws BadNetwork.
[[nodiscard]] std::map<std::string, std::string> safetensors_metadata(std::string_view bytes);

/// The most bytes in which a file's length and header lie.
inline constexpr std::size_t longest_safetensors_beginning = 8 + (std::size_t{1} << 20);

/// The same as a file's bytes: the same for the same contents.
[[nodiscard]] std::string safetensors_bytes(const SafeTensors& file);

}  // namespace pitboss::engine
