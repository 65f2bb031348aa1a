#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/exact/patience.hpp"
#include "games/amazons.hpp"
#include "games/gomoku.hpp"
#include "games/pentalath.hpp"
#include "games/rolit.hpp"
#include "games/yavalath.hpp"

namespace pitboss::engine {

template <class Rules>
class ProofNumberSearch;
template <class G>
class ProofRules;

/// Solves positions of a game for two players in which no position comes back, by proof number
/// search (proof_number_search.hpp). In pentalath the stones can; a position of it has its plies,
/// too. A score takes one or two questions: does the side to move win? If not: does it draw at
/// least?
///
/// The table knows a position by 128 bits, two hashes of all that makes the position up; positions
/// of some games are four times as large. That two of 2^32 positions have the same 128 bits has a
/// probability of 2^-65.
template <class G>
class ProofSolution {
 public:
  using Game = G;
  static constexpr bool counts_points = false;

  /// For positions that come after this one.
  ProofSolution(const G& position, std::size_t table_bytes);
  ~ProofSolution();
  ProofSolution(const ProofSolution&) = delete;
  ProofSolution& operator=(const ProofSolution&) = delete;

  /// For the side to move 1 if it wins, 0 for a draw, -1 if it loses; nothing if patience ends
  /// first.
  [[nodiscard]] std::optional<int> score(const G& position, Patience& patience);
  /// No less than the score; the least such number that the table knows.
  [[nodiscard]] int most(const G& position) const;
  /// About how many positions a score takes to find; nothing if more than two play.
  [[nodiscard]] static std::optional<double> expected_positions(const G& position);
  /// Measured, by one thread.
  static constexpr double positions_a_second = 2.5e6;

 private:
  std::unique_ptr<ProofNumberSearch<ProofRules<G>>> search_;
};

using AmazonsSolution = ProofSolution<games::Amazons>;
using GomokuSolution = ProofSolution<games::Gomoku>;
using PentalathSolution = ProofSolution<games::Pentalath>;
using RolitSolution = ProofSolution<games::Rolit>;
using YavalathSolution = ProofSolution<games::Yavalath>;

}  // namespace pitboss::engine
