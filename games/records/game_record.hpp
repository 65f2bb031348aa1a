#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/sgf.hpp"

/// Records of games as SGF (docs/protocol.md, "Records of games").
namespace pitboss::games {

/// A game: the position in which it began, and its moves so far.
struct Record {
  std::unique_ptr<AnyGame> start;
  std::vector<std::string> moves;
};

/// The record as SGF, without an empty line. The property RU has the game's name and parameters;
/// each point of a move is a node of its own, as GoGui writes moves. The first value of each
/// property of `root` goes into the root node: the players, the event, a result (RE) other than
/// that of the rules. Throws BadSgf for a game with other colours than SGF's black and white.
[[nodiscard]] std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                                        const SgfNode& root = {});

/// Reads a record up to the node before move `before` (counted in nodes with moves from 1), or the
/// whole record. A record that does not name a game of Pitboss is read as a game of `now`'s kind,
/// of the record's size. Throws BadSgf for nodes that are no such record.
[[nodiscard]] Record record_from_sgf(const SgfGame& nodes, const AnyGame& now,
                                     std::optional<int> before = std::nullopt);

}  // namespace pitboss::games
