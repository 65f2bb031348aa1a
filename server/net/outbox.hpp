#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pitboss::server {

/// Answers of one connection that the socket has not taken yet.
class Outbox {
 public:
  [[nodiscard]] std::size_t size() const { return buffer_.size() - head_; }
  [[nodiscard]] bool empty() const { return size() == 0; }
  [[nodiscard]] std::string_view front() const { return std::string_view(buffer_).substr(head_); }

  /// To append answers to.
  [[nodiscard]] std::string& text() { return buffer_; }

  /// `size` bytes have been sent.
  void pop(std::size_t size) {
    constexpr std::size_t worth_keeping = 4096;
    head_ += size;
    if (head_ <= buffer_.size() / 2) return;
    buffer_.erase(0, head_);
    head_ = 0;
    if (buffer_.empty() && buffer_.capacity() > worth_keeping) std::string().swap(buffer_);
  }

 private:
  std::string buffer_;
  std::size_t head_ = 0;
};

}  // namespace pitboss::server
