#include "server/net/peer.hpp"

#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "server/net/listen_address.hpp"

namespace pitboss::server {
namespace {

using boost::asio::ip::tcp;

void set_option(int socket, int level, int name, int value) {
  setsockopt(socket, level, name, &value, sizeof value);
}

// Writes an endpoint in the form of socket diagnosis.
void put(const tcp::endpoint& endpoint, __be32* address, __be16& port) {
  port = htons(endpoint.port());
  if (endpoint.address().is_v4()) {
    const auto bytes = endpoint.address().to_v4().to_bytes();
    std::memcpy(address, bytes.data(), bytes.size());
  } else {
    const auto bytes = endpoint.address().to_v6().to_bytes();
    std::memcpy(address, bytes.data(), bytes.size());
  }
}

struct DiagnosisRequest {
  nlmsghdr header{};
  inet_diag_req_v2 body{};
};

// Asks about the one socket whose own end is `own` and whose other end is `other`.
DiagnosisRequest about(const tcp::endpoint& own, const tcp::endpoint& other) {
  DiagnosisRequest request;
  request.header.nlmsg_len = sizeof request;
  request.header.nlmsg_type = SOCK_DIAG_BY_FAMILY;
  request.header.nlmsg_flags = NLM_F_REQUEST;
  request.body.sdiag_family = own.address().is_v4() ? AF_INET : AF_INET6;
  request.body.sdiag_protocol = IPPROTO_TCP;
  request.body.idiag_states = ~0U;
  put(own, request.body.id.idiag_src, request.body.id.idiag_sport);
  put(other, request.body.id.idiag_dst, request.body.id.idiag_dport);
  std::ranges::fill(request.body.id.idiag_cookie, INET_DIAG_NOCOOKIE);
  return request;
}

}  // namespace

void prepare_socket(tcp::socket& socket, std::chrono::milliseconds patience) {
  boost::system::error_code ignored;
  socket.non_blocking(true, ignored);
  const int handle = socket.native_handle();
  const auto seconds = static_cast<int>(patience.count() / 1000);
  set_option(handle, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(handle, SOL_SOCKET, SO_KEEPALIVE, 1);
  set_option(handle, IPPROTO_TCP, TCP_KEEPIDLE, std::max(1, seconds));
  set_option(handle, IPPROTO_TCP, TCP_KEEPINTVL, std::max(1, seconds / 3));
  set_option(handle, IPPROTO_TCP, TCP_KEEPCNT, 3);
  set_option(handle, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(patience.count()));
}

std::string peer_name(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto peer = socket.remote_endpoint(error);
  if (error) return "a client that has gone";
  return host_and_port({peer.address().to_string(), peer.port(), {}});
}

boost::system::error_code why_broken(tcp::socket& socket) {
  pollfd state{socket.native_handle(), 0, 0};
  const bool is_broken = ::poll(&state, 1, 0) > 0 && (state.revents & (POLLERR | POLLHUP)) != 0;
  if (!is_broken) return {};
  int error = 0;
  socklen_t size = sizeof(error);
  static_cast<void>(::getsockopt(socket.native_handle(), SOL_SOCKET, SO_ERROR, &error, &size));
  return {error == 0 ? EPIPE : error, boost::system::system_category()};
}

bool peer_has_ended_input(tcp::socket& socket) {
  pollfd state{socket.native_handle(), POLLRDHUP, 0};
  return ::poll(&state, 1, 0) > 0 && (state.revents & POLLRDHUP) != 0;
}

void discard_urgent_data(tcp::socket& socket) {
  char byte = 0;
  static_cast<void>(::recv(socket.native_handle(), &byte, 1, MSG_OOB | MSG_DONTWAIT));
}

bool peer_has_closed(const tcp::socket& socket) {
  boost::system::error_code error;
  const auto own = socket.local_endpoint(error);
  if (error) return false;
  const auto other = socket.remote_endpoint(error);
  if (error) return false;
  const int diagnosis = ::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (diagnosis < 0) return false;

  const DiagnosisRequest request = about(other, own);
  alignas(nlmsghdr) char reply[1024];
  ssize_t size = -1;
  if (::send(diagnosis, &request, sizeof request, 0) == sizeof request) {
    size = ::recv(diagnosis, reply, sizeof reply, MSG_DONTWAIT);
  }
  ::close(diagnosis);

  nlmsghdr header{};
  inet_diag_msg found{};
  if (size < static_cast<ssize_t>(NLMSG_LENGTH(sizeof found))) return false;
  std::memcpy(&header, reply, sizeof header);
  if (header.nlmsg_type != SOCK_DIAG_BY_FAMILY) return false;
  std::memcpy(&found, reply + NLMSG_HDRLEN, sizeof found);
  // A socket that no process holds any more has no inode.
  return found.idiag_inode == 0;
}

}  // namespace pitboss::server
