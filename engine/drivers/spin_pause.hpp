#pragma once

namespace pitboss::engine {

/// To be called in a loop that waits for another thread: the processor then asks less often for
/// what that thread is writing.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace pitboss::engine
