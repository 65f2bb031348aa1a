#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// GTP's form of lines and answers (Go Text Protocol version 2, sections 2.5 and 2.6).
namespace pitboss::protocol {

/// Whether the byte is a control character of ASCII.
[[nodiscard]] constexpr bool is_control(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u < 32 || u == 127;
}

/// A line as GTP wants it read: control characters and the comment gone, tabs turned to blanks,
/// no blanks at the ends. Empty for a line that gets no answer.
[[nodiscard]] std::string cleaned(std::string_view line);

/// The largest id of a command.
inline constexpr std::int64_t max_id = 2147483647;

/// A cleaned line in its parts, which are views into it.
struct ParsedLine {
  std::string_view name;
  std::string_view text;  ///< all arguments as written
};
/// Splits a cleaned line; `id` becomes the digits at its beginning, if there are any. Throws
/// CommandError for an id out of range, and for a valid id without a command, which `id` then
/// holds.
[[nodiscard]] ParsedLine split(std::string_view line, std::string& id);
/// The words of a text, which blanks separate.
[[nodiscard]] std::vector<std::string> words_in(std::string_view text);

/// Whether the line is the comment by which GUIs interrupt a command ("# interrupt"). To be checked
/// when the line arrives, before it waits behind others.
[[nodiscard]] bool is_interrupt(std::string_view line);
/// Whether the line is the command `quit`.
[[nodiscard]] bool is_quit(std::string_view line);

/// "=id text" or "?id text" with the empty line behind it. `text` may be long and have any lines; a
/// blank is put into empty ones.
[[nodiscard]] std::string success(std::string_view id, std::string_view text);
/// The same for failures, with the text `shortened`.
[[nodiscard]] std::string failure(std::string_view id, std::string_view text);
/// A failure's text; a very long one, which quotes what the client has sent, is cut.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace pitboss::protocol
