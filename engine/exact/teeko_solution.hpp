#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/exact/patience.hpp"
#include "engine/exact/teeko_table.hpp"
#include "games/teeko.hpp"

namespace pitboss::engine {

/// Reads teeko's positions from a table (teeko_table.hpp), which `pitboss truth --make-table teeko`
/// keeps in a file. The table knows no limit of plies; a win that comes after the game has ended by
/// it is a draw.
class TeekoSolution {
 public:
  using Game = games::Teeko;
  static constexpr bool counts_points = false;

  /// The table's file in its folder.
  static constexpr std::string_view file_name = "teeko.table";
  /// In which folder the table is to be looked for; empty: in none, as before this is called. A
  /// table that has been read stays. Any thread may call this.
  static void find_table_in(const std::filesystem::path& folder);

  /// Only if positions are expected to be solved.
  TeekoSolution();

  /// For the side to move above 0 if it wins, 0 for a draw, below 0 if it loses: one more than how
  /// many plies would be left before the limit when the game is won, so that a win is worth the
  /// more, and a loss the less, the sooner it comes.
  [[nodiscard]] std::optional<int> score(const games::Teeko& position,
                                         Patience& /*patience*/) const {
    return most(position);
  }
  [[nodiscard]] int most(const games::Teeko& position) const;
  /// Nothing if the table is not there.
  [[nodiscard]] static std::optional<double> expected_positions(const games::Teeko& position);
  /// Measured, by one thread: one position stands for all its moves, which are looked up.
  static constexpr double positions_a_second = 1e5;

 private:
  const TeekoTable* table_;
};

}  // namespace pitboss::engine
