#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <string>

namespace pitboss::clients {

/// Makes a connection secure: shakes hands with the server at the other end of `remote`, whose
/// certificate has to be for `host`, and then leaves the connection to a tunnel, which passes bytes
/// between it and the socket that is returned until one of the two is closed. The end of output
/// passes, too. The tunnel runs on the socket's executor, which one thread runs, and keeps it busy
/// as long as it is open.
///
/// Suspends, for as long as the server likes: closing `remote` ends it. Throws EngineFailure: a
/// server that is not trusted, or speaks no TLS, refuses.
[[nodiscard]] boost::asio::awaitable<boost::asio::generic::stream_protocol::socket> secure(
    boost::asio::generic::stream_protocol::socket& remote, std::string host, std::string ca_file);

}  // namespace pitboss::clients
