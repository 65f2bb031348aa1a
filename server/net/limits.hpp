#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

namespace pitboss::server {

/// The limits of a server and of each client. docs/server.md says what a client sees at each limit.
struct ServerLimits {
  std::size_t max_sessions = 1024;
  std::size_t max_line = 1 << 16;  ///< bytes, without the line feed
  std::size_t max_queued = 1000;   ///< waiting lines of one session; one read may exceed it
  std::size_t max_outbox =
      8 << 20;  ///< bytes of answers that wait for one client; one answer may exceed it
  std::chrono::milliseconds write_timeout{std::chrono::seconds{30}};  ///< client reads nothing
  std::chrono::milliseconds idle{std::chrono::hours{1}};  ///< no line, nothing running; 0: for ever
  std::chrono::milliseconds half_close{std::chrono::minutes{1}};  ///< searching after end of input
  std::size_t max_tables = 64;                                    ///< with a name
  std::chrono::milliseconds keep_tables{std::chrono::minutes{10}};  ///< without a player
  std::chrono::days kept_days{60};  ///< a kept table, without a player; 0: for ever
  /// Of one host; none: 64 for a host on a network, no bound for this machine.
  std::optional<std::size_t> max_sessions_per_address{};
  std::optional<std::size_t> max_sessions_per_client{};  ///< of one token; none: three quarters
  std::optional<std::size_t> max_tables_per_client{};    ///< with a name; none: three quarters
  std::size_t max_searches_per_client = std::numeric_limits<std::size_t>::max();
  std::chrono::milliseconds entry{std::chrono::seconds{10}};  ///< handshake of TLS, and token
  std::chrono::milliseconds drain{std::chrono::seconds{5}};   ///< from stop() to the end
};

/// Sessions beyond `max_sessions` that are kept for administrators.
inline constexpr std::size_t reserved_sessions = 4;

/// How many sessions one host may have: this machine, or one that comes over a network.
[[nodiscard]] std::size_t most_sessions_of_host(const ServerLimits& limits, bool is_local);
/// How many sessions may have shown the same token.
[[nodiscard]] std::size_t most_sessions_of_client(const ServerLimits& limits);
/// How many tables may have been named by one client: a token, else a host.
[[nodiscard]] std::size_t most_tables_of_client(const ServerLimits& limits);

/// The number of sessions the process has descriptors for, at most `wanted` and at least 1. Raises
/// the soft limit of open files as far as needed and as the hard limit allows.
[[nodiscard]] std::size_t affordable_sessions(std::size_t wanted);

}  // namespace pitboss::server
