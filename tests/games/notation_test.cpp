#include "games/notation.hpp"

#include <doctest/doctest.h>

#include "games/grid.hpp"
#include "games/steps.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

constexpr Notation hexgui{true, 11};

TEST_CASE("rewritten()") {
  struct Row {
    std::string_view ours;
    std::string_view theirs;
  };
  for (const Row& row : {
           Row{"a1", "a11"},
           Row{"a11", "a1"},
           Row{"h4", "h8"},
           Row{"j4", "i8"},
           Row{"l6", "k6"},
           Row{"d2e3", "d10e9"},
           Row{"e4xe7", "e8xe5"},
           Row{"d2-e3", "d10-e9"},
           Row{"d2e3a", "d10e9a"},
           Row{"d1d7g7", "d11d5g5"},
           Row{"pass", "pass"},
           Row{"resign", "resign"},
           Row{"y1", "x11"},
           Row{"", ""},
       }) {
    CAPTURE(row.ours);
    CHECK(rewritten(row.ours, {}, hexgui) == row.theirs);
    CHECK(rewritten(row.theirs, hexgui, {}) == row.ours);
    CHECK(rewritten(row.ours, hexgui, hexgui) == row.ours);
  }
  // What only one of the two can write, or neither, stays.
  CHECK(rewritten("i3", {}, hexgui) == "i3");
  CHECK(rewritten("a12", hexgui, {}) == "a12");
  CHECK(rewritten("A0 d123 7 \xc3\xa9", hexgui, {}) == "a0 d123 7 \xc3\xa9");
  CHECK(rewritten("Z5", hexgui, {}) == "z5");
  CHECK(rewritten("J4", {}, hexgui) == "i8");  // letters become lower case
}

TEST_CASE("points_of()") {
  CHECK(joined(points_of("d2xe3")) == "d2 e3");
  CHECK(joined(points_of("d1d7g10")) == "d1 d7 g10");
  CHECK(joined(points_of("d2e3w")) == "d2 e3");
  CHECK(points_of("pass").empty());
  CHECK(points_of("").empty());
}

/// A game whose captures name the victim's side by a letter, as two of them may end on one point.
struct SidedCaptures {
  [[nodiscard]] std::string text(Move move) const { return code(move) == 0 ? "d2e3a" : "d2e3w"; }
  [[nodiscard]] std::vector<std::string> steps(Move move) const {
    return {"d2", "e3", code(move) == 0 ? "f4" : "c1"};
  }
};
struct PlainText {
  [[nodiscard]] std::string text(Move move) const { return code(move) == 0 ? "pass" : "d2e3"; }
};

TEST_CASE("stepped(): a game's own steps, or the points of the text, or the word") {
  CHECK(stepped(SidedCaptures{}, Move{1}).move == "d2e3w");
  CHECK(joined(stepped(SidedCaptures{}, Move{1}).steps) == "d2 e3 c1");
  CHECK(joined(stepped(PlainText{}, Move{1}).steps) == "d2 e3");
  CHECK(joined(stepped(PlainText{}, Move{0}).steps) == "pass");
}

TEST_CASE("place_of()") {
  CHECK(place_of("a1") == Place{0, 0});
  CHECK(place_of("J10") == Place{8, 9});  // no column i
  CHECK(place_of("z99") == Place{24, 98});
  for (const std::string_view text :
       {"", "a", "1", "a0", "i1", "a100", "a1b2", "a1x", "pass", "-a1", "a-1", "\xe4\x31"}) {
    CAPTURE(text);
    CHECK_FALSE(place_of(text));
  }
}

}  // namespace
}  // namespace pitboss::games
