#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"
#include "games/records/sgf.hpp"

/// Games as SGF records them (docs/protocol.md, "Records of games").
namespace pitboss::games {

/// A game played so far: where it began, and its moves.
struct Record {
  std::unique_ptr<AnyGame> start;
  std::vector<std::string> moves;
};

/// The record as SGF, without an empty line. The game's name and parameters are its rules (RU); a
/// move is written point by point, each a node of its own, as GoGui does it. `root` is told there,
/// the first value of each: the players, the event, a result (RE) other than the rules'. Throws
/// BadSgf for a game of other colours than black and white, which SGF does not know.
[[nodiscard]] std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                                        const SgfNode& root = {});

/// What an SGF says, up to the node before move `before` (counted in nodes with moves from 1), or
/// all of it. A record that names no game of ours is taken for one of `now`'s kind, of the record's
/// size. Throws BadSgf for what is no such record.
[[nodiscard]] Record record_from_sgf(std::string_view sgf, const AnyGame& now,
                                     std::optional<int> before = std::nullopt);

}  // namespace pitboss::games
