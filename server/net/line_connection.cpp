#include "server/net/line_connection.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/error.hpp>
#include <exception>
#include <utility>

#include "protocol/awaiting.hpp"
#include "server/net/peer.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using boost::system::error_code;

void LineConnection::serve(SessionConfig config, std::uint64_t number) {
  begin_conversation(std::move(config), number);
  spawn(live());
}

void LineConnection::refuse(const std::string& why) {
  note_refusal(why);
  conversation_ = std::make_shared<Conversation>(shared_, "? " + why + "\n\n");
  spawn(live());
  settle();
}

// Waits for the socket: for a step of the handshake, for input, or if no input is wanted, for an
// error. `wake` makes it check again which of these to wait for.
asio::awaitable<void> LineConnection::live() {
  while (phase_ != Phase::gone) {
    reading_ = wants_to_read();
    const auto kind = !stream_.is_ready() ? stream_.ready_when()
                      : reading_          ? Socket::wait_read
                                          : Socket::wait_error;
    const auto [error] = co_await stream_.socket().async_wait(kind, protocol::awaiting);
    if (phase_ == Phase::gone || error == asio::error::operation_aborted) continue;
    if (error) {
      fail(error);
    } else if (!stream_.is_ready()) {
      get_ready();
    } else if (reading_) {
      read();
    } else if (const auto why = why_broken(stream_.socket())) {
      fail(why);
    } else {
      discard_urgent_data(stream_.socket());
    }
  }
}

void LineConnection::get_ready() {
  error_code error;
  stream_.get_ready(error);
  if (would_block(error)) return;
  if (!error) return settle();
  if (!stream_.is_plain()) return drop(stream_.why(error));
  end_ = stream_.why(error);
  conversation_->abandon();
  conversation_ = std::make_shared<Conversation>(
      shared_, "? TLS is spoken on this port: connect to tls://HOST:PORT\n\n");
  settle();
}

bool LineConnection::wants_to_read() const {
  return phase_ == Phase::lingering || conversation_->wants_input();
}

void LineConnection::read() {
  error_code error;
  const auto size = stream_.read_some(shared_.chunk, error);
  if (would_block(error)) return;
  shared_.counters.bytes_received.add(static_cast<std::int64_t>(size));
  if (phase_ == Phase::lingering) {
    if (error) close();
    return;
  }
  try {
    if (!error) {
      conversation_->receive({shared_.chunk.data(), size});
    } else if (error == asio::error::eof) {
      note_half_close(SteadyClock::now());
      conversation_->end_input();
    } else {
      fail(error);
    }
  } catch (const std::exception& exception) {
    spdlog::error("session {}: {} while reading", number_, exception.what());
    shared_.counters.internal_errors.add();
    drop("internal error");
  }
}

// Makes the socket follow the state of the conversation. Most answers are sent at once, without a
// wait.
void LineConnection::settle() {
  if (phase_ != Phase::talking) return;
  note_token();
  const bool may_send = stream_.is_ready() && !writing_ && !conversation_->holds_back();
  if (may_send) send();
  if (phase_ != Phase::talking) return;
  if (may_send && !conversation_->outbox().empty()) {
    writing_ = true;
    write_deadline_ = SteadyClock::now() + shared_.limits.write_timeout;
    spawn(write_rest());
  }
  if (conversation_->is_over() && conversation_->outbox().empty()) {
    if (end_.empty()) end_ = conversation_->why_over();
    return linger();
  }
  if (wants_to_read() != reading_) wake();
}

asio::awaitable<void> LineConnection::write_rest() {
  while (phase_ == Phase::talking && !conversation_->outbox().empty()) {
    const auto [error] =
        co_await stream_.socket().async_wait(Socket::wait_write, protocol::awaiting);
    if (phase_ != Phase::talking) break;
    if (error && error != asio::error::operation_aborted) {
      fail(error);
      break;
    }
    if (send() > 0) write_deadline_ = SteadyClock::now() + shared_.limits.write_timeout;
    conversation_->sent();
  }
  writing_ = false;
  settle();
}

std::size_t LineConnection::send() {
  auto& outbox = conversation_->outbox();
  if (outbox.empty()) return 0;
  error_code error;
  const auto size = stream_.write_some(outbox.front(), error);
  outbox.pop(size);
  shared_.counters.bytes_sent.add(static_cast<std::int64_t>(size));
  if (would_block(error)) {
    if (stream_.wants_input()) drop("TLS that does not take output");
  } else if (error) {
    fail(error);
  }
  return size;
}

void LineConnection::note_half_close(SteadyClock::time_point now) {
  if (std::exchange(half_closed_, true)) return;
  search_deadline_ = now + shared_.limits.half_close;
}

void LineConnection::linger() {
  if (!stream_.is_ready()) return close();
  begin_lingering();
  stream_.end_output();
  wake();
}

void LineConnection::wake() {
  error_code ignored;
  stream_.socket().cancel(ignored);
}

/// Whether the peer has closed its socket; false if the system may not be asked now.
bool LineConnection::has_gone() {
  if (shared_.peer_questions == 0) return false;
  --shared_.peer_questions;
  return peer_has_closed(stream_.socket());
}

void LineConnection::check_busy(SteadyClock::time_point now) {
  // The end of input may follow lines that have not been read; then only poll reports it.
  if (!half_closed_ && !wants_to_read() && peer_has_ended_input(stream_.socket())) {
    note_half_close(now);
  }
  if (!half_closed_) return;
  if (has_gone()) return drop("the client has gone");
  if (now < search_deadline_) return;
  if (!std::exchange(hurried_, true)) shared_.counters.met(protocol::Limit::half_close_seconds);
  conversation_->hurry();
}

}  // namespace pitboss::server
