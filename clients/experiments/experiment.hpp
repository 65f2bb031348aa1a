#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/statistics/sprt.hpp"

namespace pitboss::clients {

/// What determines which matches a tuning adds to its experiment, and their games.
struct TuningConfiguration {
  std::string text;  ///< JSON, an object of objects and texts
  /// The key of a number that may be raised when the tuning goes on; empty: there is none.
  std::string growing = {};
};

/// Matches that are played and recorded together. An experiment determines every game, if the
/// engines' moves depend on their seeds alone.
struct Experiment {
  std::string name;
  std::vector<Match> matches;  ///< no two alike; a player's name means the same player everywhere
  /// Ends each match as soon as the test accepts that its first player is stronger, or that it is
  /// not.
  std::optional<SprtPlan> sprt;
  /// Of a tuning. Its matches are those between the player as it was and the opponents, and, of one
  /// on record, all that it has proposed; they have no number of games.
  std::optional<TuningConfiguration> tuning = {};

  [[nodiscard]] int games() const;  ///< of all matches, at most
};

/// The players of all matches, each once, in order of appearance.
[[nodiscard]] std::vector<const Player*> players_of(const Experiment& experiment);

/// Sets the access of each server that has neither a token nor certificates yet.
void use_access(Experiment& experiment, const Access& access);

/// What the user of an experiment should know before it is played, as sentences without a full
/// stop: players with equal options, and what there is to remark on the options.
[[nodiscard]] std::vector<std::string> remarks_on(const Experiment& experiment);
/// Players who differ in more than novelty while nobody plays the control, and options that have no
/// effect. Nothing of recorded options that this version does not know.
[[nodiscard]] std::vector<std::string> remarks_on_options(const Experiment& experiment);

/// What makes two players of a match alike, such as "have equal options"; empty if they are not.
[[nodiscard]] std::string likeness(const Player& one, const Player& other);

/// Names for a match and its rounds, the same wherever and whenever: UUIDs (version 5) made from
/// what determines the games.
[[nodiscard]] std::string match_id(const Match& match);
[[nodiscard]] std::string round_id(const std::string& match_id, int round);

}  // namespace pitboss::clients
