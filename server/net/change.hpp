#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <functional>
#include <memory>
#include <utility>

namespace pitboss::server {

/// A signal that one coroutine waits for. `note` resumes the coroutine directly, without a detour
/// through the event loop. Owns the coroutine while it waits, and destroys it if destroyed itself.
/// Belongs to the I/O thread.
class Change {
 public:
  Change() = default;
  Change(const Change&) = delete;
  Change& operator=(const Change&) = delete;
  ~Change() = default;

  /// Tells the coroutine that something has changed. The caller keeps this object alive meanwhile.
  void note() {
    is_noted_ = true;
    if (resume_) std::exchange(resume_, nullptr)();
  }
  /// Destroys the coroutine if it waits.
  void forget() { resume_ = nullptr; }
  /// Waits until `note` has been called since `come` returned last.
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
