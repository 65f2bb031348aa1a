#pragma once

#include <hwy/targets.h>

namespace pitboss::engine {

/// Makes Highway choose this machine's best instruction set now. HWY_DYNAMIC_DISPATCH then gives
/// the address of the compiled pass, which a hot pass looks up once and keeps; before, it gives a
/// function that chooses at every call.
inline void choose_instruction_set() {
  if (auto& target = hwy::GetChosenTarget(); !target.IsInitialized()) {
    target.Update(hwy::SupportedTargets());
  }
}

/// Whether searches are faster with doubles in two vectors of 32 bytes than in one of 64: measured
/// so on an Intel machine, and not on AMD's (docs/notes/what-was-tried.md).
[[nodiscard]] inline bool slowed_by_widest_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

}  // namespace pitboss::engine
