#pragma once

#include <cstdint>
#include <string_view>
#include <thread>

#include "server/server.hpp"
#include "tests/timing.hpp"

namespace pitboss::tests {

/// A server on a free port of the loopback interface, in a thread; stopped by the destructor.
class RunningServer {
 public:
  explicit RunningServer(const server::Config& config = small());
  ~RunningServer();
  RunningServer(const RunningServer&) = delete;
  RunningServer& operator=(const RunningServer&) = delete;

  /// Two workers, connect4.
  [[nodiscard]] static server::Config small();

  [[nodiscard]] std::uint16_t port() const { return server_.listening().front().port; }
  /// Of the last address: that for browsers, if there is one.
  [[nodiscard]] std::uint16_t page_port() const { return server_.listening().back().port; }
  [[nodiscard]] std::uint16_t metrics_port() const { return server_.metrics().value().port; }
  [[nodiscard]] server::Server::Counts counts() const { return server_.counts(); }
  void stop() { server_.stop(); }
  void reload() { server_.reload(); }
  /// Blocks until run() has returned; what it returned.
  bool join();

 private:
  server::Server server_;
  bool all_done_ = false;
  std::jthread thread_;
};

/// Lines that make a session's next search last for ever (86,400,000 ms); they get two answers.
inline constexpr std::string_view endless_search =
    "setoption name simulations value 0\nsetoption name movetime value 86400000\n";

}  // namespace pitboss::tests
