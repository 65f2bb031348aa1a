#pragma once

#include <string_view>

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

}  // namespace pitboss::protocol
