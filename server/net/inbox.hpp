#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pitboss::server {

/// The input of one connection: bytes in, lines out. A line is looked at once, when it arrives
/// (`look`), and stays until it is handled (`front`, `pop`). Lines are views into the buffer, valid
/// until the next call that is not const. An inbox without waiting lines holds next to no memory.
class Inbox {
 public:
  explicit Inbox(std::size_t max_line) : max_line_(max_line) {}

  /// Appends input. Does nothing once a line was too long.
  void append(std::string_view bytes);
  /// Completes the line behind the last line feed, if it is not empty.
  void end();

  /// The next complete line that has not been looked at.
  std::optional<std::string_view> look();
  /// Whether a line is, or is going to be, longer than allowed. It and all input behind it is
  /// discarded.
  [[nodiscard]] bool too_long() const { return too_long_; }

  /// Lines that have been looked at and not popped.
  [[nodiscard]] std::size_t waiting() const { return looked_ - popped_; }
  [[nodiscard]] std::size_t bytes() const { return buffer_.size() - head_; }
  /// The oldest waiting line; there must be one.
  [[nodiscard]] std::string_view front() const;
  void pop();
  /// Discards all that waits.
  void clear();

  /// How many lines have been looked at, and popped, since the beginning.
  [[nodiscard]] std::size_t looked() const { return looked_; }
  [[nodiscard]] std::size_t popped() const { return popped_; }

 private:
  void compact();

  std::size_t max_line_;
  std::string buffer_;
  std::size_t head_ = 0;     ///< where the oldest waiting line begins
  std::size_t unseen_ = 0;   ///< where the first line that has not been looked at begins
  std::size_t scanned_ = 0;  ///< no line feed stands between `unseen_` and here
  std::size_t looked_ = 0;
  std::size_t popped_ = 0;
  bool too_long_ = false;
};

}  // namespace pitboss::server
