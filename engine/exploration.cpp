#include "engine/exploration.hpp"

#include <random>

namespace pitboss::engine {

const std::array<float, root_log_table_size> root_log_table = [] {
  std::array<float, root_log_table_size> values;
  for (std::uint32_t n = 0; n < values.size(); ++n) values[n] = root_log(n);
  return values;
}();

void SampleTerms::set_beta(double beta) {
  if (beta == beta_) return;
  beta_ = beta;
  for (std::uint32_t n = 1; n < table_.size(); ++n) table_[n] = computed(n);
  table_[0] = {0, 0};
}

std::uint64_t fresh_seed() {
  std::random_device device;
  const std::uint64_t high = device();
  return ((high << 21) ^ device()) | 1U;
}

}  // namespace pitboss::engine
