#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "protocol/tls/tls_stream.hpp"

namespace pitboss::server {

/// A client's socket, which does not block, and TLS over it if its port speaks that. Bytes pass
/// when it is ready; `would_block` says that nothing can pass just now.
class SocketStream {
 public:
  using Socket = boost::asio::ip::tcp::socket;
  using Error = boost::system::error_code;

  /// Without a context: as it is.
  SocketStream(Socket socket, tls::Context* context);

  [[nodiscard]] Socket& socket() { return socket_; }
  [[nodiscard]] const Socket& socket() const { return socket_; }

  /// Whether the handshake is over, if there is one. Before that `get_ready` is to be called
  /// whenever the socket has become what `ready_when` says.
  [[nodiscard]] bool is_ready() const { return is_ready_; }
  [[nodiscard]] Socket::wait_type ready_when() const;
  void get_ready(Error& error);
  /// After an error of `get_ready`: whether the client speaks no TLS. Then bytes pass as they are.
  [[nodiscard]] bool is_plain() const { return !tls_.has_value(); }
  [[nodiscard]] std::string why(const Error& error) const;

  std::size_t read_some(std::span<char> room, Error& error);
  std::size_t write_some(std::string_view bytes, Error& error);
  /// After `would_block` of `write_some`: whether it is the peer's turn to send, which no client of
  /// good will makes us wait for.
  [[nodiscard]] bool wants_input() const { return tls_ && !tls_->wants_to_write(); }
  /// Says that no more will be sent.
  void end_output();

 private:
  Socket socket_;
  std::optional<tls::TlsStream> tls_;
  bool is_ready_;
};

}  // namespace pitboss::server
