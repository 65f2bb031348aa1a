#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "engine/exact/patience.hpp"
#include "games/hex.hpp"

namespace pitboss::engine {

/// Solves positions of hex by depth-first proof number search (df-pn: A. Nagai 2002) with a table,
/// virtual connections (hex_connections.hpp) and fill-in (hex_fill.hpp). Only points that all
/// semi-connections of the enemy's edges have in common may stop it; they shrink to the points that
/// matter in the proof that one of them fails (R. Hayward et al. 2005).
class HexSolution {
 public:
  using Game = games::Hex;
  static constexpr bool counts_points = false;

  /// For positions on boards of this one's size. Beside the table a few MiB.
  HexSolution(const games::Hex& position, std::size_t table_bytes);

  /// For the side to move 1 if it wins, -1 if it loses; nothing if patience ends first.
  [[nodiscard]] std::optional<int> score(const games::Hex& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const games::Hex& position) const;
  /// About how many positions a score takes to find.
  [[nodiscard]] static double expected_positions(const games::Hex& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 1e7;

  /// Proves positions of one size, without the swap rule.
  class Prover {
   public:
    virtual ~Prover() = default;
    [[nodiscard]] virtual std::optional<int> score(const games::Hex& position,
                                                   Patience& patience) = 0;
    /// The score if the table has it.
    [[nodiscard]] virtual std::optional<int> known(const games::Hex& position) const = 0;
  };

 private:
  [[nodiscard]] std::optional<int> known(const games::Hex& position) const;

  std::unique_ptr<Prover> prover_;
};

}  // namespace pitboss::engine
