#include "games/suggestion.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace pitboss::games;

TEST_CASE("did_you_mean: slips, and parts of words") {
  constexpr std::array<std::string_view, 5> known{"showboard", "play", "simulations",
                                                  "gogui-rules_board", "legal_moves"};
  struct Row {
    std::string_view word, means;
  };
  for (const auto& [word, means] :
       {Row{"shwoboard", "showboard"}, Row{"PLAY", "play"}, Row{"pla", "play"},
        Row{"board", "showboard"},  // the shortest with this part
        Row{"Rules_b", "gogui-rules_board"}, Row{"moves", "legal_moves"}, Row{"sim", "simulations"},
        Row{"le", ""}, Row{"quit", ""}}) {
    CAPTURE(word);
    CHECK(did_you_mean(word, known) ==
          (means.empty() ? "" : "; did you mean '" + std::string(means) + "'?"));
  }
  CHECK(suggestion("quit", std::array<std::string_view, 2>{"a", "bc"}) == "; known: a, bc");
}
