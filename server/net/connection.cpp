#include "server/net/connection.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <exception>
#include <utility>

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

}  // namespace

bool would_block(const error_code& error) {
  return error == asio::error::would_block || error == asio::error::try_again;
}

Connection::Connection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
                       tls::Context* context)
    : shared_(shared),
      address_(std::move(address)),
      stream_(std::move(socket), context),
      entry_deadline_(SteadyClock::now() + shared_.limits.entry) {
  ++shared_.gauges.sockets;
  ++address_->connections;
  prepare_socket(stream_.socket(), shared_.limits.write_timeout);
}

void Connection::begin_conversation(SessionConfig config, std::uint64_t number) {
  const std::string peer = peer_name(stream_.socket());
  const std::string who = "session " + std::to_string(number) + ": ";
  config.on_limit = [&shared = shared_, who, peer,
                     host = config.client.address](protocol::Limit limit) {
    shared.counters.met(limit);
    if (limit == protocol::Limit::wrong_token) {  // on the I/O thread, which handles `auth`
      shared.stranger_log.note(who + peer + " has shown a wrong token");
      shared.guesses.note(host, protocol::Guesses::TimePoint::clock::now());
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
}

void Connection::note_refusal(const std::string& why) {
  shared_.stranger_log.note(peer_name(stream_.socket()) + " refused: " + why);
}

void Connection::spawn(asio::awaitable<void> coroutine) {
  asio::co_spawn(shared_.io, std::move(coroutine),
                 [self = shared_from_this()](const std::exception_ptr& error) {
                   if (!error) return;
                   self->shared_.counters.internal_errors.add();
                   self->drop("internal error");
                 });
}

void Connection::note_token() {
  const protocol::Identity& client = conversation_->client();
  if (client.name.empty() || std::exchange(is_named_, true)) return;
  peer_ += " (" + client.name + ")";
  shared_.client_log.note("session " + std::to_string(number_) + ": " + peer_ + " has the right " +
                          std::string(name_of(client.right)));
}

void Connection::begin_lingering() {
  phase_ = Phase::lingering;
  deadline_ = SteadyClock::now() + (shared_.draining ? linger_time_draining : linger_time);
}

// TCP_USER_TIMEOUT (peer.cpp) may end a client that reads nothing before `write_deadline` does.
void Connection::fail(const error_code& error) {
  if (error != asio::error::timed_out || waiting_bytes() == 0) return drop(error.message());
  shared_.counters.met(protocol::Limit::write_timeout);
  drop(takes_nothing);
}

void Connection::drop(const std::string& why) {
  if (phase_ == Phase::gone) return;
  end_ = why;
  close();
}

void Connection::close() {
  if (std::exchange(phase_, Phase::gone) == Phase::gone) return;
  --shared_.gauges.sockets;
  --address_->connections;
  if (number_ != 0) {
    auto& log = is_named_ ? shared_.client_log : shared_.stranger_log;
    log.note("session " + std::to_string(number_) + ": " + peer_ + " disconnected" +
             (end_.empty() ? "" : ": " + end_) + text_of(conversation_->record()));
  }
  error_code ignored;
  stream_.socket().close(ignored);
  if (conversation_) conversation_->abandon();
  end_waits();
}

void Connection::drain() {
  if (phase_ == Phase::talking) conversation_ ? conversation_->end_soon() : close();
  if (phase_ == Phase::lingering) {
    deadline_ = std::min(deadline_, SteadyClock::now() + linger_time_draining);
  }
}

bool Connection::is_entering() const {
  return phase_ == Phase::talking && number_ != 0 && (!is_ready() || conversation_->is_stranger());
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

// The client's time for the handshakes and the token is over.
void Connection::end_entry() {
  entry_deadline_ = SteadyClock::time_point::max();
  if (is_ready() && !conversation_->is_stranger()) return;
  shared_.counters.met(protocol::Limit::entry_seconds);
  if (!is_ready()) return drop("no handshake");
  end_ = "no token";
  conversation_->end_soon();
}

void Connection::check(SteadyClock::time_point now) {
  if (phase_ == Phase::lingering && now >= deadline_) return close();
  if (phase_ != Phase::talking) return;
  if (now >= entry_deadline_) end_entry();
  if (phase_ != Phase::talking) return;
  if (expelled_at_ && now >= *expelled_at_ + linger_time) return drop(end_);
  if (now >= write_deadline()) {
    shared_.counters.met(protocol::Limit::write_timeout);
    return drop(takes_nothing);
  }
  if (!conversation_) return;
  conversation_->check(now);
  if (conversation_->is_busy()) check_busy(now);
  check_quiet(now);
  if (phase_ != Phase::talking) return;
  const auto idle = shared_.limits.idle;
  if (idle > 0ms && now - idle >= conversation_->idle_since()) {
    end_ = "idle";
    shared_.counters.met(protocol::Limit::idle_seconds);
    conversation_->end_soon();
  }
}

}  // namespace pitboss::server
