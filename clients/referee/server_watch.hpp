#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "clients/players/engine.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// Tells whether a lost engine has crashed alone or its whole server has died: keeps one silent
/// connection to each server, which ends when the server does. To be used on the one thread that
/// runs `executor`. A failed connection is no error: it is tried again, at most a second later.
class ServerWatch {
 public:
  using AwakeClock = environment::AwakeClock;

  /// How much later the silent connection may end than an engine's.
  static constexpr std::chrono::milliseconds patience{150};

  explicit ServerWatch(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// Watches a server until the executor ends. Does nothing for a program, which has no server.
  void watch(const Location& location);

  /// Whether an engine that was opened at that time and then lost has crashed alone: its server has
  /// not died since, and the way to it is open. Suspends for up to `patience`, and until the server
  /// accepts or refuses another connection, or `connect_timeout` has passed.
  boost::asio::awaitable<bool> is_own_fault(Location location, AwakeClock::time_point opened);

  /// Whether a server of ours answers a command on a new connection at once, within `prompt`; true
  /// for a program.
  boost::asio::awaitable<bool> answers(Location location) const;
  static constexpr std::chrono::milliseconds prompt{500};

 private:
  struct Watch {
    bool is_connected = false;
    std::optional<AwakeClock::time_point> last_death;
  };
  static boost::asio::awaitable<void> keep(boost::asio::any_io_executor executor, Address address,
                                           std::shared_ptr<Watch> watch);
  [[nodiscard]] boost::asio::awaitable<bool> is_there(Address address, bool is_full) const;

  boost::asio::any_io_executor executor_;
  std::map<std::string, std::shared_ptr<Watch>> watches_;  // by location
};

}  // namespace pitboss::clients
