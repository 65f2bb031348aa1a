#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "engine/formulas.hpp"

/// The terms of the formulas that depend only on a sample count: from tables for small counts,
/// which are most frequent, else computed.
namespace pitboss::engine {

struct SampleTerms {
  double share;        ///< 1 / n
  float inverse_root;  ///< 1 / sqrt(n)
  float root_log;      ///< sqrt(ln n); 0 for n < 2
};

inline constexpr std::uint32_t sample_table_size = 16384;
/// The terms for n below the table's size; for n = 0 they are 0.
extern const std::array<SampleTerms, sample_table_size> sample_table;

/// SampleTerms::share and ::inverse_root of n > 0 samples.
struct SampleShare {
  double share;
  float inverse_root;
};
[[nodiscard]] inline SampleShare sample_share(std::uint32_t n) {
  if (n < sample_table_size) return {sample_table[n].share, sample_table[n].inverse_root};
  return {1.0 / n, static_cast<float>(1 / std::sqrt(static_cast<double>(n)))};
}

/// sqrt(ln n); 0 for n < 2.
[[nodiscard]] inline float root_log(std::uint32_t n) {
  if (n < sample_table_size) return sample_table[n].root_log;
  return static_cast<float>(std::sqrt(std::log(static_cast<double>(n))));
}

/// Every `novelty_mix` as one formula, b alpha N + centre + share (Q - centre). The parts b alpha
/// and share depend on a move's number of samples.
class NoveltyWeights {
 public:
  struct Parts {
    float novelty;  ///< b alpha
    float mean;     ///< share: 1 - b; 1 in the additive mix
  };

  /// Sets the mix, alpha, and beta of b = novelty_weight(beta, n), in a game of so many players. A
  /// change costs some tens of microseconds.
  void set(NoveltyMix mix, double alpha, double beta, int players = 2);
  [[nodiscard]] Parts of(std::uint32_t n) const {
    return n < sample_table_size ? from_table(n) : computed(n);
  }
  /// As `of`, for n below sample_table_size.
  [[nodiscard]] Parts from_table(std::uint32_t n) const { return table_[n]; }
  /// The value part of a move's score.
  [[nodiscard]] float mixed(Parts parts, float novelty, float mean) const {
    return parts.novelty * novelty + (centre_ + parts.mean * (mean - centre_));
  }

 private:
  [[nodiscard]] Parts computed(std::uint32_t n) const {
    const double b = novelty_weight(beta_, n);
    const bool shrinks = mix_ != NoveltyMix::additive;
    return {static_cast<float>(b * alpha_), static_cast<float>(shrinks ? 1 - b : 1)};
  }

  float centre_ = 0;
  NoveltyMix mix_ = NoveltyMix::convex;
  double alpha_ = -1;
  double beta_ = -1;
  std::array<Parts, sample_table_size> table_;
};

}  // namespace pitboss::engine
