#pragma once

namespace pitboss::clients {

/// Seconds until a number written by one processor is seen by another: half of a round trip between
/// two threads. The speed of several threads that search one tree depends on it
/// (docs/performance.md). Blocks for about a millisecond.
[[nodiscard]] double time_line();

}  // namespace pitboss::clients
