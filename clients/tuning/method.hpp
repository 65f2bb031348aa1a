#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "clients/tuning/search_space.hpp"
#include "games/random.hpp"

/// What a tuner has played, and what it makes of the results.
namespace pitboss::clients {

/// A game of the tuned player.
struct ProposedGame {
  Values first;  ///< the tuned player's options, whose points are counted
  /// The other side: the tuned player with these options, or an opponent by its number from 0.
  std::variant<Values, int> second;
  int opening;  ///< games with the same number begin alike (`round_in_random_order`)
  int seating;  ///< the game of `Seating::of_game`

  friend bool operator==(const ProposedGame&, const ProposedGame&) = default;
};

/// Games whose results a tuner uses together.
using Proposal = std::vector<ProposedGame>;
/// What the first side earned in each game of a proposal, in twelfths of a point.
using Outcome = std::vector<int>;

/// What all methods are told.
struct Conditions {
  std::int64_t seed = 1;
  /// Players against which candidates play in turn; 0: the tuned player plays against itself.
  int opponents = 1;
  /// The games that share an opening: `round_size` of the game's colours.
  int seatings = 2;
  Values start;  ///< the options before tuning
};

/// A method of tuning, or a stage of one. It is deterministic: what it proposes depends on how it
/// was made and on the order of calls of `propose` and `learn`, which `Proposals` fixes whatever
/// the order in which games end. Not thread-safe; nothing blocks.
class Method {
 public:
  virtual ~Method() = default;
  /// What to play next. Nothing if the method needs all results that are still open first; if none
  /// is open, it is finished.
  [[nodiscard]] virtual std::optional<Proposal> propose() = 0;
  /// The outcome of the first proposal that has had none yet.
  virtual void learn(const Outcome& outcome) = 0;
  /// The answer so far, at any time: one candidate, or one of each independent run.
  [[nodiscard]] virtual std::vector<Values> recommended() const = 0;
  /// Sentences about the answer that its user should read.
  [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }
};

/// The opponent of that number, or in self-play the options before tuning.
[[nodiscard]] std::variant<Values, int> opponent_in(const Conditions& conditions, int opponent);
/// All seatings of one opening.
[[nodiscard]] Proposal all_seatings(const Values& first, const std::variant<Values, int>& second,
                                    int opening, int seatings);
/// The bandits' sample number `number`: all opponents in all seatings, each opponent from an
/// opening of its own.
[[nodiscard]] Proposal sample_of(const Values& values, const Conditions& conditions,
                                 std::int64_t number);
/// How many a candidate plays against: in self-play one, the options before tuning.
[[nodiscard]] int opponents_of(const Conditions& conditions);
[[nodiscard]] int games_per_sample(const Conditions& conditions);
/// The random numbers of a proposal.
[[nodiscard]] games::Random random_of(const Conditions& conditions, std::int64_t number);
/// The first side's points per game.
[[nodiscard]] double score_of(const Outcome& outcome);

/// Throws UserError, which names the key and says what the games are needed for, if there are
/// fewer than `needed`.
void require_games(const std::string& key, std::int64_t games, std::int64_t needed,
                   const std::string& what_for);
/// Throws UserError, which names the parameter, for a start that is no number in its range.
void check_start(const SearchSpace& space, const Values& start);
/// Throws UserError, which names the parameter, unless all parameters are lists of values.
void check_values(const SearchSpace& space);

}  // namespace pitboss::clients
