#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "protocol/error.hpp"

namespace pitboss::protocol {

/// The limits of a server that a client may meet.
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
  max_sessions_per_client,
  max_tables_per_client,
  max_searches_per_client,
  entry_seconds,  ///< for the handshake of TLS and the token
  wrong_token,
  guesses,  ///< wrong tokens of one host
  kept_days
};

struct LimitRow {
  Limit limit;
  std::string_view name;   ///< on the metrics page; of one that a flag sets, the flag's
  std::string_view what;   ///< what is bounded
  std::string_view fixed;  ///< the bound, where no flag sets it
  std::string_view seen;   ///< what the client sees
  /// The code of what it refuses: some limits make room again by themselves.
  FailureCode code = FailureCode::limit;
};

/// THE list of limits, in the order of their values; the flags of the server that set them
/// (server/command_line.cpp), its metrics and docs/server.md derive from it.
inline constexpr std::array limit_rows{
    LimitRow{Limit::max_sessions, "max_sessions",
             "sessions; 4 more are kept for administrators; never more than 64 below the limit of "
             "open files",
             "",
             "`? too many sessions (limit N)`, then the end; beyond 16 such clients at a time just "
             "the end"},
    LimitRow{Limit::max_sockets, "max_sockets",
             "connections beyond the sessions: refused ones, and those that close", "16",
             "the end"},
    LimitRow{Limit::descriptors, "descriptors", "descriptors",
             "`ulimit -n`, raised to what `--max-sessions` needs, if allowed",
             "connecting takes longer"},
    LimitRow{Limit::max_line, "max_line", "length of a line", "",
             "answers to the lines before it, `? line too long (limit N bytes)`, then the end"},
    LimitRow{Limit::command_line, "command_line",
             "length of a line of a command that does not need the table (`name`, `setoption`, "
             "`attach`)",
             "4096 bytes", "`? line too long for NAME (limit 4096 bytes)`"},
    LimitRow{Limit::max_queued, "max_queued",
             "waiting lines, which have `--max-line` bytes together at most; exceeded by one read "
             "of 16 KiB at most",
             "", "nothing is lost: the server reads on when half of them are handled"},
    LimitRow{Limit::max_outbox, "max_outbox", "waiting answers; exceeded by one answer at most", "",
             "nothing is lost: its lines are handled when there is room"},
    LimitRow{Limit::write_timeout, "write_timeout", "reading nothing", "", "the connection is cut"},
    LimitRow{Limit::idle_seconds, "idle_seconds", "idleness; 0: for ever", "",
             "the end, without a message, since GTP has no message that answers no command; bytes "
             "that complete no line do not count as activity"},
    LimitRow{Limit::half_close_seconds, "half_close_seconds", "searching after the end of input",
             "", "the best move so far"},
    LimitRow{Limit::tree_mb_limit, "tree_mb_limit", "tree of one session", "",
             "`setoption name tree_mb` beyond it is refused"},
    LimitRow{Limit::memory, "memory", "all trees, networks and waiting answers together", "",
             "`? not enough memory for the search: N MiB are asked for, and M of the server's L "
             "are free; ...`",
             FailureCode::no_memory},
    LimitRow{Limit::max_tables, "max_tables", "tables with a name", "",
             "`? too many tables (limit N)`"},
    LimitRow{Limit::keep_tables, "keep_tables",
             "tables without a session that may play there, after the last one has left", "",
             "the name is free again; the tree is gone, and so is the game when the last watcher "
             "has left"},
    LimitRow{Limit::max_sessions_per_address, "max_sessions_per_address", "sessions of one host",
             "",
             "`? too many sessions from this address (limit N)`, then the end; beyond 4 such "
             "clients at a time just the end"},
    LimitRow{Limit::max_sessions_per_client, "max_sessions_per_client", "sessions of one token", "",
             "`? too many sessions of one client (limit N)`, which answers `auth`"},
    LimitRow{Limit::max_tables_per_client, "max_tables_per_client",
             "tables that one client has named", "", "`? too many tables of one client (limit N)`"},
    LimitRow{Limit::max_searches_per_client, "max_searches_per_client",
             "commands that take time, of one client at once", "",
             "`? too many commands that take time at once (limit N)`", FailureCode::busy},
    LimitRow{Limit::entry_seconds, "entry_seconds", "handshake of TLS and token together", "",
             "the end, without a message"},
    LimitRow{Limit::wrong_token, "wrong_token", "wrong tokens", "3 of a connection",
             "`? wrong token` for each, then the end", FailureCode::wrong_token},
    LimitRow{Limit::guesses, "guesses",
             "wrong tokens of one host, until it shows none for a minute", "10",
             "nothing is refused: the answer to `auth` takes 3 s longer"},
    LimitRow{Limit::kept_days, "kept_days",
             "kept tables (`keep on`) without a session that may play there; 0: for ever", "",
             "the name is free again, and the game is gone"},
};
static_assert([] {
  for (std::size_t i = 0; i < limit_rows.size(); ++i) {
    if (static_cast<std::size_t>(limit_rows[i].limit) != i) return false;
  }
  return true;
}());

[[nodiscard]] constexpr const LimitRow& row_of(Limit limit) {
  return limit_rows[static_cast<std::size_t>(limit)];
}

/// A command is refused by a limit.
class LimitError : public CommandError {
 public:
  LimitError(Limit which, const std::string& sentence)
      : CommandError(row_of(which).code, sentence), limit(which) {}
  Limit limit;
};

}  // namespace pitboss::protocol
