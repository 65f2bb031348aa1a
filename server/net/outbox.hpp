#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "environment/awake_clock.hpp"
#include "server/net/shared.hpp"

namespace pitboss::server {

/// Answers of one connection that the socket has not taken yet. They may wait up to a limit and,
/// beyond the first 64 KiB, only as far as the memory budget grants it. One answer may go beyond
/// that; of updates, which the client can do without, only one of all that wait for it. Belongs to
/// the I/O thread.
class Outbox {
 public:
  using SteadyClock = environment::AwakeClock;

  explicit Outbox(Shared& shared) : shared_(shared) {}
  ~Outbox() { count_to(0); }
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  /// Whose outbox it is.
  void belong_to(std::shared_ptr<ClientAccount> account) noexcept;

  [[nodiscard]] std::size_t size() const { return sending_.size() - sent_ + behind_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// What is to be sent next, from where an answer begins or was cut by `pop`; empty only if
  /// nothing waits. Stays where it is until all of it has been popped.
  [[nodiscard]] std::string_view front() {
    if (sending_.empty()) sending_.swap(behind_);
    return std::string_view(sending_).substr(sent_);
  }

  /// To append answers to.
  [[nodiscard]] std::string& text() { return behind_; }
  /// `size` bytes of `front` have been sent.
  void pop(std::size_t size);

  /// Whether there is room for another answer while `more` bytes wait beside it. Counts when room
  /// ends.
  [[nodiscard]] bool has_room(std::size_t more = 0) noexcept;
  /// The same for an update of so many bytes.
  [[nodiscard]] bool has_room_for_update(std::size_t bytes) noexcept;
  /// Whether the last update that was asked for had none.
  [[nodiscard]] bool lacks_room() const { return lacks_room_; }
  /// Takes the memory that is needed while `more` bytes wait beside it, and gives back the rest.
  void count(std::size_t more = 0) noexcept { count_to(size() + more); }

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
  bool count_to(std::size_t waiting) noexcept;
  [[nodiscard]] bool takes(std::size_t waiting) noexcept;

  Shared& shared_;
  std::shared_ptr<ClientAccount> account_;  ///< null for a refusal
  std::string sending_;
  std::size_t sent_ = 0;  ///< of it
  std::string behind_;
  std::size_t taken_ = 0;   ///< of the memory budget
  std::size_t beyond_ = 0;  ///< what waits but was not granted
  bool had_room_ = true;
  bool lacks_room_ = false;
  SteadyClock::time_point held_until_ = SteadyClock::time_point::min();
};

}  // namespace pitboss::server
