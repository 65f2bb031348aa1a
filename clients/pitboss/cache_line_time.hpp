#pragma once

namespace pitboss::clients {

/// Seconds until a number written by one processor is seen by another: half of what two
/// threads need to answer each other through it. How fast several threads are that search one tree
/// depends on it (docs/performance.md). Blocks for about a millisecond.
[[nodiscard]] double time_line();

}  // namespace pitboss::clients
