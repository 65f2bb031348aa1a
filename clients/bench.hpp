#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// Sixteen hexadecimal digits that stand for what the search does: a hash of the visits of the root
/// moves over a fixed set of searches of these games. Takes about a second a game. Throws BadGame
/// for an unknown one.
[[nodiscard]] std::string search_signature(const std::vector<std::string>& names);

/// `pitboss bench`: how fast the search is in every game, evaluation and novelty measure, from the
/// initial position on one thread, in this process; and the signature of these games. Blocks for
/// some seconds a game. Throws UserError for arguments that mean nothing. Returns the exit code.
int bench(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
