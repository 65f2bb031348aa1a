#pragma once

#include <string>

#include "clients/experiments/match.hpp"

namespace pitboss::clients {

/// What determines the games of a match, as one line of JSON: two runs are parts of one experiment
/// only if their matches have the same configurations. It does not contain the number of games, nor
/// where and how many at once they are played.
[[nodiscard]] std::string configuration(const Match& match);

/// The match that has this configuration, without a number of games and with players that have no
/// location. Openings are read anew unless those of `like` are the same. Throws UserError if the
/// text is no configuration.
[[nodiscard]] Match parse_configuration(const std::string& text, const Match* like = nullptr);

}  // namespace pitboss::clients
