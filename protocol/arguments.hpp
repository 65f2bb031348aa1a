#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::protocol {

/// The arguments of a command. Every accessor throws CommandError ("syntax error: ...") that says
/// what was expected.
class Arguments {
 public:
  Arguments(std::vector<std::string> words, std::string text)
      : words_(std::move(words)), text_(std::move(text)) {}

  [[nodiscard]] std::size_t size() const { return words_.size(); }
  /// Everything behind the command, as written.
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Checks the number of arguments; `usage` names them in the error.
  void expect(std::size_t min, std::size_t max, std::string_view usage) const;
  [[nodiscard]] const std::string& word(std::size_t i) const { return words_.at(i); }
  [[nodiscard]] std::int64_t whole(std::size_t i, std::int64_t min, std::int64_t max) const;
  [[nodiscard]] double number(std::size_t i) const;
  /// A span of time, 0 to 2147483647 seconds.
  [[nodiscard]] std::chrono::duration<double> seconds(std::size_t i) const;
  /// "on" or "off".
  [[nodiscard]] bool on_or_off(std::size_t i) const;
  /// The name of one of the game's colours or its first letter, in either case.
  [[nodiscard]] games::Colour colour(std::size_t i, const games::AnyGame& game) const;
  /// The same; nothing, instead of an error, for any other word.
  [[nodiscard]] std::optional<games::Colour> colour_if_any(std::size_t i,
                                                           const games::AnyGame& game) const;

 private:
  std::vector<std::string> words_;
  std::string text_;
};

}  // namespace pitboss::protocol
