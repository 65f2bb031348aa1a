#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <string>

namespace pitboss::server {

/// Makes a new connection fit for a line protocol: answers leave at once; a peer that is no longer
/// reachable is noticed after about `patience`. Never throws; what the system refuses stays as it
/// was.
void prepare_socket(boost::asio::ip::tcp::socket& socket, std::chrono::milliseconds patience);

/// The peer's "HOST:PORT", for the log.
[[nodiscard]] std::string peer_name(const boost::asio::ip::tcp::socket& socket);

/// The host that has the address, for what is counted by host: of IPv6, where a host has as many
/// addresses as it likes, the network of 64 bits.
[[nodiscard]] std::string host_of(const boost::asio::ip::address& address);

/// What has broken the connection, as the system knows without sending; no error if nothing has.
[[nodiscard]] boost::system::error_code why_broken(boost::asio::ip::tcp::socket& socket);

/// Reads a byte of TCP's urgent data, of which GTP knows nothing, so that it is no longer news.
void discard_urgent_data(boost::asio::ip::tcp::socket& socket);

/// Whether the peer has said that it will send no more, however much of what it has sent is unread.
[[nodiscard]] bool peer_has_ended_input(boost::asio::ip::tcp::socket& socket);

/// After the end of input: whether the peer has closed its socket, and not merely said that it will
/// send no more. TCP does not tell the two apart, but the system does when the peer is a process
/// on this machine (Linux: socket diagnosis). False when that is not known. Takes microseconds.
[[nodiscard]] bool peer_has_closed(const boost::asio::ip::tcp::socket& socket);

}  // namespace pitboss::server
