#pragma once

#include <array>
#include <cstdint>

namespace pitboss::engine {

/// For each value of eight bits, eight bytes, lowest bit first: all ones where the bit is set, else
/// 0. Instruction sets without mask registers load a mask's lanes from this table.
alignas(8) inline constexpr std::array<std::array<std::int8_t, 8>, 256> bytes_of_bits = [] {
  std::array<std::array<std::int8_t, 8>, 256> all{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (unsigned i = 0; i < 8; ++i) all[bits][i] = (bits >> i & 1U) != 0 ? -1 : 0;
  }
  return all;
}();

}  // namespace pitboss::engine
