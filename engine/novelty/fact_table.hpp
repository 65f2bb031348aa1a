#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/novelty/fact_passes.hpp"
#include "engine/tree/exploration.hpp"
#include "games/game.hpp"

/// The statistics of a board's facts that novelty measures keep. A fact is a point and its content:
/// empty, or a piece of some kind.
namespace pitboss::engine {

[[nodiscard]] constexpr int groups_for(int places) {
  return (places + group_points - 1) / group_points;
}

/// The layout of a board's points: packed if that takes fewer groups, as on boards that are not
/// rectangular.
template <int Bits>
[[nodiscard]] GroupLayout layout_of(const games::Bitboard<Bits>& points) {
  static_assert(games::Bitboard<Bits>::words <= GroupLayout::max_words);
  GroupLayout layout;
  layout.words = games::Bitboard<Bits>::words;
  for (int i = 0; i < layout.words; ++i) layout.points[i] = points.word(i);
  int last = 0;
  points.for_each([&](int p) { last = p; });
  layout.groups = groups_for(points.count());
  layout.is_packed = layout.groups < groups_for(last + 1);
  if (!layout.is_packed) layout.groups = groups_for(last + 1);
  return layout;
}

/// Calls `visit(group, point of the group)` for the place of every point.
template <int Bits, class Visit>
void for_each_place(const GroupLayout& layout, const games::Bitboard<Bits>& points, Visit&& visit) {
  int before = 0;
  points.for_each([&](int p) {
    const int place = layout.is_packed ? before++ : p;
    visit(place / group_points, place % group_points);
  });
}

/// The words of a position's bitboards, for the duration of a pass.
template <games::Game G>
class PieceWords {
 public:
  explicit PieceWords(const G& position) {
    const auto put = [&]<int... Kinds>(std::integer_sequence<int, Kinds...>) {
      (put_words(Kinds, games::fact_pieces(position, Kinds)), ...);
    };
    put(std::make_integer_sequence<int, kinds>{});
  }
  /// The words in the form that the passes take.
  [[nodiscard]] const std::uint64_t* data() const { return words_.data(); }

 private:
  static constexpr int words_of_kind = G::Board::words;
  static constexpr int kinds = games::fact_kinds<G>();

  void put_words(int kind, const typename G::Board& pieces) {
    for (int i = 0; i < words_of_kind; ++i) words_[kind * words_of_kind + i] = pieces.word(i);
  }

  std::array<std::uint64_t, words_of_kind * kinds> words_;
};

template <games::Game G>
inline constexpr int max_groups = groups_for(G::Board::bits);

/// Adds to `common` the increase of `mine` since `last`; then all three are equal.
inline void exchange_count(std::uint32_t& mine, std::uint32_t& last, std::uint32_t& common) {
  common += mine - last;
  mine = last = common;
}

/// How often every fact has been seen. At most 4e9 positions.
template <games::Game G>
class FactCounts {
 public:
  /// Empties the table. Later positions must have the board of `root`.
  void reset(const G& root) {
    groups_.fill({});
    for (CountedGroup<kinds>& group : groups_) std::ranges::fill(group.bias, bias_of_no_point);
    layout_ = layout_of(root.points());
    passes_ = fact_passes<kinds>(layout_);
    gaps_ = layout_.groups * group_points - root.points().count();
    for_each_place(layout_, root.points(),
                   [&](int group, int p) { groups_[group].bias[bias_slot(p)] = bias_of_point; });
    positions_ = 0;
    scale_ = 1;
    exchanged_ = false;
  }

  /// N in the formulas: positions counted, plus 1.
  [[nodiscard]] double n() const { return positions_ + 1.0; }

  /// Counts the position; returns 1 / sqrt(pseudocount) for the density, which is the product over
  /// its facts of count / N.
  [[nodiscard]] double count_and_score(const G& position) {
    const PieceWords<G> words(position);
    const std::uint32_t before = positions_++;
    const double scale_before = scale_;
    scale_ = scale();
    return passes_.count_and_score(groups_.data(), layout_, words.data(), before, scale_before,
                                   scale_);
  }
  /// Counts the position; returns how many of its facts have a count below `bound` then.
  [[nodiscard]] int count_and_compare(const G& position, std::uint32_t bound) {
    const PieceWords<G> words(position);
    const std::uint32_t before = positions_++;
    const int below =
        passes_.count_and_compare(groups_.data(), layout_, words.data(), before, bound);
    return positions_ < bound ? below - gaps_ : below;
  }

  /// NoveltyMeasure::exchange, for counts.
  void exchange(FactCounts& common) {
    if (!exchanged_) last_ = {};
    exchanged_ = true;
    exchange_count(positions_, last_.positions, common.positions_);
    scale_ = common.scale_ = scale();
    for (int i = 0; i < layout_.groups; ++i) {
      for (int k = 0; k < kinds; ++k) {
        std::uint32_t* mine = groups_[i].seen[k];
        std::uint32_t* last = last_.seen[i][k];
        std::uint32_t* all = common.groups_[i].seen[k];
        for (int p = 0; p < group_points; ++p) exchange_count(mine[p], last[p], all[p]);
      }
    }
  }

 private:
  static constexpr int kinds = games::fact_kinds<G>();

  /// N to the power of minus the number of groups.
  [[nodiscard]] double scale() const {
    const double per_n = sample_share(positions_ + 1).share;
    double scale = per_n;
    for (int i = 1; i < layout_.groups; ++i) scale *= per_n;
    return scale;
  }

  struct Numbers {
    std::uint32_t positions;
    GroupCounts<kinds> seen[max_groups<G>];
  };

  std::array<CountedGroup<kinds>, max_groups<G>> groups_;
  GroupLayout layout_;
  int gaps_ = 0;  ///< places in the groups that are no points
  std::uint32_t positions_ = 0;
  double scale_ = 1;
  bool exchanged_ = false;
  FactPasses<kinds> passes_{};
  Numbers last_;  ///< at the last exchange; unused by a search that does not exchange
};

/// The highest value seen with every fact.
template <games::Game G>
class FactBest {
 public:
  /// Empties the table. Later positions must have the board of `root`.
  void reset(const G& root) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    for (BestGroup<kinds>& group : groups_) {
      std::ranges::fill(group.empty, infinity);
      for (auto& of_kind : group.piece) std::ranges::fill(of_kind, -infinity);
    }
    layout_ = layout_of(root.points());
    passes_ = fact_passes<kinds>(layout_);
    for_each_place(layout_, root.points(),
                   [&](int group, int p) { groups_[group].empty[p] = -infinity; });
  }

  /// Raises the best values of the position's facts to at least `value`; returns whether any of
  /// them was lower.
  [[nodiscard]] bool raise(const G& position, double value) {
    const PieceWords<G> words(position);
    return passes_.raise(groups_.data(), layout_, words.data(), static_cast<float>(value));
  }

  /// NoveltyMeasure::exchange, for bests.
  void exchange(FactBest& common) {
    const auto to_higher = [](float* mine, float* all) {
      for (int p = 0; p < group_points; ++p) mine[p] = all[p] = std::max(mine[p], all[p]);
    };
    for (int i = 0; i < layout_.groups; ++i) {
      to_higher(groups_[i].empty, common.groups_[i].empty);
      for (int k = 0; k < kinds; ++k) to_higher(groups_[i].piece[k], common.groups_[i].piece[k]);
    }
  }

 private:
  static constexpr int kinds = games::fact_kinds<G>();

  std::array<BestGroup<kinds>, max_groups<G>> groups_;
  GroupLayout layout_;
  FactPasses<kinds> passes_{};
};

}  // namespace pitboss::engine
