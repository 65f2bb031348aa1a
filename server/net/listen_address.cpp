#include "server/net/listen_address.hpp"

#include <charconv>
#include <stdexcept>
#include <system_error>

namespace pitboss::server {

ListenAddress parse_listen_address(std::string_view text) {
  const auto refuse = [text](const std::string& why) -> ListenAddress {
    throw std::invalid_argument("cannot listen on '" + std::string(text) + "': " + why);
  };
  ListenAddress address;
  std::string_view rest = text;
  if (const auto comma = rest.rfind(','); comma != rest.npos) {
    if (rest.substr(comma) != ",tls") return refuse("expected 'tls' after ','");
    address.tls = true;
    rest = rest.substr(0, comma);
  }
  if (const auto equals = rest.find('='); equals != rest.npos) {
    address.game = rest.substr(equals + 1);
    rest = rest.substr(0, equals);
    if (address.game.empty()) return refuse("expected a game after '='");
  }
  const auto colon = rest.rfind(':');
  if (colon == rest.npos) return refuse("expected HOST:PORT[=GAME][,tls]");
  std::string_view host = rest.substr(0, colon);
  const std::string_view port = rest.substr(colon + 1);

  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  } else if (host.find_first_of(":[]") != host.npos) {
    return refuse("an IPv6 address must be in brackets, as in [::1]:4580");
  }
  if (host.empty()) return refuse("expected a host before ':'");
  address.host = host;

  const char* end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, address.port);
  if (error != std::errc{} || stop != end)
    return refuse("the port must be a number from 0 to 65535");
  return address;
}

std::string host_and_port(const ListenAddress& address) {
  const bool bare_v6 = address.host.find(':') != std::string::npos;
  const std::string place =
      (bare_v6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
  if (address.http) return (address.tls ? "https://" : "http://") + place + "/";
  return (address.tls ? "tls://" : "") + place;
}

}  // namespace pitboss::server
