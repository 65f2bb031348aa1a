#include "server/net/connection.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <exception>
#include <utility>

#include "protocol/awaiting.hpp"
#include "server/net/peer.hpp"

namespace pitboss::server {

namespace asio = boost::asio;
using boost::system::error_code;
using namespace std::chrono_literals;

namespace {

constexpr auto takes_nothing = "the client does not read";
// How long a peer may take to close after us. Closing a socket that still receives input would
// send a reset, which destroys answers that the peer has not read yet.
constexpr auto linger_time = 2s;
constexpr auto linger_time_draining = 300ms;

/// Empty for a conversation without a session.
std::string text_of(const SessionRecord& record) {
  if (record.game.empty()) return {};
  return "; " + std::string(record.game) + ", " + std::to_string(record.commands) +
         (record.commands == 1 ? " command" : " commands");
}

bool would_block(const error_code& error) {
  return error == asio::error::would_block || error == asio::error::try_again;
}

}  // namespace

Connection::Connection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
                       tls::Context* context)
    : shared_(shared),
      address_(std::move(address)),
      stream_(std::move(socket), context),
      entry_deadline_(SteadyClock::now() + shared_.limits.entry) {
  ++shared_.sockets;
  ++address_->connections;
  prepare_socket(stream_.socket(), shared_.limits.write_timeout);
}

void Connection::serve(SessionConfig config, std::uint64_t number) {
  const std::string peer = peer_name(stream_.socket());
  const std::string who = "session " + std::to_string(number) + ": ";
  config.on_limit = [&shared = shared_, who, peer,
                     host = config.client.address](protocol::Limit limit) {
    shared.counters.met(limit);
    if (limit == protocol::Limit::wrong_token) {  // on the I/O thread, which handles `auth`
      shared.stranger_log.note(who + peer + " has shown a wrong token");
      shared.guesses.note(host, SteadyClock::now());
    } else {
      spdlog::debug("{}refused by the limit {}", who, protocol::row_of(limit).name);
    }
  };
  number_ = number;
  peer_ = peer;
  conversation_ = std::make_shared<Conversation>(shared_, address_, number, [this] { settle(); });
  conversation_->begin(std::move(config));
  shared_.counters.sessions.add();
  shared_.stranger_log.note(who + peer_ + " connected");
  start();
}

void Connection::refuse(std::string answer, const std::string& why) {
  shared_.stranger_log.note(peer_name(stream_.socket()) + " refused: " + why);
  conversation_ = std::make_shared<Conversation>(shared_, std::move(answer));
  start();
  settle();
}

void Connection::start() {
  asio::co_spawn(shared_.io, live(),
                 [self = shared_from_this()](const std::exception_ptr& e) { self->end_of(e); });
}

// A coroutine has ended; it throws only if memory has run out.
void Connection::end_of(const std::exception_ptr& error) {
  if (!error) return;
  shared_.counters.internal_errors.add();
  drop("internal error");
}

// Waits for the socket: for a step of the handshake, for input, or if no input is wanted, for an
// error. `wake` makes it check again which of these to wait for.
asio::awaitable<void> Connection::live() {
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

void Connection::get_ready() {
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

bool Connection::wants_to_read() const {
  return phase_ == Phase::lingering || conversation_->wants_input();
}

void Connection::read() {
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
void Connection::settle() {
  if (phase_ != Phase::talking) return;
  note_token();
  const bool may_send = stream_.is_ready() && !writing_ && !conversation_->holds_back();
  if (may_send) send();
  if (phase_ != Phase::talking) return;
  if (may_send && !conversation_->outbox().empty()) {
    writing_ = true;
    write_deadline_ = SteadyClock::now() + shared_.limits.write_timeout;
    asio::co_spawn(shared_.io, write_rest(),
                   [self = shared_from_this()](const std::exception_ptr& e) { self->end_of(e); });
  }
  if (conversation_->is_over() && conversation_->outbox().empty()) {
    if (end_.empty()) end_ = conversation_->why_over();
    return linger();
  }
  if (wants_to_read() != reading_) wake();
}

void Connection::note_token() {
  const protocol::Identity& client = conversation_->client();
  if (client.name.empty() || std::exchange(is_named_, true)) return;
  peer_ += " (" + client.name + ")";
  shared_.client_log.note("session " + std::to_string(number_) + ": " + peer_ + " has the right " +
                          std::string(name_of(client.right)));
}

asio::awaitable<void> Connection::write_rest() {
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

std::size_t Connection::send() {
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

void Connection::note_half_close(SteadyClock::time_point now) {
  if (std::exchange(half_closed_, true)) return;
  deadline_ = now + shared_.limits.half_close;
}

void Connection::linger() {
  if (!stream_.is_ready()) return close();
  phase_ = Phase::lingering;
  stream_.end_output();
  deadline_ = SteadyClock::now() + (shared_.draining ? linger_time_draining : linger_time);
  wake();
}

// TCP_USER_TIMEOUT (peer.cpp) may end a client that reads nothing before `write_deadline_` does.
void Connection::fail(const error_code& error) {
  if (error != asio::error::timed_out || conversation_->outbox().empty()) {
    return drop(error.message());
  }
  shared_.counters.met(protocol::Limit::write_timeout);
  drop(takes_nothing);
}

void Connection::drop(const std::string& why) {
  if (phase_ == Phase::gone) return;
  end_ = why;
  close();
}

void Connection::close() {
  phase_ = Phase::gone;
  --shared_.sockets;
  --address_->connections;
  if (number_ != 0) {
    auto& log = is_named_ ? shared_.client_log : shared_.stranger_log;
    log.note("session " + std::to_string(number_) + ": " + peer_ + " disconnected" +
             (end_.empty() ? "" : ": " + end_) + text_of(conversation_->record()));
  }
  error_code ignored;
  stream_.socket().close(ignored);
  conversation_->abandon();
}

void Connection::wake() {
  error_code ignored;
  stream_.socket().cancel(ignored);
}

void Connection::drain() {
  if (phase_ == Phase::talking) conversation_->end_soon();
  if (phase_ == Phase::lingering) {
    deadline_ = std::min(deadline_, SteadyClock::now() + linger_time_draining);
  }
}

bool Connection::is_entering() const {
  return phase_ == Phase::talking && number_ != 0 &&
         (!stream_.is_ready() || conversation_->is_stranger());
}

std::string Connection::row(SteadyClock::time_point now) const {
  const protocol::Identity& client = this->client();
  const bool is_idle = conversation_->idle_since() != SteadyClock::time_point::max();
  const auto since = std::chrono::floor<std::chrono::seconds>(now - conversation_->last_active());
  return std::to_string(number_) + ' ' + peer_name(stream_.socket()) + ' ' +
         (client.name.empty() ? "-" : client.name) + ' ' + std::string(name_of(client.right)) +
         (is_idle ? " idle " : " busy ") + std::to_string(since.count());
}

void Connection::expel(const std::string& why) {
  end_ = why;
  expelled_at_ = SteadyClock::now();
  if (phase_ == Phase::talking) conversation_->expel();
}

/// Whether the peer has closed its socket; false if the system may not be asked now.
bool Connection::has_gone() {
  if (shared_.peer_questions == 0) return false;
  --shared_.peer_questions;
  return peer_has_closed(stream_.socket());
}

// The client's time for the handshake and the token is over.
void Connection::end_entry() {
  entry_deadline_ = SteadyClock::time_point::max();
  if (stream_.is_ready() && !conversation_->is_stranger()) return;
  shared_.counters.met(protocol::Limit::entry_seconds);
  if (!stream_.is_ready()) return drop("no handshake");
  end_ = "no token";
  conversation_->end_soon();
}

void Connection::check(SteadyClock::time_point now) {
  if (phase_ == Phase::lingering && now >= deadline_) return close();
  if (phase_ != Phase::talking) return;
  if (now >= entry_deadline_) end_entry();
  if (phase_ != Phase::talking) return;
  if (expelled_at_ && now >= *expelled_at_ + linger_time) return drop(end_);
  if (writing_ && now >= write_deadline_) {
    shared_.counters.met(protocol::Limit::write_timeout);
    return drop(takes_nothing);
  }
  conversation_->check(now);
  if (conversation_->is_busy()) {
    // The end of input may follow lines that have not been read; then only poll reports it.
    if (!half_closed_ && !wants_to_read() && peer_has_ended_input(stream_.socket()))
      note_half_close(now);
    if (half_closed_) {
      if (has_gone()) return drop("the client has gone");
      if (now >= deadline_) {
        if (!std::exchange(hurried_, true)) {
          shared_.counters.met(protocol::Limit::half_close_seconds);
        }
        conversation_->hurry();
      }
    }
  }
  const auto idle = shared_.limits.idle;
  if (idle > 0ms && now - idle >= conversation_->idle_since()) {
    end_ = "idle";
    shared_.counters.met(protocol::Limit::idle_seconds);
    conversation_->end_soon();
  }
}

}  // namespace pitboss::server
