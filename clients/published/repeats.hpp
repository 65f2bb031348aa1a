#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/published/table.hpp"

/// Cells that were played again, which shows whether a record can be relied on.
namespace pitboss::clients {

/// A cell of which all games that are planned were played.
struct RecordedCell {
  std::size_t table;  ///< among those given
  std::size_t match;  ///< of that table
};
/// At most `count` different cells of the tables that time does not bound, each as likely as any
/// other; the same seed draws the same ones.
[[nodiscard]] std::vector<RecordedCell> draw_cells(const std::vector<Table>& tables, int count,
                                                   std::uint64_t seed);

/// The cells of these names (`name_of` their matches). Throws UserError for a name that no match
/// has, and for a match that cannot be repeated.
[[nodiscard]] std::vector<RecordedCell> cells_named(const std::vector<Table>& tables,
                                                    const std::vector<std::string>& names);

/// The cell's match with the seed that `repeats_of` expects besides the cell's own: other openings
/// and other games.
[[nodiscard]] Match with_other_seed(Match match);

/// A cell, and what it came to when it was played again.
struct Repeat {
  RecordedCell cell;
  std::optional<CellRecord>
      same_seed;  ///< has the games of the cell's record, or something is wrong
  std::optional<CellRecord> other_seed;  ///< has other games of the same players
};
/// The cells of the tables of which `records` has all games, in the order of the tables.
[[nodiscard]] std::vector<Repeat> repeats_of(const std::vector<Table>& tables,
                                             const std::vector<CellRecord>& records);

/// Whether the cell, played again with its seed, has the games of its record.
[[nodiscard]] bool has_same_games(const std::vector<Table>& tables, const Repeat& repeat);

/// A line for each cell, in Markdown.
[[nodiscard]] std::string repeats_table(const std::vector<Table>& tables,
                                        const std::vector<Repeat>& repeats);
/// A section of docs/results/README.md; empty if no cell was played again.
[[nodiscard]] std::string repeats_section(const std::vector<Table>& tables,
                                          const std::vector<Repeat>& repeats);

}  // namespace pitboss::clients
