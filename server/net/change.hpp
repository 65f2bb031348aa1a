#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace pitboss::server {

/// What one coroutine waits for while others act. It is resumed in the middle of `note`, without a
/// way through the event loop. Owns the coroutine while that waits: what is destroyed with the last
/// word unsaid destroys the coroutine, too. Belongs to the I/O thread.
class Change {
 public:
  Change() = default;
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() = default;

  /// Something has changed: the coroutine is to look. Whoever calls keeps this alive meanwhile.
  void note() {
    is_noted_ = true;
    if (resume_) std::exchange(resume_, nullptr)();
  }
  /// Returns when something has been noted since it returned last.
  boost::asio::awaitable<void> come() {
    namespace asio = boost::asio;
    while (!std::exchange(is_noted_, false)) {
      co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(
          [this](auto handler) {
            auto kept = std::make_shared<decltype(handler)>(std::move(handler));
            resume_ = [kept = std::move(kept)] { std::move (*kept)(); };
          },
          asio::use_awaitable);
    }
  }

 private:
  bool is_noted_ = false;
  std::function<void()> resume_;
};

}  // namespace pitboss::server
