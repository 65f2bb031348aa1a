#pragma once

#include <string>
#include <vector>

namespace pitboss::clients {

/// `pitboss bench`: measures in this process how fast the search is in every game, with every
/// evaluation and novelty measure, from the initial position on one thread; with --networks also
/// networks; and prints the signature of these games. Blocks for some seconds a game. Throws
/// UserError for invalid arguments. Returns the exit code.
int bench(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
