#include "engine/leaf/network/symmetry_tables.hpp"

#include "games/unboxed.hpp"

namespace pitboss::engine {

std::vector<SymmetryTable> symmetry_tables(const games::AnyGame& game) {
  std::vector<SymmetryTable> tables;
  games::unboxed(game, [&](const auto& g) { tables = symmetry_tables(g); });
  return tables;
}

}  // namespace pitboss::engine
