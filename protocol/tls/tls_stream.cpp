#include "protocol/tls/tls_stream.hpp"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/error.hpp>
#include <cerrno>
#include <csignal>
#include <new>
#include <stdexcept>

#include "games/text_file.hpp"

namespace pitboss::tls {

namespace asio = boost::asio;

namespace {

std::shared_ptr<Context> make_context(Context::method method) {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets whose peers may have gone
  auto context = std::make_shared<Context>(method);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  // Of TLS 1.2 only suites with forward secrecy and authenticated encryption, as TLS 1.3 has them.
  const char* const suites = "ECDHE+AESGCM:ECDHE+CHACHA20:DHE+AESGCM:DHE+CHACHA20";
  if (SSL_CTX_set_cipher_list(native, suites) != 1) {
    throw std::runtime_error("OpenSSL has none of the suites for TLS 1.2: " + std::string(suites));
  }
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION);
  SSL_CTX_set_mode(native, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                               SSL_MODE_RELEASE_BUFFERS);
  return context;
}

void expect(const error_code& error, const std::string& what) {
  if (error) throw std::runtime_error(what + ": " + error.message());
}

}  // namespace

std::shared_ptr<Context> server_context(const std::string& certificate, const std::string& key) {
  auto context = make_context(Context::tls_server);
  error_code error;
  // Keeps OpenSSL from asking at the terminal for a key's passphrase.
  context->set_password_callback([](auto&&...) { return std::string(); }, error);
  context->use_certificate_chain(asio::buffer(games::read_text_file(certificate)), error);
  expect(error, "cannot use the certificate in " + certificate);
  std::string secret = games::read_text_file(key);
  context->use_private_key(asio::buffer(secret), Context::pem, error);
  OPENSSL_cleanse(secret.data(), secret.size());
  expect(error, "cannot use the private key in " + key + " for the certificate in " + certificate);
  return context;
}

int days_left(Context& context) {
  const X509* const certificate = SSL_CTX_get0_certificate(context.native_handle());
  int days = 0;
  int seconds = 0;
  if (certificate == nullptr ||
      ASN1_TIME_diff(&days, &seconds, nullptr, X509_get0_notAfter(certificate)) != 1) {
    return -1;
  }
  return seconds < 0 ? days - 1 : days;
}

bool is_valid_yet(Context& context) {
  const X509* const certificate = SSL_CTX_get0_certificate(context.native_handle());
  return certificate != nullptr && X509_cmp_current_time(X509_get0_notBefore(certificate)) < 0;
}

std::shared_ptr<Context> client_context(const std::string& ca_file) {
  auto context = make_context(Context::tls_client);
  error_code error;
  if (ca_file.empty()) {
    context->set_default_verify_paths(error);
    expect(error, "cannot use the system's certificates");
  } else {
    context->add_certificate_authority(asio::buffer(games::read_text_file(ca_file)), error);
    expect(error, "cannot use the certificates in " + ca_file);
  }
  context->set_verify_mode(asio::ssl::verify_peer);
  return context;
}

TlsStream::TlsStream(Context& context, int socket, bool is_server)
    : ssl_(SSL_new(context.native_handle())) {
  if (!ssl_ || SSL_set_fd(ssl_.get(), socket) != 1) throw std::bad_alloc();
  is_server ? SSL_set_accept_state(ssl_.get()) : SSL_set_connect_state(ssl_.get());
}

TlsStream::TlsStream(Context& context, int socket) : TlsStream(context, socket, true) {}

TlsStream::TlsStream(Context& context, int socket, const std::string& host)
    : TlsStream(context, socket, false) {
  error_code error;
  static_cast<void>(asio::ip::make_address(host, error));
  X509_VERIFY_PARAM* const wanted = SSL_get0_param(ssl_.get());
  const bool is_set = error ? SSL_set_tlsext_host_name(ssl_.get(), host.c_str()) == 1 &&
                                  SSL_set1_host(ssl_.get(), host.c_str()) == 1
                            : X509_VERIFY_PARAM_set1_ip_asc(wanted, host.c_str()) == 1;
  if (!is_set) throw std::bad_alloc();
}

error_code TlsStream::error_of(int result) const {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_NONE:
      return {};
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return asio::error::would_block;
    case SSL_ERROR_ZERO_RETURN:
      return asio::error::eof;
    case SSL_ERROR_SYSCALL:
      if (errno != 0) return {errno, boost::system::system_category()};
      return asio::ssl::error::stream_truncated;
    default: {
      const auto code = ERR_get_error();
      const bool is_cut = ERR_GET_REASON(code) == SSL_R_UNEXPECTED_EOF_WHILE_READING;
      if (is_cut) return asio::ssl::error::stream_truncated;
      return {static_cast<int>(code), asio::error::get_ssl_category()};
    }
  }
}

void TlsStream::shake_hands(error_code& error) {
  ERR_clear_error();
  errno = 0;
  error = error_of(SSL_do_handshake(ssl_.get()));
}

std::size_t TlsStream::read_some(std::span<char> room, error_code& error) {
  ERR_clear_error();
  errno = 0;
  std::size_t size = 0;
  error = error_of(SSL_read_ex(ssl_.get(), room.data(), room.size(), &size));
  return error ? 0 : size;
}

std::size_t TlsStream::write_some(std::string_view bytes, error_code& error) {
  ERR_clear_error();
  errno = 0;
  std::size_t size = 0;
  error = error_of(SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &size));
  return error ? 0 : size;
}

void TlsStream::end_output(error_code& error) {
  ERR_clear_error();
  errno = 0;
  const int result = SSL_shutdown(ssl_.get());
  error = result < 0 ? error_of(result) : error_code{};  // 0: sent; the peer has not ended yet
}

std::string TlsStream::why(const error_code& error) const {
  const long verdict = SSL_get_verify_result(ssl_.get());
  if (verdict != X509_V_OK) {
    const bool is_unknown = verdict == X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT ||
                            verdict == X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN ||
                            verdict == X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY ||
                            verdict == X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE;
    return std::string("the server's certificate: ") + X509_verify_cert_error_string(verdict) +
           (is_unknown ? "; --ca-file FILE (ca_file in an experiment) says which one to trust"
                       : "");
  }
  if (ERR_GET_REASON(static_cast<unsigned long>(error.value())) == SSL_R_WRONG_VERSION_NUMBER &&
      error.category() == asio::error::get_ssl_category()) {
    return "TLS: the port speaks none; its address is without tls://";
  }
  if (error == asio::ssl::error::stream_truncated) return "no TLS: the connection was closed";
  return "TLS: " + error.message();
}

}  // namespace pitboss::tls
