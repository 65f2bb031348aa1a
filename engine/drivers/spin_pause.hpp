#pragma once

namespace pitboss::engine {

/// To be called in a loop that waits for another thread: the processor then requests less often the
/// cache line that the other thread writes.
inline void spin_pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace pitboss::engine
