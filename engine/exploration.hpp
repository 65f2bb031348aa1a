#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/formulas.hpp"
#include "engine/scoring.hpp"

/// What the formulas need of sample counts, from tables: most counts are small.
namespace pitboss::engine {

/// sqrt(ln n); 0 for n < 2.
[[nodiscard]] inline float root_log(std::uint32_t n) {
  return n < 2 ? 0 : static_cast<float>(std::sqrt(std::log(static_cast<double>(n))));
}

inline constexpr std::uint32_t root_log_table_size = 16384;
/// root_log(n) for n below the table's size.
extern const std::array<float, root_log_table_size> root_log_table;

/// What the exploration terms need of a node whose moves have `samples` samples together.
[[nodiscard]] inline Exploration exploration(float k, std::uint32_t samples) {
  constexpr float root2 = 1.41421356F;
  const float root = samples < root_log_table_size ? root_log_table[samples] : root_log(samples);
  return {k * root, root2 * root};
}

/// What a move's score needs of its samples n: 1/sqrt(n), and novelty's weight b.
class SampleTerms {
 public:
  struct Terms {
    float spread;
    float weight;
  };

  /// The weights are novelty_weight(beta, n). Costs some microseconds if beta is new.
  void set_beta(double beta);
  [[nodiscard]] Terms of(std::uint32_t n) const {
    return n < table_.size() ? table_[n] : computed(n);
  }

 private:
  [[nodiscard]] Terms computed(std::uint32_t n) const {
    return {static_cast<float>(1 / std::sqrt(static_cast<double>(n))),
            static_cast<float>(novelty_weight(beta_, n))};
  }
  double beta_ = -1;
  std::array<Terms, 1024> table_;
};

/// A seed that nobody can foretell, in [1, 2^53).
[[nodiscard]] std::uint64_t fresh_seed();

}  // namespace pitboss::engine
