#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pitboss::protocol {

/// Why a command failed. Programs match the code's word, which never changes; people read the
/// sentence, which may. After `error_codes on` a failure shows both.
enum class FailureCode : std::uint8_t {
  bad_argument,
  bad_file,
  busy,
  illegal_move,
  internal,
  interrupted,
  limit,
  needs_right,
  needs_token,
  no_evaluator,
  no_memory,
  unknown_command,
  unsupported,
  wrong_state,
  wrong_token
};

struct FailureCodeRow {
  FailureCode code;
  std::string_view word;
  std::string_view meaning;
  /// Whether the same command may succeed later without any action of this client.
  bool may_try_again;
  std::string_view remedy;  ///< what the client may do
};

/// THE list of codes, in the order of their values; docs/protocol.md derives from it.
inline constexpr std::array failure_codes{
    FailureCodeRow{FailureCode::bad_argument, "bad-argument",
                   "the line cannot be read, or a value is not one of those that the command takes",
                   false, "correct the line"},
    FailureCodeRow{FailureCode::bad_file, "bad-file", "a file or a record of a game cannot be read",
                   false, "correct the file"},
    FailureCodeRow{
        FailureCode::busy, "busy",
        "others use what the command needs: the table, or the commands that take time at once",
        true, "wait, then ask again"},
    FailureCodeRow{FailureCode::illegal_move, "illegal-move",
                   "the rules do not allow the move in this position", false, "play another move"},
    FailureCodeRow{FailureCode::internal, "internal",
                   "the server has a fault; it closes the connection", false,
                   "report the fault; connect again"},
    FailureCodeRow{FailureCode::interrupted, "interrupted",
                   "somebody has ended the command before it had an answer", true, "ask again"},
    FailureCodeRow{FailureCode::limit, "limit", "a limit of the server stands against the command",
                   false, "ask for less, or have the limit raised"},
    FailureCodeRow{FailureCode::needs_right, "needs-right",
                   "the token's right, or the owner of the table, does not allow the command",
                   false, "show a token with the right; ask the table's owner"},
    FailureCodeRow{FailureCode::needs_token, "needs-token", "the server asks for a token first",
                   false, "`auth TOKEN`"},
    FailureCodeRow{FailureCode::no_evaluator, "no-evaluator", "no evaluator of the network answers",
                   true, "wait, then ask again; `evaluator local`"},
    FailureCodeRow{FailureCode::no_memory, "no-memory",
                   "the server has not enough memory left for the search", true,
                   "set `tree_mb` lower; wait, then ask again"},
    FailureCodeRow{FailureCode::unknown_command, "unknown-command", "there is no such command",
                   false, "`list_commands`"},
    FailureCodeRow{FailureCode::unsupported, "unsupported",
                   "the game, or other options as they are set, do not go with what is asked",
                   false, "change the game or the options"},
    FailureCodeRow{FailureCode::wrong_state, "wrong-state",
                   "the command does not fit the state of the game or the table", false,
                   "bring the table into that state"},
    FailureCodeRow{FailureCode::wrong_token, "wrong-token", "the server does not know the token",
                   false, "show another token"},
};
static_assert([] {
  for (std::size_t i = 0; i < failure_codes.size(); ++i) {
    if (static_cast<std::size_t>(failure_codes[i].code) != i) return false;
  }
  return true;
}());

[[nodiscard]] constexpr const FailureCodeRow& row_of(FailureCode code) {
  return failure_codes[static_cast<std::size_t>(code)];
}
[[nodiscard]] constexpr std::string_view word_of(FailureCode code) { return row_of(code).word; }
[[nodiscard]] constexpr std::optional<FailureCode> failure_code_named(std::string_view word) {
  const auto* const found = std::ranges::find(failure_codes, word, &FailureCodeRow::word);
  if (found == failure_codes.end()) return std::nullopt;
  return static_cast<FailureCode>(found - failure_codes.begin());
}

}  // namespace pitboss::protocol
