#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// Counts the commands that a GUI sends, to tell whether all were answered, and notices the last
/// one. Takes bounded memory.
class SentCommands {
 public:
  /// Takes bytes as they come.
  void take(std::string_view bytes);
  /// No bytes follow; the last line may lack its line feed.
  void end();
  /// The number of commands up to the first `quit`, which counts.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Whether `quit` or the end has come.
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
/// Everything else is passed on as it is. Memory is bounded.
class ReceivedAnswers {
 public:
  /// A longer block is dropped.
  static constexpr std::size_t max_block_bytes = std::size_t{1} << 20;

  /// Takes bytes as they come; appends to `answers`, and complete blocks to `graphics`.
  void take(std::string_view bytes, std::string& answers, std::string& graphics);
  /// No bytes follow: appends what was held back.
  void end(std::string& answers);
  /// The number of complete answers.
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
  std::string held_;   ///< the beginning of a line between answers
  std::string block_;  ///< of graphics
  bool too_long_ = false;
  std::size_t count_ = 0;
};

}  // namespace pitboss::clients
