#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/sgf.hpp"

/// Records of games as SGF (docs/protocol.md, "Records of games").
namespace pitboss::games {

/// A game played so far: the position in which it began, and its moves.
struct Record {
  std::unique_ptr<AnyGame> start;
  std::vector<std::string> moves;
};

/// The record as SGF, without an empty line. The property RU has the game's name and parameters;
/// each point of a move is a node of its own, as GoGui writes moves. The first value of each
/// property of `root` is written to the root node: the players, the event, a result (RE) other than
/// the rules'. Throws BadSgf for a game of other colours than black and white, which SGF does not
/// have.
[[nodiscard]] std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                                        const SgfNode& root = {});

/// Reads a record, up to the node before move `before` (counted in nodes with moves from 1), or all
/// of it. A record that names no game of Pitboss is read as a game of `now`'s kind, of the record's
/// size. Throws BadSgf for nodes that are no such record.
[[nodiscard]] Record record_from_sgf(const SgfGame& nodes, const AnyGame& now,
                                     std::optional<int> before = std::nullopt);

}  // namespace pitboss::games
