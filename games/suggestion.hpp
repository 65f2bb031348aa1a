#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pitboss::games {

/// "; did you mean 'games'?" for the known word most similar to `word`, regardless of case: about
/// one slip in three letters is allowed; else for the shortest one of which `word` is a part of at
/// least three letters. Empty if no word is similar. Words of more than 64 letters take no more
/// time.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> known);

/// `did_you_mean`, or "; known: name, seed" with all known words if none is similar.
[[nodiscard]] std::string suggestion(std::string_view word,
                                     std::span<const std::string_view> known);

}  // namespace pitboss::games
