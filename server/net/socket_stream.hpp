#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/tls/tls_stream.hpp"

namespace pitboss::server {

/// A client's non-blocking socket, with TLS over it if its port speaks TLS. Bytes pass once
/// `is_ready`; the error `would_block` means that none can pass at the moment.
class SocketStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Error = boost::system::error_code;

  /// Without a context there is no TLS.
  SocketStream(Socket socket, tls::Context* context);

  [[nodiscard]] Socket& socket() { return socket_; }
  [[nodiscard]] const Socket& socket() const { return socket_; }

  /// Whether the handshake, if any, is over. Until then call `get_ready` whenever the socket is in
  /// the state that `ready_when` names.
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] Socket::wait_type ready_when() const;
  void get_ready(Error& error);
  /// After an error of `get_ready`: whether the client speaks no TLS. Then bytes pass unencrypted.
  [[nodiscard]] bool is_plain() const { return !tls_.has_value(); }
  [[nodiscard]] std::string why(const Error& error) const;

  std::size_t read_some(std::span<char> room, Error& error);
  std::size_t write_some(std::string_view bytes, Error& error);
  /// After `would_block` of `write_some`: whether TLS waits for bytes of the peer, which only a
  /// misbehaving client holds back.
  [[nodiscard]] bool wants_input() const { return tls_ && !tls_->wants_to_write(); }
  /// Tells the peer that no more will be sent.
  void end_output();

 private:
  Socket socket_;
  std::optional<tls::TlsStream> tls_;
  bool is_ready_;
};

}  // namespace pitboss::server
