#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <functional>
#include <memory>
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
    if (waiting_.size() == 1) post_first(io);
  }

 private:
  void post_first(boost::asio::io_context& io) {
    boost::asio::post(io, [self = shared_from_this(), &io] {
      const Call call = std::move(self->waiting_.front());
      self->waiting_.pop_front();
      if (self->any_waits()) self->post_first(io);
      call();
    });
  }

  std::deque<Call> waiting_;  ///< the first is posted
};

}  // namespace pitboss::server
