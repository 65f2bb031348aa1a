#pragma once

#include <sys/un.h>

#include <atomic>
#include <chrono>
#include <string_view>

#include "environment/awake_clock.hpp"

namespace pitboss::server {

/// The manager that runs the process as a service and wants to be told how it fares: systemd with
/// `Type=notify` and `WatchdogSec=`. The words go as datagrams to the socket in NOTIFY_SOCKET
/// (sd_notify(3)). Without that variable nobody is told. A word that does not get there costs a
/// line of the log, the first time, and no call blocks.
class ServiceManager {
 public:
  using SteadyClock = environment::AwakeClock;

  /// Reads the environment. To be made before threads that change it, and when there is a log.
  ServiceManager();
  ~ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  /// Tells "READY=1", "RELOADING=1" or "STOPPING=1". Any thread.
  void tell(std::string_view word) noexcept;
  /// Tells that the caller's thread lives, if half of the time has passed after which the manager
  /// takes a silent process for stuck (WATCHDOG_USEC). One thread, several times in that time.
  void live(SteadyClock::time_point now) noexcept;

 private:
  int socket_ = -1;
  sockaddr_un address_{};
  unsigned address_size_ = 0;
  std::atomic<bool> has_failed_ = false;
  SteadyClock::duration interval_{0};  ///< 0: no watchdog
  SteadyClock::time_point told_{};     ///< that the thread lives
};

}  // namespace pitboss::server
