#include "server/service_manager.hpp"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>

#include "environment/variable.hpp"
#include "games/text_file.hpp"

namespace pitboss::server {

namespace {

using environment::variable;

/// What the manager wants to hear of this process at least; 0: nothing.
std::chrono::microseconds watchdog_time() {
  const std::string process = variable("WATCHDOG_PID");
  if (!process.empty() && process != std::to_string(getpid())) return {};
  const std::string text = variable("WATCHDOG_USEC");
  std::int64_t time = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), time);
  if (error == std::errc{} && *end == 0 && time > 0) return std::chrono::microseconds(time);
  if (!text.empty()) spdlog::warn("no watchdog: WATCHDOG_USEC is not a number above 0: {}", text);
  return {};
}

}  // namespace

ServiceManager::ServiceManager() {
  std::string name = variable("NOTIFY_SOCKET");
  if (name.empty()) return;
  const bool is_abstract = name[0] == '@';
  if ((!is_abstract && name[0] != '/') || name.size() >= sizeof address_.sun_path) {
    spdlog::warn("no service manager: NOTIFY_SOCKET is neither a path nor @NAME: {}", name);
    return;
  }
  socket_ = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    spdlog::warn("no service manager: cannot make a socket: {}", games::system_reason(errno));
    return;
  }
  address_.sun_family = AF_UNIX;
  if (is_abstract) name[0] = '\0';
  name.copy(address_.sun_path, name.size());
  address_size_ = static_cast<unsigned>(offsetof(sockaddr_un, sun_path) + name.size());
  interval_ = watchdog_time() / 2;
}

ServiceManager::~ServiceManager() {
  if (socket_ >= 0) close(socket_);
}

void ServiceManager::tell(std::string_view word) noexcept {
  if (address_size_ == 0) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as the interface wants it
  const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
  const auto sent = sendto(socket_, word.data(), word.size(), MSG_DONTWAIT | MSG_NOSIGNAL, address,
                           address_size_);
  if (sent >= 0 || has_failed_.exchange(true)) return;
  spdlog::warn("the service manager cannot be told {}: {}", word, games::system_reason(errno));
}

void ServiceManager::live(SteadyClock::time_point now) noexcept {
  if (interval_.count() == 0 || now < told_ + interval_) return;
  told_ = now;
  tell("WATCHDOG=1");
}

}  // namespace pitboss::server
