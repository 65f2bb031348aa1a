#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <string>

namespace pitboss::clients {

/// Makes a connection secure: shakes hands with the server at the other end of `remote`, whose
/// certificate must be for `host`. A tunnel then owns the connection, and passes bytes and the end
/// of output between it and the returned socket until one of the two is closed. The tunnel runs on
/// the socket's executor, which one thread must run, and keeps the executor busy while it is open.
///
/// Suspends as long as the server delays: closing `remote` ends the wait. Throws EngineFailure:
/// refused, if the server is not trusted or speaks no TLS.
[[nodiscard]] boost::asio::awaitable<boost::asio::generic::stream_protocol::socket> secure(
    boost::asio::generic::stream_protocol::socket& remote, std::string host, std::string ca_file);

}  // namespace pitboss::clients
