#include "server/net/inbox.hpp"

#include <algorithm>
#include <utility>

namespace pitboss::server {

void Inbox::append(std::string_view bytes) {
  if (!too_long_) buffer_.append(bytes);
}

void Inbox::end() {
  if (!too_long_ && !buffer_.empty()) buffer_.push_back('\n');
}

const protocol::Line* Inbox::look() {
  const auto feed = buffer_.find('\n', scanned_);
  const auto end = std::min(feed, buffer_.size());
  if (end - begin_ > max_line_) {
    too_long_ = true;
    begin_ = buffer_.size();
  } else if (feed != std::string::npos) {
    const auto& line = lines_.emplace_back(std::string_view(buffer_).substr(begin_, feed - begin_));
    waiting_bytes_ += line.all().size();
    begin_ = scanned_ = feed + 1;
    ++looked_;
    return &line;
  }
  constexpr std::size_t worth_keeping = 4096;
  buffer_.erase(0, std::exchange(begin_, 0));
  scanned_ = buffer_.size();
  if (buffer_.empty() && buffer_.capacity() > worth_keeping) std::string().swap(buffer_);
  return nullptr;
}

void Inbox::pop() {
  waiting_bytes_ -= lines_.front().all().size();
  lines_.pop_front();
  ++popped_;
}

void Inbox::clear() {
  lines_.clear();
  buffer_ = {};
  waiting_bytes_ = begin_ = scanned_ = 0;
  popped_ = looked_;
}

bool Inbox::pauses() {
  if (state_ != State::open || has_room(1)) return false;
  state_ = State::paused;
  return true;
}

void Inbox::go_on() {
  if (state_ == State::paused && has_room(2)) state_ = State::open;
}

/// Whether less than a `share` of what may wait does.
bool Inbox::has_room(std::size_t share) const {
  if (waiting() == 0) return true;
  return waiting() < std::max<std::size_t>(max_queued_ / share, 1) && bytes() < max_line_ / share;
}

}  // namespace pitboss::server
