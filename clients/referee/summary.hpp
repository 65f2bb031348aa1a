#pragma once

#include <string>

#include "clients/referee/match.hpp"
#include "clients/referee/standings.hpp"

namespace pitboss::clients {

/// summary.json: a function of the match and its games alone, so that two runs agree to the byte.
[[nodiscard]] std::string summary_json(const Match& match, const Standings& standings);

/// The same for people, several lines.
[[nodiscard]] std::string summary_table(const Match& match, const Standings& standings);

/// "62-8-30, 66.0 % [56.1, 74.9]": wins-draws-losses, score and 95 % interval of the first player.
[[nodiscard]] std::string score_text(const Tally& tally);

class Results;
std::string summary_json(const Results&);
std::string summary_table(const Results&);
}  // namespace pitboss::clients
