#pragma once

#include <string>
#include <string_view>
#include <vector>

/// HTTP, as far as a port that speaks GTP, or serves a page on this machine, has to know it: a web
/// page can make the browser of whoever reads it send requests to any port of that machine.
namespace pitboss::protocol {

/// Whether a connection's first line is that of an HTTP request: a request line with any method and
/// version, or the header Host.
[[nodiscard]] bool is_http(std::string_view first_line);

/// The answer to an HTTP request on a port that speaks GTP.
[[nodiscard]] std::string_view http_refusal();

/// Whether the value of a request's header Host, with or without a port, names the machine's own
/// loopback interface (localhost, 127.0.0.0/8, ::1) and not a name that somebody else has pointed
/// there (DNS rebinding).
[[nodiscard]] bool is_loopback_host(std::string_view host);

/// By which names a server for browsers is asked, and the pages of which others may use it.
struct WebAddress {
  bool is_local = true;                ///< only this machine reaches it
  std::string host{};                  ///< as the command line names it, without a port
  std::vector<std::string> origins{};  ///< of other pages, as `https://board.example.org`
};

/// Whether the value of a request's header Host is this server's: the name that it listens on, the
/// host of one of its `origins`, or what nobody can point elsewhere, this machine's loopback names,
/// and beyond loopback any address in digits.
[[nodiscard]] bool is_own_host(const WebAddress& address, std::string_view host);
/// Whether a page of this Origin may open a WebSocket: one that was read under the request's Host,
/// or one of `origins`.
[[nodiscard]] bool is_own_origin(const WebAddress& address, std::string_view origin,
                                 std::string_view host);
/// Whether the text has the form of an Origin: SCHEME://HOST[:PORT], with http or https.
[[nodiscard]] bool is_origin(std::string_view text);

}  // namespace pitboss::protocol
