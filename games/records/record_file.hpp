#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/records/sgf.hpp"

/// A file with records of games, or a text of one, whatever its format and character set.
namespace pitboss::games {

/// The games of a text in SGF, GGF or PSQ, at least one, as the nodes of SGF and in UTF-8. Throws
/// BadRecord for another text.
[[nodiscard]] std::vector<SgfGame> read_records(std::string_view bytes);
/// Whether a text begins as one in SGF, GGF or PSQ does, be it whole or not.
[[nodiscard]] bool begins_like_record(std::string_view bytes);

/// "FILE:17", a file and which of its games is meant, counted from 1.
struct FileAndGame {
  std::string file;
  std::optional<std::size_t> game;
};
/// A number of at most six digits behind the last ':' chooses a game. (In GTP a '#' would begin a
/// comment.)
[[nodiscard]] FileAndGame file_and_game(const std::string& word);

/// The game of that number, from 1; without a number the only game. Throws BadRecord, which names
/// the file, or the text if there is none.
[[nodiscard]] const SgfGame& chosen_game(const std::vector<SgfGame>& games,
                                         std::optional<std::size_t> number,
                                         const std::string& file = {});

}  // namespace pitboss::games
