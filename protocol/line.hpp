#pragma once

#include <cstddef>
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

/// The largest id of a command.
inline constexpr std::int64_t max_id = 2147483647;

/// A line of a client in its parts, read as GTP wants it: control characters and the comment gone,
/// tabs turned to blanks, no blanks at the ends. Any bytes make a line.
class Line {
 public:
  explicit Line(std::string_view bytes);

  /// The whole of it.
  [[nodiscard]] std::string_view all() const { return text_; }
  /// Whether there is nothing in it; then it gets no answer.
  [[nodiscard]] bool is_blank() const { return text_.empty(); }
  /// The digits before the command, if there are any, which the answer repeats.
  [[nodiscard]] std::string_view id() const { return all().substr(0, id_size_); }
  [[nodiscard]] std::string_view command() const { return all().substr(command_, command_size_); }
  /// All arguments as written.
  [[nodiscard]] std::string_view arguments() const { return all().substr(arguments_); }
  /// Throws CommandError for an id out of range, and for an id without a command.
  void check() const;

  /// Whether it is the comment by which GUIs interrupt a command ("# interrupt"). To be asked when
  /// the line arrives, before it waits behind others.
  [[nodiscard]] bool is_interrupt() const { return is_interrupt_; }
  [[nodiscard]] bool is_quit() const { return command() == "quit" && arguments().empty(); }

 private:
  std::string text_;
  // Where the parts lie in it.
  std::size_t id_size_ = 0;
  std::size_t command_ = 0;
  std::size_t command_size_ = 0;
  std::size_t arguments_ = 0;
  bool is_interrupt_ = false;
  bool has_large_id_ = false;  ///< and therefore no parts
};
/// The words of a text, which blanks separate.
[[nodiscard]] std::vector<std::string> words_in(std::string_view text);

/// "=id text" or "?id text" with the empty line behind it. `text` may be long and have any lines; a
/// blank is put into empty ones.
[[nodiscard]] std::string success(std::string_view id, std::string_view text);
/// The same for failures, with the text `shortened`.
[[nodiscard]] std::string failure(std::string_view id, std::string_view text);
/// A failure's text; a very long one, which quotes what the client has sent, is cut.
[[nodiscard]] std::string shortened(std::string_view text);

}  // namespace pitboss::protocol
