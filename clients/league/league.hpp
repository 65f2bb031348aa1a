#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/league/league_ratings.hpp"
#include "clients/league/next_rounds.hpp"
#include "clients/referee/ledger_contents.hpp"

/// A league: players who meet whenever their ratings gain most by it, and whose games are kept for
/// good in the ledger of an experiment that grows.
namespace pitboss::clients {

/// What files say of a league: who plays, at which games, and whose rating is fixed.
struct LeaguePlan {
  ExperimentFile run;  ///< without matches
  std::vector<LeagueFile::Game> games;
  std::vector<Setting> anchors;  ///< a name and its Elo each, in all games
};

/// Games, settings and anchors are those of the first file; all files have players. Throws
/// UserError, also if two players of one name differ.
[[nodiscard]] LeaguePlan league_plan(const std::vector<LeagueFile>& files);

/// The match of two players of the league at a game, the same whoever comes first: its opening and
/// seeds derive from the league's seed and both names. Without a number of games.
[[nodiscard]] Match league_match(const LeagueFile::Game& game, const Player& one,
                                 const Player& other);

/// What a ledger's experiment, which may be empty, and the plan make together: its matches, with
/// the players of the plan as that has them. Throws UserError, which names `place`, if this is no
/// league, if it has other settings, or a player that differs from the plan's of that name, or if
/// an anchor is no player.
[[nodiscard]] Experiment league_experiment(const LeaguePlan& plan, const Experiment& recorded,
                                           const std::string& place);

/// The players of a league at one game: those of the plan, then those who have retired, which are
/// those that only the ledger has.
struct LeagueGame {
  std::string title;                          ///< as `game_name` has it
  const LeagueFile::Game* planned = nullptr;  ///< null: nobody plays it any more
  std::vector<std::string> players;
  std::vector<bool> plays;                     ///< by player: has not retired
  std::vector<std::optional<double>> anchors;  ///< of the plan; else the first player has 0
  std::vector<int> matches;                    ///< of the experiment
  int colours = 2;

  [[nodiscard]] int number_of(const std::string& player) const;  ///< -1: nobody
  [[nodiscard]] int active() const;
};

/// The league's games, those of the plan first. The plan must outlive them.
[[nodiscard]] std::vector<LeagueGame> league_games(const LeaguePlan& plan,
                                                   const Experiment& experiment);

/// Has retired players play no more than they have.
void drop_retired(Experiment& experiment, const std::vector<LeagueGame>& games,
                  const LedgerContents& contents);

/// The rounds played at one game.
[[nodiscard]] std::vector<const PlayedRound*> rounds_of(const LeagueGame& game,
                                                        const LedgerContents& contents);

/// The results of rounds at one game, of which a league rates its players; nothing of matches that
/// breakdowns decide by these `results`.
[[nodiscard]] LeagueGames results_of(const LeagueGame& game, const Results& results,
                                     std::span<const PlayedRound* const> rounds);

/// Why a player of the plan cannot go on: it only breaks down; empty if none does.
[[nodiscard]] std::string broken_player(const std::vector<LeagueGame>& games,
                                        const Results& results);

/// Half the widest 95 % interval of those who play; 0 if all are anchors.
[[nodiscard]] double widest_error(const std::vector<LeagueGame>& games,
                                  const std::vector<LeagueRatings>& ratings);

/// Adds the rounds that should be played next: half as many as players who play, or a tenth of the
/// rounds on record if that is more, so that what is chosen depends on the ledger and the plan
/// alone, and not on how many games are played at once. Who is known `within` so many Elo counts no
/// more. All games planned before must be on record. Adds nothing if nobody can be told better.
void plan_next_rounds(Experiment& experiment, const std::vector<LeagueGame>& games,
                      const std::vector<LeagueRatings>& ratings, const LedgerContents& contents,
                      double within);

/// The experiment with so many of its games that are not on record, and no others; whole rounds,
/// and first those that an interruption has left out, all of them.
[[nodiscard]] Experiment next_part(Experiment experiment, const LedgerContents& contents,
                                   std::int64_t games);

}  // namespace pitboss::clients
