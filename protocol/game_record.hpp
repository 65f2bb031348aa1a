#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

/// Games as SGF records them (docs/protocol.md, "Records of games").
namespace pitboss::protocol {

/// A game played so far: where it began, and its moves.
struct GameRecord {
  std::unique_ptr<games::AnyGame> start;
  std::vector<std::string> moves;
};

/// The record as SGF, without an empty line. The game's name and parameters are its rules (RU); a
/// move is written point by point, each a node of its own, as GoGui does it.
[[nodiscard]] std::string record_to_sgf(const games::AnyGame& start,
                                        const std::vector<std::string>& moves);

/// What an SGF says, up to the node before move `before` (counted in nodes with moves from 1), or
/// all of it. A record that names no game of ours is taken for one of `now`'s kind, of the record's
/// size. Throws BadSgf for what is no such record.
[[nodiscard]] GameRecord record_from_sgf(std::string_view sgf, const games::AnyGame& now,
                                         std::optional<int> before = std::nullopt);

}  // namespace pitboss::protocol
