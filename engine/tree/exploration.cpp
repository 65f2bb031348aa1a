#include "engine/tree/exploration.hpp"

namespace pitboss::engine {

const std::array<SampleTerms, sample_table_size> sample_table = [] {
  std::array<SampleTerms, sample_table_size> terms;
  terms[0] = {0, 0, 0};
  for (std::uint32_t i = 1; i < terms.size(); ++i) {
    const double n = i;
    terms[i] = {1 / n, static_cast<float>(1 / std::sqrt(n)),
                static_cast<float>(std::sqrt(std::log(n)))};
  }
  return terms;
}();

void NoveltyWeights::set(NoveltyMix mix, double alpha, double beta, int players) {
  centre_ = mix == NoveltyMix::centred ? 1 / static_cast<float>(players) : 0;
  if (mix == mix_ && alpha == alpha_ && beta == beta_) return;
  mix_ = mix;
  alpha_ = alpha;
  beta_ = beta;
  for (std::uint32_t n = 0; n < table_.size(); ++n) table_[n] = computed(n);
}

}  // namespace pitboss::engine
