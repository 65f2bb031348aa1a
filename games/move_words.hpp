#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "games/letter_case.hpp"

/// Moves that are words. Pitboss writes "pass" and, by `SwapRule::text`, "swap".
namespace pitboss::games {

inline constexpr std::string_view pass_text = "pass";

/// How others call two things that white may do instead of its first move: to take black's stone,
/// and to change sides with black.
inline constexpr std::string_view swap_pieces_text = "swap-pieces";
inline constexpr std::string_view swap_sides_text = "swap-sides";

/// Whether it is one of the words by which programs pass. (In SGF "pa" and "ps" are points.)
[[nodiscard]] constexpr bool is_word_for_pass(std::string_view word) {
  constexpr std::array<std::string_view, 5> words{pass_text, "null", "pa", "ps", "--"};
  return std::ranges::any_of(words,
                             [&](std::string_view one) { return same_ignoring_case(word, one); });
}

}  // namespace pitboss::games
