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

}  // namespace pitboss::engine
