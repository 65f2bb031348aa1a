#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/exact/zeroed_table.hpp"

/// What searches for a proof have in common (df-pn: A. Nagai 2002).
namespace pitboss::engine {

inline constexpr std::uint32_t unproven = std::uint32_t{1} << 30U;  ///< no proof number is larger

/// Least numbers of leaves to be proven for the side to move to win (`win`) and to lose (`loss`).
struct ProofNumbers {
  std::uint32_t win;
  std::uint32_t loss;

  [[nodiscard]] static constexpr ProofNumbers won() { return {0, unproven}; }
  [[nodiscard]] static constexpr ProofNumbers lost() { return {unproven, 0}; }
  [[nodiscard]] bool decided() const { return win == 0 || loss == 0; }
  [[nodiscard]] std::optional<int> score() const {
    return win == 0 ? std::optional(1) : loss == 0 ? std::optional(-1) : std::nullopt;
  }
  /// Whether a search within these limits has to leave.
  [[nodiscard]] bool is_beyond(ProofNumbers limits) const {
    return win >= limits.win || loss >= limits.loss;
  }
};

/// What a position comes to by its candidates, none of them decided, whose `numbers` are those of
/// the position after the move.
template <class Candidate>
class ProofChoice {
 public:
  /// The most promising move is the one after which the enemy loses most easily. To lose, the side
  /// to move has to lose by the hardest move, and by the others (T. Ueda et al. 2008: with a sum,
  /// a position that several moves lead to would count several times).
  ProofChoice(Candidate* candidates, int count)
      : best_(candidates), others_(static_cast<std::uint32_t>(count - 1)) {
    std::uint32_t hardest = 0;
    for (Candidate* c = candidates; c < candidates + count; ++c) {
      hardest = std::max(hardest, c->numbers.win);
      if (c == best_) continue;
      if (c->numbers.loss < best_->numbers.loss) {
        second_ = best_->numbers.loss;
        best_ = c;
      } else {
        second_ = std::min(second_, c->numbers.loss);
      }
    }
    numbers_ = {best_->numbers.loss, std::min(hardest + others_, unproven - 1)};
  }
  [[nodiscard]] Candidate& best() const { return *best_; }
  [[nodiscard]] ProofNumbers numbers() const { return numbers_; }
  /// Within which the best candidate is searched if the position has these limits. It stays the
  /// best one until it is harder than the second by a quarter (J. Pawlewicz, L. Lew 2006).
  [[nodiscard]] ProofNumbers limits_of_best(ProofNumbers limits) const {
    return {limits.loss == unproven ? unproven : limits.loss - others_,
            std::min(limits.win, second_ == unproven ? unproven : second_ + 1 + second_ / 4)};
  }

 private:
  Candidate* best_;
  std::uint32_t others_;
  std::uint32_t second_ = unproven;
  ProofNumbers numbers_{};
};

/// What is known of positions. An entry has a `position`, which has a `hash()`, and `work`: how
/// many positions were looked at for it, 0 in an entry that is not used.
template <class Entry>
class ProofTable {
 public:
  using Position = decltype(Entry::position);

  explicit ProofTable(std::size_t bytes) : entries_(bytes, bucket_size) {}

  [[nodiscard]] const Entry* find(const Position& position) const {
    const Entry* const entries = &entries_[bucket(position)];
    for (std::size_t i = 0; i < bucket_size; ++i) {
      if (entries[i].work != 0 && entries[i].position == position) return &entries[i];
    }
    return nullptr;
  }
  /// In the place of an entry for the same position, or else of the one with the least work.
  void keep(const Entry& entry) {
    Entry* const entries = &entries_[bucket(entry.position)];
    Entry* place = entries;
    for (std::size_t i = 0; i < bucket_size; ++i) {
      if (entries[i].work != 0 && entries[i].position == entry.position) {
        entries[i] = entry;
        return;
      }
      if (entries[i].work < place->work) place = &entries[i];
    }
    *place = entry;
  }

 private:
  static constexpr std::size_t bucket_size = 4;

  [[nodiscard]] std::size_t bucket(const Position& position) const {
    return position.hash() & (entries_.size() - bucket_size);
  }

  ZeroedTable<Entry> entries_;
};

}  // namespace pitboss::engine
