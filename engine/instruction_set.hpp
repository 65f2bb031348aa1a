#pragma once

#include <hwy/targets.h>

namespace pitboss::engine {

/// Has Highway choose the best instruction set of this machine, so that the addresses in its tables
/// are those of the passes; until then they lead to functions that choose at every call. For passes
/// that are called all the time: they look their address up once, behind this, while Highway's own
/// dispatch calls its library every time.
inline void choose_instruction_set() {
  if (auto& target = hwy::GetChosenTarget(); !target.IsInitialized()) {
    target.Update(hwy::SupportedTargets());
  }
}

/// Whether searches are slower for arithmetic with doubles in vectors of 64 bytes than in two of
/// 32: so it is on the Intel machine that was measured (docs/performance.md), and not on AMD's.
[[nodiscard]] inline bool slowed_by_widest_vectors() {
#if defined(__x86_64__)
  return __builtin_cpu_is("intel") != 0;
#else
  return false;
#endif
}

}  // namespace pitboss::engine
