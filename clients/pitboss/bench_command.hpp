#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss bench`: how fast the search is in every game, evaluation and novelty measure, from the
/// initial position on one thread, in this process; with --networks also networks; and the
/// signature of these games. Blocks for some seconds a game. Throws UserError for arguments that
/// mean nothing. Returns the exit code.
int bench(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
