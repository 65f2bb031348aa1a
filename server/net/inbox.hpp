#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "protocol/line.hpp"

namespace pitboss::server {

/// The input of one connection: bytes in, lines out. A line is parsed once, when it is looked at
/// after its arrival (`look`), and stays until it is handled (`front`, `pop`). An inbox without
/// waiting lines holds next to no memory.
class Inbox {
 public:
  /// A line has at most so many bytes, and of lines somewhat more than `max_queued` may wait.
  explicit Inbox(std::size_t max_line, std::size_t max_queued = 1000)
      : max_line_(max_line), max_queued_(max_queued) {}

  /// Appends input. Does nothing once a line was too long.
  void append(std::string_view bytes);
  /// Completes the line behind the last line feed, if it is not empty.
  void end();

  /// The next complete line that has not been looked at; null if there is none. To be called until
  /// then.
  const protocol::Line* look();
  /// Whether a line is, or is going to be, longer than allowed. It and all input behind it is
  /// discarded.
  [[nodiscard]] bool too_long() const { return too_long_; }

  /// Lines that have been looked at and not popped.
  [[nodiscard]] std::size_t waiting() const { return lines_.size(); }
  /// Theirs, and those behind them.
  [[nodiscard]] std::size_t bytes() const { return waiting_bytes_ + buffer_.size(); }
  /// The oldest waiting line; there must be one.
  [[nodiscard]] const protocol::Line& front() const { return lines_.front(); }
  void pop();
  /// Discards all that waits.
  void clear();

  /// Whether more input is wanted; if not, enough lines wait, or input has ended.
  [[nodiscard]] bool is_open() const { return state_ == State::open; }
  [[nodiscard]] bool has_ended() const { return state_ == State::ended; }
  /// Input has ended.
  void close() { state_ = State::ended; }
  /// Whether input that was open now pauses because enough lines wait.
  [[nodiscard]] bool pauses();
  /// Opens input that has paused if there is more than a little room again.
  void go_on();

  /// The lines that have been looked at up to the `until`-th are to be through with soon.
  void hurry(std::size_t until) { hurried_ = std::max(hurried_, until); }
  /// Whether the oldest waiting line is one of them, or the last that was popped.
  [[nodiscard]] bool is_hurried() const { return popped_ < hurried_; }
  [[nodiscard]] bool was_hurried() const { return popped_ <= hurried_; }

  /// How many lines have been looked at, and popped, since the beginning.
  [[nodiscard]] std::size_t looked() const { return looked_; }
  [[nodiscard]] std::size_t popped() const { return popped_; }

 private:
  enum class State : std::uint8_t { open, paused, ended };

  [[nodiscard]] bool has_room(std::size_t share) const;

  std::size_t max_line_;
  std::size_t max_queued_;
  std::deque<protocol::Line> lines_;  ///< that wait
  std::size_t waiting_bytes_ = 0;
  std::string buffer_;       ///< input from the first line on that has not been looked at
  std::size_t begin_ = 0;    ///< where that line begins
  std::size_t scanned_ = 0;  ///< no line feed stands between `begin_` and here
  std::size_t looked_ = 0;
  std::size_t popped_ = 0;
  std::size_t hurried_ = 0;
  bool too_long_ = false;
  State state_ = State::open;
};

}  // namespace pitboss::server
