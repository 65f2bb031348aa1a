#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

/// SGF (Smart Game Format, FF[4]) as text; what the properties mean is told in game_record.hpp.
namespace pitboss::games {

/// A text that is no SGF, or a record that is of no game here. The text is a sentence.
class BadSgf : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SgfProperty {
  std::string name;                 ///< capital letters, at least one
  std::vector<std::string> values;  ///< at least one; escapes resolved, line ends as '\n'
};
using SgfNode = std::vector<SgfProperty>;

/// The nodes of the first game's main line: of several variations the first. Reads the whole text
/// and throws BadSgf for any bytes that are no SGF. Time and memory are linear in the text.
[[nodiscard]] std::vector<SgfNode> read_sgf(std::string_view text);

/// "[text]", with the escapes that SGF asks for.
[[nodiscard]] std::string sgf_value(std::string_view text);

}  // namespace pitboss::games
