#include "protocol/http.hpp"

#include <algorithm>

#include "games/letter_case.hpp"

namespace pitboss::protocol {

namespace {

bool is_digit_or_dot(char c) { return (c >= '0' && c <= '9') || c == '.'; }

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
  if (host.starts_with("[::1]")) return true;
  host = host.substr(0, host.find(':'));
  if (host.ends_with('.')) host.remove_suffix(1);
  if (games::same_ignoring_case(host, "localhost")) return true;
  const bool is_address = std::ranges::all_of(host, is_digit_or_dot);
  return is_address && host.starts_with("127.") && std::ranges::count(host, '.') == 3;
}

}  // namespace pitboss::protocol
