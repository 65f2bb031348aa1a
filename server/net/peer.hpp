#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>

namespace pitboss::server {

/// Makes a new connection fit for a line protocol: answers leave at once; an unreachable peer is
/// noticed after about `patience`. Never throws; options that the system refuses stay unset.
void prepare_socket(boost::asio::ip::tcp::socket& socket, std::chrono::milliseconds patience);

/// The peer's "HOST:PORT", for the log.
[[nodiscard]] std::string peer_name(const boost::asio::ip::tcp::socket& socket);

/// The error that has broken the connection, as far as the system knows without sending; else none.
[[nodiscard]] boost::system::error_code why_broken(boost::asio::ip::tcp::socket& socket);

/// Reads a byte of TCP's urgent data, which GTP does not use, so that it wakes nobody again.
void discard_urgent_data(boost::asio::ip::tcp::socket& socket);

/// Whether the peer has ended its output, even if some of it is unread.
[[nodiscard]] bool peer_has_ended_input(boost::asio::ip::tcp::socket& socket);

/// After the end of input: whether the peer has closed its socket, and not merely ended its output.
/// TCP does not tell the two apart, but the system does if the peer is a process on this machine
/// (Linux: socket diagnosis). False if unknown. Takes microseconds.
[[nodiscard]] bool peer_has_closed(const boost::asio::ip::tcp::socket& socket);

}  // namespace pitboss::server
