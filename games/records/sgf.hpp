#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// SGF (Smart Game Format, FF[4]) as text; game_record.hpp gives the properties their meaning.
namespace pitboss::games {

/// A text that is no record, or a record of no game of Pitboss. The message is a sentence.
class BadRecord : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SgfProperty {
  std::string name;                 ///< capital letters, at least one
  std::vector<std::string> values;  ///< at least one; escapes resolved, line ends as '\n'
};
using SgfNode = std::vector<SgfProperty>;

[[nodiscard]] inline bool is_move(const SgfProperty& property) {
  return property.name == "B" || property.name == "W";
}

/// A variation to the main line, without variations of its own.
struct SgfVariation {
  std::size_t behind = 0;        ///< how many nodes of the main line come before it
  std::vector<SgfNode> nodes{};  ///< at least one
};

/// A game of a collection.
struct SgfGame {
  std::vector<SgfNode> nodes{};  ///< of the main line (always the first variation); at least one
  int cut_in_line =
      0;  ///< the line, from 1, in which the text ends before the game; 0: it is whole
  std::vector<SgfVariation> variations{};  ///< the first to branch first
};

/// SGF's letters for columns from the left and rows from the top.
inline constexpr std::string_view sgf_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The games of a collection, at least one, in their order. A game begins with "(;"; any other text
/// before, between and behind games is skipped. If the text ends within a game, the game has what
/// is complete of it. Throws BadRecord if there is no game, or if one is no SGF. Time and memory
/// are linear in the text, but for the order of the variations.
[[nodiscard]] std::vector<SgfGame> read_sgf(std::string_view text);

/// "[text]", with SGF's escapes.
[[nodiscard]] std::string sgf_value(std::string_view text);

}  // namespace pitboss::games
