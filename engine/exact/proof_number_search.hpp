#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "engine/exact/patience.hpp"
#include "engine/exact/proof_numbers.hpp"
#include "engine/exact/zeroed_table.hpp"

namespace pitboss::engine {

/// Depth-first proof number search with a table, in a game without draws that cannot repeat a
/// position. `Rules` knows the game:
///
/// * `Position` has a `key()`, by which the table knows it, a value with `==` and a `hash()` that
///   may stand for all positions that symmetries bring onto each other;
/// * `expand(position, add)` is the score of a position that can be told at once; else it calls
///   `add(after, numbers)` for each move that may win, with the position after it and the proof
///   numbers with which that one begins, and is nothing. No such move: the position is lost;
/// * `most_moves()` and `most_plies()` bound the moves of a position and the plies of a game.
///
/// In a game with draws the rules count them for one side (proof_solution.cpp).
template <class Rules>
class ProofNumberSearch {
 public:
  using Position = typename Rules::Position;

  ProofNumberSearch(Rules rules, std::size_t table_bytes)
      : rules_(std::move(rules)),
        table_(table_bytes),
        candidates_(0, std::bit_ceil(static_cast<std::size_t>(rules_.most_moves()) *
                                     static_cast<std::size_t>(rules_.most_plies() + 1))) {}

  [[nodiscard]] const Rules& rules() const { return rules_; }

  /// For the side to move 1 if it wins, -1 if it loses; nothing if patience ends first. Each
  /// position after a move counts as one that was looked at.
  [[nodiscard]] std::optional<int> score(const Position& position, Patience& patience) {
    patience_ = &patience;
    return prove(position, {unproven, unproven}, &candidates_[0]).score();
  }
  /// The score if it can be told at once or the table has it.
  [[nodiscard]] std::optional<int> known(const Position& position) const {
    bool has_moves = false;
    const auto add = [&](const Position&, ProofNumbers) { has_moves = true; };
    if (const auto score = rules_.expand(position, add)) return score;
    if (!has_moves) return -1;
    const Entry* const entry = table_.find(position.key());
    return entry != nullptr ? entry->numbers.score() : std::nullopt;
  }

 private:
  using Key = std::remove_cvref_t<decltype(std::declval<const Position&>().key())>;

  struct Entry {
    Key position;
    ProofNumbers numbers;
    std::uint32_t work;
  };
  struct Candidate {
    Position after;
    ProofNumbers numbers;
  };

  /// Looks at the position and those after it until a number reaches its limit or patience ends.
  ProofNumbers prove(const Position& position, ProofNumbers limits, Candidate* candidates) {
    const Entry* const known = table_.find(position.key());
    if (known != nullptr && (known->numbers.decided() || known->numbers.is_beyond(limits))) {
      return known->numbers;
    }
    const std::uint64_t work_before = known != nullptr ? known->work : 0;
    const std::uint64_t looked_at_before = looked_at_++;
    const auto leave = [&](ProofNumbers numbers) {
      const std::uint64_t work = work_before + looked_at_ - looked_at_before;
      table_.keep({position.key(), numbers,
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(work, unproven))});
      return numbers;
    };
    int count = 0;
    const auto score = rules_.expand(position, [&](const Position& after, ProofNumbers numbers) {
      const Entry* const next = table_.find(after.key());
      candidates[count++] = {after, next != nullptr ? next->numbers : numbers};
      static_cast<void>(patience_->ends_with_position());
    });
    static_cast<void>(patience_->ends_with_position());
    if (score) return leave(*score > 0 ? ProofNumbers::won() : ProofNumbers::lost());
    for (;;) {
      for (int i = 0; i < count;) {
        if (candidates[i].numbers.loss == 0) return leave(ProofNumbers::won());
        if (candidates[i].numbers.win == 0) {
          candidates[i] = candidates[--count];
        } else {
          ++i;
        }
      }
      if (count == 0) return leave(ProofNumbers::lost());
      const ProofChoice choice(candidates, count);
      if (choice.numbers().is_beyond(limits) || patience_->has_ended()) {
        return leave(choice.numbers());
      }
      Candidate& best = choice.best();
      best.numbers = prove(best.after, choice.limits_of_best(limits), candidates + count);
    }
  }

  Rules rules_;
  ProofTable<Entry> table_;
  ZeroedTable<Candidate> candidates_;  ///< of all positions on the path, one after the other
  std::uint64_t looked_at_ = 0;
  Patience* patience_ = nullptr;
};

}  // namespace pitboss::engine
