#include "clients/referee/ledger/silence_watch.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace pitboss::clients {

SilenceWatch::SilenceWatch(int socket, std::function<std::chrono::milliseconds()> most)
    : socket_(socket), most_(std::move(most)), thread_([this](const std::stop_token& stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
          wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
          look();
        }
      }) {}

void SilenceWatch::look() const {
  const Clock::time_point asked = asked_;
  if (asked == Clock::time_point()) return;
  Clock::duration silence = Clock::now() - asked;
  // A long answer is no silence; only TCP tells of it.
  tcp_info info{};
  socklen_t size = sizeof info;
  if (::getsockopt(socket_, IPPROTO_TCP, TCP_INFO, &info, &size) == 0) {
    silence =
        std::min<Clock::duration>(silence, std::chrono::milliseconds(info.tcpi_last_data_recv));
  }
  if (silence < most_()) return;
  ::shutdown(socket_, SHUT_RDWR);
}

}  // namespace pitboss::clients
