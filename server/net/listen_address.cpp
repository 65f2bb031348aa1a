#include "server/net/listen_address.hpp"

#include <stdexcept>
#include <utility>

#include "protocol/listener.hpp"

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
  if (rest.find(':') == rest.npos) return refuse("expected HOST:PORT[=GAME][,tls]");
  try {
    protocol::HostAndPort place = protocol::parse_host_and_port(rest);
    address.host = std::move(place.host);
    address.port = place.port;
  } catch (const std::invalid_argument& bad) {
    return refuse(bad.what());
  }
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
