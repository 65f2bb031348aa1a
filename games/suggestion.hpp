#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pitboss::games {

/// "; did you mean 'games'?" for the known word that is most like `word`, in either case of the
/// letters: about one slip in three letters. Empty if none is. Takes no more time for a long
/// `word` than for one of 64 letters.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

/// `did_you_mean`, or "; known: name, seed" with all of them if none is like `word`.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> known);

}  // namespace pitboss::games
