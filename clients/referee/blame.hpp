#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "clients/referee/engine_pool.hpp"

namespace pitboss::clients {

/// Tells an engine that has crashed from one whose server died with all that were there.
class Blame {
 public:
  using Clock = std::chrono::steady_clock;

  /// So long the other connections to a server may take to end with it.
  static constexpr std::chrono::milliseconds patience{100};

  Blame(boost::asio::any_io_executor executor, const EnginePool& engines)
      : executor_(std::move(executor)), engines_(engines) {}

  /// Whether it is the engine's own fault that it went away. A program answers for itself. Of a
  /// server the other connections are the witnesses: if one that was there before lives on, the
  /// server does, too. Without any, a server that takes a new connection has not died. Waits for
  /// `patience`, and up to `connect_timeout` without witnesses.
  boost::asio::awaitable<bool> is_own_fault(const Place& place, Clock::time_point opened);

 private:
  boost::asio::awaitable<bool> answers(Address address) const;

  boost::asio::any_io_executor executor_;
  const EnginePool& engines_;
  std::map<std::string, Clock::time_point> last_death_;  // by place
};

}  // namespace pitboss::clients
