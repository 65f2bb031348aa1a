#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// Counts the commands that a GUI sends, to tell whether all have been answered, and notices when
/// there will be no more. Takes bounded memory.
class SentCommands {
 public:
  /// Takes bytes as they come.
  void take(std::string_view bytes);
  /// There are no more; they may end without a line feed.
  void end();
  /// How many there were, up to and with the first `quit`.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Whether there was a `quit`, or the end.
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  void end_line();

  std::string line_;  ///< the beginning of the line, without control characters and comment
  bool in_comment_ = false;
  bool is_over_ = false;
  std::size_t count_ = 0;
};

/// Splits the bytes that a server sends: answers, which go to the GUI's input, and blocks of live
/// graphics between them, which GoGui reads from standard error:
///
///     gogui-gfx: CIRCLE d3         gogui-gfx:
///                                  CIRCLE d3
///                                  TEXT 1000 simulations
///                                  (an empty line)
///
/// Whatever is not recognised as such a block is passed on as it is. Memory is bounded.
class ReceivedAnswers {
 public:
  /// A longer block is dropped.
  static constexpr std::size_t max_block_bytes = std::size_t{1} << 20;

  /// Takes bytes as they come; appends to `answers`, and complete blocks to `graphics`.
  void take(std::string_view bytes, std::string& answers, std::string& graphics);
  /// There are no more: appends what was held back.
  void end(std::string& answers);
  /// How many answers were complete.
  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  enum class State {
    between,        ///< at the beginning of a line between answers; it is held back if it may be
                    ///< graphics
    stray,          ///< in a line between answers, which is no graphics
    answer,         ///< in an answer
    graphics_line,  ///< in a line that begins with the word for graphics
    graphics_block  ///< in the lines behind it
  };

  void take_part(std::string_view part, std::string& answers);
  void end_line(std::string& graphics);
  void take_graphics(std::string_view part);
  void end_graphics(std::string& graphics);

  State state_ = State::between;
  bool is_empty_line_ = true;
  std::string held_;   ///< of a line between answers
  std::string block_;  ///< of graphics
  bool too_long_ = false;
  std::size_t count_ = 0;
};

}  // namespace pitboss::clients
