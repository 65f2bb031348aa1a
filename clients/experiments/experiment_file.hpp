#pragma once

#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "clients/experiments/experiment.hpp"
#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/settings.hpp"

namespace pitboss::clients {

inline constexpr std::size_t most_matches = 10'000;

/// How many games a server, or a program on this machine, plays at once.
struct ServerCapacity {
  Location location;
  int games = 0;  ///< 0: not said
};

/// An experiment and how it is run. The experiment alone determines the games.
struct ExperimentFile {
  Experiment experiment;
  /// Each location of a player, once.
  std::vector<ServerCapacity> servers;
  int concurrency = 8;  ///< games at once, everywhere together
  std::chrono::milliseconds reconnect = std::chrono::seconds(10);
  std::filesystem::path folder;  ///< for the records; empty: the file names none
};

/// Settings of a run and of a match, which a file or the flags of `pitboss referee` have; those of
/// a match each game may have for itself.
inline constexpr std::array run_rows{
    setting("concurrency", &ExperimentFile::concurrency, 1, 1000,
            "games at once (two connections each)"),
    setting("reconnect", &ExperimentFile::reconnect, 0.001, 1e7,
            "how long to look for a server that went away", "reconnect-seconds"),
};
inline constexpr std::array match_rows{
    setting("seed", &Match::seed, 0, unbounded,
            "of the experiment: openings and engines' seeds come from it"),
    setting("move_timeout", &Match::move_timeout, 0.001, 1e7,
            "an engine without a clock (tc) that is silent for longer loses the game"),
    setting("time_margin", &Match::time_margin, 0, 60,
            "by how much a move may exceed the player's clock"),
    setting("max_plies", &Match::max_plies, 0, unbounded,
            "a game of N plies is a draw; 0: no limit"),
};

/// Reads an experiment as docs/experiment-file.md describes it. Throws UserError for every mistake:
/// one sentence with file, line, and key.
[[nodiscard]] ExperimentFile read_experiment_file(const std::filesystem::path& path);

/// The same of settings that are not in a file by themselves, such as those of a command line.
/// `servers`, if there are any, replace those of the settings.
[[nodiscard]] ExperimentFile experiment_file_of(const Setting& settings,
                                                const std::vector<ServerCapacity>& servers = {});

/// The same for those who play it elsewhere: [[server]] is not looked at, and need not be there.
/// Players without a location of their own have none, and the file no servers.
[[nodiscard]] ExperimentFile read_unseated_experiment(const std::filesystem::path& path);

/// The same from a text; errors call the file `name`, in whose folder opening files are looked for.
[[nodiscard]] ExperimentFile parse_experiment(std::string_view text, const std::string& name);

/// How the other side of a player that is tuned against itself is called: NAME.other.
inline constexpr std::string_view ending_of_other = ".other";

/// What is tuned, of all that a file describes.
struct TuningChoice {
  std::string game;    ///< by its name in the file; empty: the only one
  std::string player;  ///< empty: the one that the file names, or its first
};

/// What `pitboss tune` reads of a file (docs/tuning.md): an experiment without stopping rule, and a
/// table [tune].
struct TuningFile {
  /// The tuned player, as the first, against each player that the file pairs it with.
  ExperimentFile file;
  /// The tuned player against itself, under another name.
  Match itself;
  Setting tune;    ///< the table [tune]
  Setting player;  ///< the tuned player's table
};
[[nodiscard]] TuningFile read_tuning_file(const std::filesystem::path& path,
                                          const TuningChoice& choice = {});

/// What `pitboss league` reads of a file (docs/league.md): an experiment's games and players, who
/// are not paired and may be one alone, and perhaps a table [league].
struct LeagueFile {
  struct Game {
    Match match;  ///< without players and number of games
    std::vector<Player> players;
  };
  ExperimentFile file;  ///< without matches
  std::vector<Game> games;
  std::optional<Setting> league;  ///< the table [league]
};
[[nodiscard]] LeagueFile read_league_file(const std::filesystem::path& path);

}  // namespace pitboss::clients
