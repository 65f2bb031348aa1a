#include "protocol/http.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>

#include "environment/loopback.hpp"
#include "games/letter_case.hpp"

namespace pitboss::protocol {

namespace {

bool is_digit_or_dot(char c) { return (c >= '0' && c <= '9') || c == '.'; }

/// HOST[:PORT] of an Origin; empty if it is none.
std::string_view authority_of(std::string_view origin) {
  const auto scheme = origin.find("://");
  if (scheme == std::string_view::npos) return {};
  const std::string_view name = origin.substr(0, scheme);
  const bool is_web =
      games::same_ignoring_case(name, "http") || games::same_ignoring_case(name, "https");
  const std::string_view rest = origin.substr(scheme + 3);
  return is_web && rest.find_first_of("/?#@ ") == std::string_view::npos ? rest
                                                                         : std::string_view();
}

/// Without the port, and without the brackets of an IPv6 address.
std::string_view without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(1, host.find(']') - 1);
  return host.substr(0, host.find(':'));
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), bytes.data()) == 1;
}

}  // namespace

bool is_http(std::string_view first_line) {
  constexpr std::string_view header = "host:";
  if (games::same_ignoring_case(first_line.substr(0, header.size()), header)) return true;
  constexpr std::string_view protocol = "HTTP/";
  const auto blank = first_line.rfind(' ');
  if (blank == std::string_view::npos) return false;
  std::string_view version = first_line.substr(blank + 1);
  if (!version.starts_with(protocol)) return false;
  version.remove_prefix(protocol.size());
  if (version.ends_with('\r')) version.remove_suffix(1);
  return !version.empty() && std::ranges::all_of(version, is_digit_or_dot);
}

std::string_view http_refusal() {
  return "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n"
         "This port speaks GTP, not HTTP. Nothing of the request was obeyed.\n";
}

bool is_loopback_host(std::string_view host) {
  const bool is_whole = !host.starts_with('[') || host.find(']') != std::string_view::npos;
  return is_whole && environment::is_loopback(std::string(without_port(host)));
}

bool is_own_host(const WebAddress& address, std::string_view host) {
  if (is_loopback_host(host)) return true;
  if (host.empty()) return false;
  const auto is_listed = [host](std::string_view origin) {
    return games::same_ignoring_case(authority_of(origin), host);
  };
  if (std::ranges::any_of(address.origins, is_listed)) return true;
  const std::string name(without_port(host));
  if (games::same_ignoring_case(name, address.host)) return true;
  return !address.is_local && is_address(name);
}

bool is_own_origin(const WebAddress& address, std::string_view origin, std::string_view host) {
  const auto is_listed = [origin](std::string_view other) {
    return games::same_ignoring_case(origin, other);
  };
  if (std::ranges::any_of(address.origins, is_listed)) return true;
  return is_origin(origin) && games::same_ignoring_case(authority_of(origin), host);
}

bool is_origin(std::string_view text) { return !authority_of(text).empty(); }

}  // namespace pitboss::protocol
