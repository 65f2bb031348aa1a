#include "server/net/inbox.hpp"

namespace pitboss::server {

void Inbox::append(std::string_view bytes) {
  if (!too_long_) buffer_.append(bytes);
}

void Inbox::end() {
  if (!too_long_ && unseen_ < buffer_.size()) buffer_.push_back('\n');
}

std::optional<std::string_view> Inbox::look() {
  if (too_long_) return std::nullopt;
  const auto feed = buffer_.find('\n', scanned_);
  const auto line_end = feed == std::string::npos ? buffer_.size() : feed;
  if (line_end - unseen_ > max_line_) {
    too_long_ = true;
    buffer_.resize(unseen_);
    scanned_ = unseen_;
    compact();
    return std::nullopt;
  }
  if (feed == std::string::npos) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  const std::string_view line(buffer_.data() + unseen_, feed - unseen_);
  unseen_ = scanned_ = feed + 1;
  ++looked_;
  return line;
}

std::string_view Inbox::front() const {
  return {buffer_.data() + head_, buffer_.find('\n', head_) - head_};
}

void Inbox::pop() {
  head_ = buffer_.find('\n', head_) + 1;
  ++popped_;
  compact();
}

void Inbox::clear() {
  buffer_ = {};
  head_ = unseen_ = scanned_ = 0;
  popped_ = looked_;
}

// Moves the remaining bytes to the front if they are few compared with the handled ones, so that
// the cost per byte stays constant; gives memory back if nothing remains.
void Inbox::compact() {
  constexpr std::size_t worth_keeping = 4096;
  if (head_ < buffer_.size() && head_ <= buffer_.size() / 2) return;
  buffer_.erase(0, head_);
  unseen_ -= head_;
  scanned_ -= head_;
  head_ = 0;
  if (buffer_.empty() && buffer_.capacity() > worth_keeping) std::string().swap(buffer_);
}

}  // namespace pitboss::server
