#include "engine/scoring.hpp"

#include <array>
#include <cmath>

// One function, several instruction sets, the best chosen by the loader. The sanitizers' runtimes
// are not ready when the loader asks, so their builds take the plain code.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define PITBOSS_BEST_INSTRUCTION_SET \
  __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define PITBOSS_BEST_INSTRUCTION_SET
#endif

namespace pitboss::engine {

PITBOSS_BEST_INSTRUCTION_SET
void score_ucb1(const float* __restrict base, const float* __restrict spread, Exploration x,
                float* __restrict score, int n) {
  for (int i = 0; i < n; ++i) score[i] = base[i] + x.root_log * spread[i];
}

PITBOSS_BEST_INSTRUCTION_SET
void score_ucb1_tuned(const float* __restrict base, const float* __restrict variance,
                      const float* __restrict spread, Exploration x, float* __restrict score,
                      int n) {
  for (int i = 0; i < n; ++i) {
    const float v = variance[i] + x.root_2log * spread[i];
    score[i] = base[i] + x.root_log * spread[i] * std::sqrt(v < 0.25F ? v : 0.25F);
  }
}

PITBOSS_BEST_INSTRUCTION_SET
float largest(const float* score, int n) {
  std::array<float, 8> best;
  for (int j = 0; j < 8; ++j) best[j] = score[j];
  for (int i = 8; i < n; i += 8) {
    for (int j = 0; j < 8; ++j) best[j] = score[i + j] > best[j] ? score[i + j] : best[j];
  }
  for (int j = 0; j < 4; ++j) best[j] = best[j + 4] > best[j] ? best[j + 4] : best[j];
  for (int j = 0; j < 2; ++j) best[j] = best[j + 2] > best[j] ? best[j + 2] : best[j];
  return best[1] > best[0] ? best[1] : best[0];
}

}  // namespace pitboss::engine
