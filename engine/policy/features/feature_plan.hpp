#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/feature_set.hpp"

/// Features compiled for one board, so that all moves of a position are matched at once.
///
/// In each placement a feature tests points at fixed distances from its anchor; at the board's
/// edge, or where points have other arities, the distances or the tests differ. All anchors with
/// the same tests are one *instance*: a set of anchors and, for each test, a plane (the empty
/// points, the friends, ...) at a distance. Planes are shifted once a position; then an instance is
/// the intersection of some words, and a feature the union of its instances.
namespace pitboss::engine {

/// The planes of a position are sets of points: empty, friends and enemies, then one for each kind
/// of piece, then the complements of all these in the same order.
inline constexpr int fixed_planes = 3;
inline constexpr int most_board_words = 6;

struct FeaturePlan {
  /// A plane moved by `distance`: point p has what the plane has at p + distance.
  struct Shift {
    std::int16_t plane;
    std::int16_t distance;
    friend auto operator<=>(const Shift&, const Shift&) = default;
  };
  /// Consecutive instances with equally many tests.
  struct Run {
    std::uint32_t instances;
    std::uint32_t tests;  ///< of each instance
  };
  /// The place of a feature in a part.
  struct Entry {
    std::uint32_t feature;
    std::uint32_t runs;  ///< how many
  };
  /// The features whose moves are found in the same way: by the target, by the origin, or by the
  /// target and the distance from it to the origin.
  struct Part {
    enum class Key : std::uint8_t { target, origin, both } key;
    int distance = 0;
    std::vector<Entry> entries;
    // The lists of all entries, one after the other:
    std::vector<Run> runs;
    std::vector<std::uint64_t> anchors;  ///< `words` for each instance
    std::vector<std::uint16_t> tests;    ///< indices of shifts, for all instances
    /// By column of the set's weights, for each entry.
    std::vector<std::vector<float>> weights;
  };

  /// Throws BadFeatures if the set is for another game.
  FeaturePlan(const FeatureSet& set, const FeatureGame& game);

  /// Takes over the weights of a set that has the plan's features.
  void set_weights(const FeatureSet& set);

  std::size_t features;
  int words;                          ///< in a set of points
  int kinds;                          ///< of pieces
  int men;                            ///< the first kinds, which are the colours' men
  std::vector<std::uint64_t> points;  ///< of the board
  std::vector<Shift> shifts;
  std::vector<Part> parts;

  /// The index of the part with that key; -1 if there is none.
  [[nodiscard]] int part(Part::Key key, int distance = 0) const {
    if (key == Part::Key::target) return target_part_;
    if (key == Part::Key::origin) return origin_part_;
    return both_parts_[place_of(distance)];
  }
  [[nodiscard]] int planes() const { return 2 * (fixed_planes + kinds); }
  [[nodiscard]] std::size_t instances() const;

 private:
  Part& part_for(Part::Key key, int distance);
  [[nodiscard]] std::size_t place_of(int distance) const {
    return static_cast<std::size_t>(distance) + (std::size_t{64} * static_cast<std::size_t>(words));
  }

  int target_part_ = -1;
  int origin_part_ = -1;
  std::vector<std::int16_t> both_parts_;  ///< by distance + 64 words
};

/// Fills `shifted`, `words` for each shift, from the pieces' `words` for each kind.
void shift_planes(const FeaturePlan& plan, std::span<const std::uint64_t> pieces, int mover,
                  std::vector<std::uint64_t>& planes, std::vector<std::uint64_t>& shifted);

/// Fills `active`, `words` for each entry of the part: the points at which the feature is active.
void match_part(const FeaturePlan& plan, const FeaturePlan::Part& part,
                std::span<const std::uint64_t> shifted, std::vector<std::uint64_t>& active);

/// Fills `sums`, one for each point: the weights of the features active there, added in the order
/// of the entries. The same bits with every instruction set.
void sum_part(const FeaturePlan& plan, const FeaturePlan::Part& part, int column,
              std::span<const std::uint64_t> shifted, std::vector<float>& sums);

}  // namespace pitboss::engine
