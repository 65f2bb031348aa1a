#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <utility>

namespace pitboss::server {

/// The turns of one client on the I/O thread, for its conversations that have more lines than they
/// may handle in one go. They share one place in the event loop: another client waits for one of
/// them, however many they are. Belongs to the I/O thread.
class HandlingTurns : public std::enable_shared_from_this<HandlingTurns> {
 public:
  using Call = std::function<void()>;

  /// Whether a conversation of the client waits for a turn.
  [[nodiscard]] bool any_waits() const { return !waiting_.empty(); }
  /// Calls `call`, which must not throw, after other clients and all that wait have had a turn.
  void join(boost::asio::io_context& io, Call call) {
    waiting_.push_back(std::move(call));
    post_next(io);
  }

 private:
  void post_next(boost::asio::io_context& io) {
    if (is_posted_) return;
    boost::asio::post(io, [self = shared_from_this(), &io] { self->call_next(io); });
    is_posted_ = true;
  }
  void call_next(boost::asio::io_context& io) {
    is_posted_ = false;
    const Call call = std::move(waiting_.front());
    waiting_.pop_front();
    try {
      if (any_waits()) post_next(io);
    } catch (const std::bad_alloc&) {  // the next `join` posts
    }
    call();
  }

  std::deque<Call> waiting_;
  bool is_posted_ = false;
};

}  // namespace pitboss::server
