#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "server/net/shared.hpp"

namespace pitboss::server {

/// Answers of one connection that the socket has not taken yet. They may wait up to a limit and,
/// beyond the first 64 KiB, only as far as the memory budget grants it. Belongs to the I/O thread.
class Outbox {
 public:
  using SteadyClock = std::chrono::steady_clock;

  explicit Outbox(Shared& shared) : shared_(shared) {}
  ~Outbox() { give_back(0); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  [[nodiscard]] std::size_t size() const { return buffer_.size() - head_; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::string_view front() const { return std::string_view(buffer_).substr(head_); }

  /// To append answers to.
  [[nodiscard]] std::string& text() { return buffer_; }
  /// `size` bytes have been sent.
  void pop(std::size_t size);

  /// Whether there is room for another answer while `more` bytes wait beside it. Counts when room
  /// ends.
  [[nodiscard]] bool has_room(std::size_t more = 0) noexcept;
  /// Gives memory back that is not needed any more.
  void give_back() noexcept { give_back(size()); }

  /// Whether so much waits that updates have to wait, too. `in_frames`: a client that takes frames
  /// has none waiting, so that the next one it reads is new.
  [[nodiscard]] bool is_congested(bool in_frames) const;

  /// Has answers wait for that of a later command: until `release`, or a `release_at` that is not
  /// earlier.
  void hold_until(SteadyClock::time_point time) { held_until_ = time; }
  [[nodiscard]] bool is_held() const { return held_until_ != SteadyClock::time_point::min(); }
  void release() { held_until_ = SteadyClock::time_point::min(); }
  /// Whether it was held, and is no longer at `now`.
  [[nodiscard]] bool release_at(SteadyClock::time_point now) {
    if (!is_held() || now < held_until_) return false;
    release();
    return true;
  }

 private:
  [[nodiscard]] bool takes(std::size_t waiting) noexcept;
  void give_back(std::size_t waiting) noexcept;

  Shared& shared_;
  std::string buffer_;
  std::size_t head_ = 0;
  std::size_t taken_ = 0;  ///< of the memory budget
  bool had_room_ = true;
  SteadyClock::time_point held_until_ = SteadyClock::time_point::min();
};

}  // namespace pitboss::server
