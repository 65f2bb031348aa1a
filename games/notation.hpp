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

/// How points are written. The default is Pitboss's own notation, which is GTP's: no column i, row
/// 1 at the bottom.
struct Notation {
  bool column_i = false;  ///< whether the ninth column is i, not j
  int rows_from_top = 0;  ///< the board's rows if row 1 is the top one; 0: row 1 is the bottom one
  friend bool operator==(const Notation&, const Notation&) = default;
};

/// `text` with every point in it (a letter followed by a row number) written in the notation `to`
/// instead of `from`. Words, separators and letters behind the last point stay as they are. A point
/// that one of the two notations cannot write stays the same. All points become lower case.
[[nodiscard]] std::string rewritten(std::string_view text, const Notation& from,
                                    const Notation& to);

/// The point that `point` names in Pitboss's own notation, letters of either case; nothing if the
/// text is not exactly one point.
[[nodiscard]] std::optional<Place> place_of(std::string_view point);

/// The points of a move's text, as written and in their order: "d2xe3" has d2 and e3, "pass" none.
[[nodiscard]] std::vector<std::string> points_of(std::string_view move);

}  // namespace pitboss::games
