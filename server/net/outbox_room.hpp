#pragma once

#include <cstddef>
#include <utility>

#include "server/net/shared.hpp"

namespace pitboss::server {

/// How much may wait in an outbox: up to its limit and, beyond the first 64 KiB, only what the
/// memory budget grants, which is taken in large steps. Belongs to the I/O thread.
class OutboxRoom {
 public:
  explicit OutboxRoom(Shared& shared) : shared_(shared) {}
  ~OutboxRoom() { note(0); }
  OutboxRoom(const OutboxRoom&) = delete;
  OutboxRoom& operator=(const OutboxRoom&) = delete;

  /// Whether there is room for another answer while `waiting` bytes wait. Counts when room ends.
  [[nodiscard]] bool is_left(std::size_t waiting) noexcept {
    using protocol::Limit;
    const bool is_full = waiting >= shared_.limits.max_outbox;
    const bool is_left = !is_full && (waiting < free_of_charge || takes(waiting));
    const bool was_left = std::exchange(was_left_, is_left);
    if (was_left && !is_left) shared_.counters.met(is_full ? Limit::max_outbox : Limit::memory);
    return is_left;
  }
  /// Gives back what is not needed while `waiting` bytes wait.
  void note(std::size_t waiting) noexcept {
    if (taken_ == 0 || waiting >= free_of_charge) return;
    shared_.memory->give_back(engine::MemoryBudget::Kind::outboxes, std::exchange(taken_, 0));
  }

 private:
  static constexpr std::size_t free_of_charge = 65536;
  static constexpr std::size_t step = 262144;

  bool takes(std::size_t waiting) noexcept {
    if (waiting < taken_) return true;
    const std::size_t more = waiting - taken_ + step;
    const bool taken = shared_.memory->try_take(engine::MemoryBudget::Kind::outboxes, more);
    if (taken) taken_ += more;
    return taken;
  }

  Shared& shared_;
  std::size_t taken_ = 0;
  bool was_left_ = true;
};

}  // namespace pitboss::server
