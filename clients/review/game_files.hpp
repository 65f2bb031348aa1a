#pragma once

#include <string>
#include <vector>

#include "games/records/game_record.hpp"

/// Games that were played somewhere, from files of any kind.
namespace pitboss::clients {

struct GameOnFile {
  std::string place;  ///< "games.sgf:17", "run/first game 3"
  games::Record record;
  std::vector<std::string> players;  ///< by colour; empty: not told
  std::string result;                ///< "B+3"; empty: neither told nor by the rules
  std::string reason{};              ///< of the result, as a ledger tells it; empty: from a record
};

struct GamesOnFile {
  std::vector<GameOnFile> games;
  std::vector<std::string> left_out;  ///< why: a sentence for each game or file, without a stop
  std::vector<std::string> notes;     ///< what differs from the records: sentences as these
};

/// The games of all places, in their order: a file of records in SGF, GGF or PSQ, FILE:N the Nth
/// game in it; a ledger, as `pitboss ledger` takes it; else a folder with such files, by their
/// names. A game counts once, also if its file or ledger is named twice. `game` is that of records
/// which do not tell theirs, with or without parameters; if it is empty, these are left out, else
/// games of another name are. Whatever cannot be read, or has no move, is left out and costs
/// nothing else. Throws UserError for a `game` that is none.
[[nodiscard]] GamesOnFile games_on_file(const std::vector<std::string>& places,
                                        const std::string& game);

/// Each colour's share of the point where the rules have ended the game.
[[nodiscard]] std::vector<double> shares_in(const games::AnyGame& over);

}  // namespace pitboss::clients
