#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "clients/engines/engine.hpp"

namespace pitboss::clients {

/// Tells an engine that has crashed from one whose server died with all that were there. It keeps
/// a connection of its own to each server, on which nothing is said: while it lasts, the server
/// lives.
class Blame {
 public:
  using Clock = std::chrono::steady_clock;

  /// So much later than an engine's the connection that is watched may end.
  static constexpr std::chrono::milliseconds patience{150};

  explicit Blame(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// Begins to watch a server, and goes on until the executor ends. A program needs no watching.
  void watch(const Place& place);

  /// Whether it is the own fault of an engine, opened then, that it went away. Waits up to
  /// `patience`; where the server did not admit the watch, also until it takes or refuses another
  /// connection.
  boost::asio::awaitable<bool> is_own_fault(Place place, Clock::time_point opened);

 private:
  struct Watch {
    bool is_connected = false;
    std::optional<Clock::time_point> last_death;
  };
  static boost::asio::awaitable<void> keep(boost::asio::any_io_executor executor, Address address,
                                           std::shared_ptr<Watch> watch);
  [[nodiscard]] boost::asio::awaitable<bool> answers(Address address) const;

  boost::asio::any_io_executor executor_;
  std::map<std::string, std::shared_ptr<Watch>> watches_;  // by place
};

}  // namespace pitboss::clients
