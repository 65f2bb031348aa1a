#include "server/net/socket_stream.hpp"

#include <sys/socket.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <utility>

namespace pitboss::server {

namespace asio = boost::asio;

namespace {

/// Whether the client's first byte has come and cannot begin a TLS handshake.
bool begins_without_tls(SocketStream::Socket& socket) {
  constexpr unsigned char handshake_record = 22;
  unsigned char first = 0;
  const auto size = ::recv(socket.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT);
  return size == 1 && first != handshake_record;
}

}  // namespace

SocketStream::SocketStream(Socket socket, tls::Context* context)
    : socket_(std::move(socket)), is_ready_(context == nullptr) {
  if (context != nullptr) tls_.emplace(*context, socket_.native_handle());
}

SocketStream::Socket::wait_type SocketStream::ready_when() const {
  return tls_ && tls_->wants_to_write() ? Socket::wait_write : Socket::wait_read;
}

void SocketStream::get_ready(Error& error) {
  if (!tls_->has_begun() && begins_without_tls(socket_)) {
    tls_.reset();
    is_ready_ = true;
    error = asio::error::no_protocol_option;
    return;
  }
  tls_->shake_hands(error);
  is_ready_ = !error;
}

std::string SocketStream::why(const Error& error) const {
  return tls_ ? tls_->why(error) : "the client speaks no TLS";
}

std::size_t SocketStream::read_some(std::span<char> room, Error& error) {
  if (tls_) return tls_->read_some(room, error);
  return socket_.read_some(asio::buffer(room.data(), room.size()), error);
}

std::size_t SocketStream::write_some(std::string_view bytes, Error& error) {
  if (tls_) return tls_->write_some(bytes, error);
  return socket_.write_some(asio::buffer(bytes), error);
}

void SocketStream::end_output() {
  Error ignored;
  if (tls_) tls_->end_output(ignored);
  socket_.shutdown(Socket::shutdown_send, ignored);
}

}  // namespace pitboss::server
