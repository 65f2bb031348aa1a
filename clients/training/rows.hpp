#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "games/policy.hpp"

namespace pitboss::clients {

/// A position of self-play from which a network learns.
struct Row {
  struct Choice {
    games::PolicyParts parts;
    std::uint16_t visits;
  };
  std::vector<float> planes;      ///< as AnyGame::planes gives them
  std::vector<Choice> moves;      ///< the legal moves; at least one
  std::vector<float> outcome;     ///< result of the game, by colour in turn order: 1 won, 0 lost
  std::vector<float> root_value;  ///< the search's value of the position, likewise
  float weight = 1;               ///< in the losses
  std::uint32_t game = 0;         ///< number of the game in its generation
  std::uint16_t ply = 0;
  std::uint16_t plies_left = 0;  ///< to the end of the game
};

/// The most moves of a row that are kept: those with the most visits.
inline constexpr std::size_t most_row_moves = 512;

using Metadata = std::map<std::string, std::string>;

/// The rows as a file's bytes, in the format that docs/training.md describes: safetensors with the
/// tensors planes, moves, visits, outcome, root_value, weight, game, ply, plies_left. All rows must
/// be of one game with one number of planes.
[[nodiscard]] std::string row_file_bytes(const Metadata& metadata, const std::vector<Row>& rows);

/// The metadata of a file of rows.
struct RowFileHead {
  Metadata metadata;
  int rows = 0;
};
/// Reads the head of a file's bytes, which may come from anywhere. Throws UserError unless they are
/// a whole file of rows: "it is cut off".
[[nodiscard]] RowFileHead row_file_head(std::string_view bytes);

}  // namespace pitboss::clients
