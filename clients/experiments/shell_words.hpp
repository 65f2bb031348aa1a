#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// Splits a text into words as a shell does: at blanks outside quotes, after `~`, variables and
/// patterns of file names. Runs no commands. Throws UserError if a quote is left open, a variable
/// is not set, or a character has another meaning to the shell.
[[nodiscard]] std::vector<std::string> shell_words(std::string_view text);

/// Whether a text that `shell_words` splits has patterns of file names, outside quotes.
[[nodiscard]] bool has_pattern(std::string_view text);

/// The words in one line, quoted where needed: `shell_words` gives them back.
[[nodiscard]] std::string shell_text(std::span<const std::string> words);

}  // namespace pitboss::clients
