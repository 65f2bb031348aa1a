#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/exact/patience.hpp"
#include "games/atarigo.hpp"

namespace pitboss::engine {

/// Solves positions of atarigo by proof number search: a group that can be captured is captured or
/// saved at once, a stone that could be captured is not placed, and the proof numbers of a position
/// follow from both sides' liberties at first.
class AtariGoSolution {
 public:
  using Game = games::AtariGo;
  static constexpr bool counts_points = false;

  /// For positions on boards of this one's size.
  AtariGoSolution(const Game& position, std::size_t table_bytes);

  /// For the side to move 1 if it wins, -1 if it loses; nothing if patience ends first.
  [[nodiscard]] std::optional<int> score(const Game& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const Game& position) const;
  /// About how many positions a score takes to find.
  [[nodiscard]] static double expected_positions(const Game& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 3e6;

  /// Proves positions of one size.
  class Prover {
   public:
    virtual ~Prover() = default;
    [[nodiscard]] virtual std::optional<int> score(const Game& position, Patience& patience) = 0;
    [[nodiscard]] virtual std::optional<int> known(const Game& position) const = 0;
  };

 private:
  std::unique_ptr<Prover> prover_;
};

}  // namespace pitboss::engine
