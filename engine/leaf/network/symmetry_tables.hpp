#pragma once

#include <vector>

#include "games/any_game.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::engine {

/// What a symmetry of a game does to what a network takes and gives (NetworkInterface): cell i of
/// every plane goes to cell `cells[i]`, row by row from the top, and entry i of the policy to entry
/// `policy[i]`. Values stay. Places of the rectangle that are no points of the board stay, too.
struct SymmetryTable {
  std::vector<int> cells;
  std::vector<int> policy;

  friend bool operator==(const SymmetryTable&, const SymmetryTable&) = default;
};

/// By symmetry (games/symmetry.hpp), the identity first; the same for all positions of a game.
template <games::HasPolicy G>
[[nodiscard]] std::vector<SymmetryTable> symmetry_tables(const G& game) {
  std::vector<SymmetryTable> tables;
  for (const games::Symmetry& symmetry : games::symmetries_of(game)) {
    SymmetryTable& table = tables.emplace_back();
    for (int cell = 0; cell < game.shape().cells(); ++cell) {
      table.cells.push_back(games::image_of_cell(game, cell, symmetry));
    }
    for (int entry = 0; entry < game.policy_size(); ++entry) {
      table.policy.push_back(games::policy_image(game, entry, symmetry));
    }
  }
  return tables;
}
[[nodiscard]] std::vector<SymmetryTable> symmetry_tables(const games::AnyGame& game);

}  // namespace pitboss::engine
