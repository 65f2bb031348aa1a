#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// SGF (Smart Game Format, FF[4]) as text; game_record.hpp gives the properties their meaning.
namespace pitboss::games {

/// A text that is no SGF, or a record of no game of Pitboss. The message is a sentence.
class BadSgf : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SgfProperty {
  std::string name;                 ///< capital letters, at least one
  std::vector<std::string> values;  ///< at least one; escapes resolved, line ends as '\n'
};
using SgfNode = std::vector<SgfProperty>;

/// The nodes of a game's main line (always the first variation); at least one.
using SgfGame = std::vector<SgfNode>;

/// The games of a collection, at least one, in their order. A game begins with "(;"; any other text
/// before, between and behind games is skipped. Throws BadSgf if there is no game, or if one is no
/// SGF. Time and memory are linear in the text.
[[nodiscard]] std::vector<SgfGame> read_sgf(std::string_view text);

/// "[text]", with SGF's escapes.
[[nodiscard]] std::string sgf_value(std::string_view text);

}  // namespace pitboss::games
