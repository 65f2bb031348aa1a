#include "server/net/connection_log.hpp"

#include <spdlog/spdlog.h>

namespace pitboss::server {

void ConnectionLog::note(const std::string& line) {
  constexpr auto period = std::chrono::seconds(10);
  constexpr int most = 100;
  const auto now = SteadyClock::now();
  if (now - begun_ >= period) {
    if (left_out_ > 0) spdlog::info("{} lines about connections {} left out", left_out_, kind_);
    begun_ = now;
    written_ = left_out_ = 0;
  }
  if (written_ >= most && !spdlog::should_log(spdlog::level::debug)) {
    ++left_out_;
    return;
  }
  ++written_;
  spdlog::info("{}", line);
}

}  // namespace pitboss::server
