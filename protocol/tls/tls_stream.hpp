#pragma once

#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace pitboss::tls {

using boost::system::error_code;
using Context = boost::asio::ssl::context;

/// For servers: the file of the certificate, followed by the intermediate ones up to its root, and
/// the file of its private key, both PEM. Throws std::runtime_error with a sentence.
[[nodiscard]] std::shared_ptr<Context> server_context(const std::string& certificate,
                                                      const std::string& key);
/// Whole days for which the certificate of `server_context` is still valid; negative if it has
/// expired.
[[nodiscard]] int days_left(Context& context);
/// Whether that time has begun.
[[nodiscard]] bool is_valid_yet(Context& context);
/// For clients: trusts the certificates in the PEM file, or the system's if `ca_file` is empty.
/// Throws std::runtime_error with a sentence.
[[nodiscard]] std::shared_ptr<Context> client_context(const std::string& ca_file);

/// TLS 1.2 or 1.3 over a non-blocking socket, which the stream does not own. No member blocks: an
/// operation that has to wait for the peer gives asio's error `would_block`; call it again when the
/// socket is writable if `wants_to_write`, else when it is readable. One thread at a time.
class TlsStream {
 public:
  /// A server's end of a new connection.
  TlsStream(Context& context, int socket);
  /// A client's end. The server's certificate must be for `host`, a name or an address.
  TlsStream(Context& context, int socket, const std::string& host);

  /// The handshake, to be called again after `would_block`; must succeed before bytes are read or
  /// written.
  void shake_hands(error_code& error);
  /// Takes as many bytes as have arrived and fit. The error is `eof` when the peer has ended its
  /// output in due form, and another one if the connection just breaks.
  std::size_t read_some(std::span<char> room, error_code& error);
  /// Sends a prefix of `bytes`, which must not be empty. After `would_block` the next call has to
  /// begin with the same bytes.
  std::size_t write_some(std::string_view bytes, error_code& error);
  /// Tells the peer that no more will be sent.
  void end_output(error_code& error);

  /// Whether the peer has sent anything that was read.
  [[nodiscard]] bool has_begun() const { return SSL_in_before(ssl_.get()) == 0; }
  [[nodiscard]] bool wants_to_write() const { return SSL_want_write(ssl_.get()) != 0; }
  /// After an error of `shake_hands`: what was wrong, for people.
  [[nodiscard]] std::string why(const error_code& error) const;

 private:
  struct Free {
    void operator()(SSL* ssl) const { SSL_free(ssl); }
  };

  TlsStream(Context& context, int socket, bool is_server);
  [[nodiscard]] error_code error_of(int result) const;

  std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace pitboss::tls
