#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exact/patience.hpp"
#include "engine/exact/proof_number_search.hpp"
#include "games/breakthrough.hpp"
#include "games/knightthrough.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

/// What a proof of a race game has to know: whose man no other can stop any more, and who has more
/// men at a point from which the next step wins (race patterns: A. Saffidine, N. Jouandeau,
/// T. Cazenave 2011).
template <class GameRules>
class RaceRules {
 public:
  /// Men of the side to move, which go up the board, and of the other. Of a position and its
  /// mirror image, the one whose words are lower.
  struct Position {
    std::uint64_t own;
    std::uint64_t enemy;
    friend bool operator==(const Position&, const Position&) = default;
    [[nodiscard]] const Position& key() const { return *this; }
    [[nodiscard]] std::uint64_t hash() const { return games::mix(games::mix(own) ^ enemy); }
  };

  explicit RaceRules(const games::Race<GameRules>& position);

  [[nodiscard]] Position position_of(const games::Race<GameRules>& game) const;
  template <class Add>
  [[nodiscard]] std::optional<int> expand(const Position& position, Add&& add) const;
  [[nodiscard]] int most_moves() const { return 2 * size_ * games::Race<GameRules>::steps; }
  [[nodiscard]] int most_plies() const { return 2 * 2 * size_ * (size_ - 2) + 1; }

  /// The score for the side to move, which can move, if patterns tell it.
  [[nodiscard]] std::optional<int> judged(std::uint64_t own, std::uint64_t enemy) const;

 private:
  static constexpr int steps = games::Race<GameRules>::steps;

  [[nodiscard]] bool outruns(std::uint64_t own, std::uint64_t enemy, bool moves_first) const;
  [[nodiscard]] bool breaks_through(std::uint64_t own, std::uint64_t enemy) const;
  [[nodiscard]] std::uint64_t turned(std::uint64_t men) const;
  [[nodiscard]] Position lower(std::uint64_t own, std::uint64_t enemy) const;

  int size_;
  std::uint64_t points_;
  std::uint64_t home_;  ///< the row on which the enemy wins
  std::uint64_t goal_;  ///< the row on which the side to move wins
};

/// Solves positions of breakthrough and knightthrough by proof number search.
template <class GameRules>
class RaceSolution {
 public:
  using Game = games::Race<GameRules>;
  static constexpr bool counts_points = false;

  /// For positions on boards of this one's size.
  RaceSolution(const Game& position, std::size_t table_bytes);

  /// For the side to move 1 if it wins, -1 if it loses; nothing if patience ends first.
  [[nodiscard]] std::optional<int> score(const Game& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const Game& position) const;
  /// About how many positions a score takes to find.
  [[nodiscard]] static double expected_positions(const Game& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 3e6;

 private:
  ProofNumberSearch<RaceRules<GameRules>> search_;
};

using BreakthroughSolution = RaceSolution<games::BreakthroughRules>;
using KnightthroughSolution = RaceSolution<games::KnightthroughRules>;

}  // namespace pitboss::engine
