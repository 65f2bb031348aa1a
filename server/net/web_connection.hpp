#pragma once

#include <functional>
#include <memory>
#include <span>

#include "protocol/http.hpp"
#include "protocol/web_file.hpp"
#include "server/net/connection.hpp"

namespace pitboss::server {

/// Where browsers come in.
struct WebDoor {
  protocol::WebAddress address;
  std::span<const protocol::WebFile> page;  ///< what browsers are sent
  /// Calls `serve` or `refuse` of a connection that has asked for the WebSocket.
  std::function<void(Connection&)> admit;
};

/// A connection that speaks HTTP (docs/protocol.md, "WebSocket"): it is answered one request, or
/// its request opens a WebSocket, which carries a conversation in envelopes
/// (protocol/envelope.hpp). Begins at once.
[[nodiscard]] std::shared_ptr<Connection> serve_browser(Shared& shared, Connection::Socket socket,
                                                        std::shared_ptr<ClientAccount> address,
                                                        tls::Context* context, WebDoor door);

}  // namespace pitboss::server
