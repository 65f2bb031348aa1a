#pragma once

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <cstdint>

namespace pitboss::tests {

/// Calls `check()` with each instruction set that this machine has and the vector code was compiled
/// for, as the one that whatever looks up its passes then gets; afterwards it is the best again.
template <class Check>
void with_each_instruction_set(Check&& check) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    check();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace pitboss::tests
