#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/error.hpp"

namespace pitboss::protocol {

/// The limits that a client may meet; docs/server.md says what the client sees then.
enum class Limit : std::uint8_t {
  max_sessions,
  max_sockets,  ///< connections beyond the sessions, which are refused or closing
  descriptors,
  max_line,
  command_line,  ///< length of a line whose command does not need the table
  max_queued,
  max_outbox,
  write_timeout,
  idle_seconds,
  half_close_seconds,
  tree_mb_limit,
  memory,
  max_tables,
  keep_tables,
  max_sessions_per_address,
  max_tables_per_client,
  max_searches_per_client,
  entry_seconds,  ///< for the handshake of TLS and the token
  wrong_token
};

/// Their names on the metrics page: those of the daemon's options, where there are such.
inline constexpr std::array<std::string_view, 19> limit_names{"max_sessions",
                                                              "max_sockets",
                                                              "descriptors",
                                                              "max_line",
                                                              "command_line",
                                                              "max_queued",
                                                              "max_outbox",
                                                              "write_timeout",
                                                              "idle_seconds",
                                                              "half_close_seconds",
                                                              "tree_mb_limit",
                                                              "memory",
                                                              "max_tables",
                                                              "keep_tables",
                                                              "max_sessions_per_address",
                                                              "max_tables_per_client",
                                                              "max_searches_per_client",
                                                              "entry_seconds",
                                                              "wrong_token"};

/// The failure code of a refusal. Limits that make room again by themselves allow another try.
[[nodiscard]] constexpr FailureCode code_of(Limit limit) {
  switch (limit) {
    case Limit::memory:
      return FailureCode::no_memory;
    case Limit::max_searches_per_client:
      return FailureCode::busy;
    case Limit::wrong_token:
      return FailureCode::wrong_token;
    default:
      return FailureCode::limit;
  }
}

/// A command is refused by a limit.
class LimitError : public CommandError {
 public:
  LimitError(Limit which, const std::string& sentence)
      : CommandError(code_of(which), sentence), limit(which) {}
  Limit limit;
};

}  // namespace pitboss::protocol
