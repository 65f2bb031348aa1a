#include "engine/exploration.hpp"

#include <array>
#include <cmath>
#include <random>

namespace pitboss::engine {

namespace {

float computed_root_log(std::uint32_t n) {
  return n < 2 ? 0 : static_cast<float>(std::sqrt(std::log(static_cast<double>(n))));
}

constexpr std::uint32_t table_size = 16384;
const auto table = [] {
  std::array<float, table_size> values;
  for (std::uint32_t n = 0; n < table_size; ++n) values[n] = computed_root_log(n);
  return values;
}();

}  // namespace

float root_log(std::uint32_t n) { return n < table_size ? table[n] : computed_root_log(n); }

std::uint64_t fresh_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  return ((high << 21) ^ device()) | 1U;
}

}  // namespace pitboss::engine
