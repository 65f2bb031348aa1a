#pragma once

namespace pitboss::tests {

/// Whether the tests are built with the thread sanitizer, the slower of the two.
#ifdef __SANITIZE_THREAD__
inline constexpr bool thread_sanitized = true;
#else
inline constexpr bool thread_sanitized = false;
#endif

/// Whether the tests are built with the address or the thread sanitizer, and are many times slower.
#ifdef __SANITIZE_ADDRESS__
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = thread_sanitized;
#endif

}  // namespace pitboss::tests
