#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::games {

/// A point of a board: its column from the left and its row from the bottom, both counted from 0.
struct Place {
  int x;
  int y;
  friend bool operator==(const Place&, const Place&) = default;
};

/// How points are written. The default is this program's own way, which is GTP's: no column i, row
/// 1 at the bottom.
struct Notation {
  bool column_i = false;  ///< whether the ninth column is i (else j)
  int rows_from_top = 0;  ///< the number of rows if row 1 is the top one; 0: it is the bottom one
  friend bool operator==(const Notation&, const Notation&) = default;
};

/// `text` with every point in it (a letter with a row number behind it) written in the notation
/// `to` instead of `from`; all else stays: words, separators, letters behind the last point. Points
/// that one of the two cannot write stay too, and are lower case like those that can.
[[nodiscard]] std::string rewritten(std::string_view text, const Notation& from,
                                    const Notation& to);

/// What a text that is one point, and nothing else, means in this program's own notation; letters
/// may be of either case.
[[nodiscard]] std::optional<Place> place_of(std::string_view point);

/// The points of a move's text in their order, as written: d2 and e3 of "d2xe3". None of "pass".
[[nodiscard]] std::vector<std::string> points_of(std::string_view move);

}  // namespace pitboss::games
