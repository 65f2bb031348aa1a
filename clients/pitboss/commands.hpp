#pragma once

#include <string>
#include <vector>

/// The commands of `pitboss`, each in its NAME_command.cpp; main.cpp lists them.
namespace pitboss::clients {

/// `pitboss bench`: how fast the search is in every game, evaluation and novelty measure, from the
/// initial position on one thread, in this process; with --networks also networks; and the
/// signature of these games. Blocks for some seconds a game. Throws UserError for arguments that
/// mean nothing. Returns the exit code.
int bench(const std::vector<std::string>& arguments);

/// `pitboss engines [PROGRAM]`: tells of the engines of others that are known. Returns the exit
/// code; throws UserError.
int engines_command(const std::vector<std::string>& arguments);

/// `pitboss books GAME`: makes openings that are worth about the same to all sides, and a biased
/// book beside them. Blocks until that is done. Returns the exit code; throws UserError.
int books_command(const std::vector<std::string>& arguments);

/// `pitboss explore FILES`: what was played from a position in recorded games. Returns the exit
/// code; throws UserError.
int explore_command(const std::vector<std::string>& arguments);

/// `pitboss features`: shows and checks files of features.
int features_command(const std::vector<std::string>& arguments);

/// `pitboss games`: how many games a question takes. Returns the exit code; throws UserError.
int games_command(const std::vector<std::string>& arguments);

/// `pitboss grow`: grows features by self-play.
int grow_command(const std::vector<std::string>& arguments);

/// `pitboss gtp ...`: connects a GUI, which starts its engine as a program and speaks GTP on
/// standard streams, with a server. Blocks until one side ends. Returns the exit code: 0 when the
/// server has closed the connection and everything was answered, 1 when not, 128 + signal. Throws
/// UserError for arguments that mean nothing, a server that cannot be reached, or one that refuses
/// the set-up.
int gtp(const std::vector<std::string>& arguments);

/// `pitboss ladder ...`: plays a player with rising values of an option against each other, and
/// tells what a doubling is worth. Blocks until it ends. Returns the exit code; throws UserError
/// before the first game.
int ladder_command(const std::vector<std::string>& arguments);

/// `pitboss launch ...`: starts workers for an experiment and keeps them running. Blocks until it
/// is finished, or until Slurm has taken the job. Returns the exit code. Throws UserError.
int launch_command(const std::vector<std::string>& arguments);

/// `pitboss league PLACE`: plays the games by which a league's ratings gain most, and writes its
/// page. Blocks until that is done. Returns the exit code; throws UserError.
int league_command(const std::vector<std::string>& arguments);

/// `pitboss ledger ...`: shows, exports, merges and verifies ledgers. Returns the exit code. Throws
/// UserError.
int ledger(const std::vector<std::string>& arguments);

/// `pitboss load ...`: measures how many commands a second a server answers, and how fast. Returns
/// the exit code. Throws UserError.
int load(const std::vector<std::string>& arguments);

/// `pitboss network`: makes, shows, checks and times the files of networks. Returns the exit code;
/// throws UserError.
int network(const std::vector<std::string>& arguments);

/// `pitboss play [GAME]`: a game in the terminal against a search in this process. Returns the exit
/// code; throws UserError.
int play_command(const std::vector<std::string>& arguments);

/// `pitboss referee ...`: plays an experiment and prints its results. Blocks until it ends. Returns
/// the exit code. Throws UserError before the first game.
int referee(const std::vector<std::string>& arguments);

/// `pitboss report ...`: writes the report of an experiment anew, or serves pages that follow
/// experiments until a signal ends it. Returns the exit code. Throws UserError.
int report_command(const std::vector<std::string>& arguments);

/// `pitboss review FILES`: searches recorded games and writes them with what was found. Returns the
/// exit code; throws UserError.
int review_command(const std::vector<std::string>& arguments);

/// `pitboss selfplay`: the process's exit code. Throws UserError.
int selfplay(const std::vector<std::string>& arguments);

/// `pitboss sprt COUNTS`: what a match's counts say. Returns the exit code; throws UserError.
int sprt_command(const std::vector<std::string>& arguments);

/// `pitboss sweep ...`: plays a player with each of several values of one or two options. Blocks
/// until it ends. Returns the exit code; throws UserError before the first game.
int sweep_command(const std::vector<std::string>& arguments);

/// `pitboss test`: builds two commits of an engine and has them play until it is clear which is
/// stronger. Blocks until then. Returns the exit code; throws UserError before the first game.
int test_command(const std::vector<std::string>& arguments);

/// `pitboss token`: makes a token, and the line for the file of a daemon's tokens. Returns the exit
/// code; throws UserError.
[[nodiscard]] int token(const std::vector<std::string>& arguments);

/// `pitboss train`: the process's exit code. Throws UserError.
int train_command(const std::vector<std::string>& arguments);

/// `pitboss truth FILE`: the exact values of positions. Blocks for some seconds a position. Returns
/// the exit code; throws UserError.
int truth_command(const std::vector<std::string>& arguments);

/// `pitboss tune`: looks for a player's best options. Blocks until it ends. Returns the exit code;
/// throws UserError before the first game.
int tune_command(const std::vector<std::string>& arguments);

}  // namespace pitboss::clients
