#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/policy/features/feature_game.hpp"
#include "engine/policy/features/walk.hpp"

/// Features of moves (Biasing MCTS with Features for General Games: Soemers, Piette, Browne 2019,
/// sec. III): a local pattern together with a move's target or origin.
namespace pitboss::engine {

/// The possible contents of a point: a man of the mover's or of another colour; a man of a certain
/// colour; a piece that is nobody's man (a town, an arrow); a number of neighbours.
enum class Content : std::uint8_t { off, empty, friendly, enemy, man, piece, arity };

/// One test of a pattern: the content, or its absence, at the end of a walk from the anchor.
struct Element {
  Walk walk;
  Content content = Content::empty;
  bool negated = false;
  std::uint8_t argument = 0;  ///< the kind of `man` and `piece`; the number of `arity`

  friend std::strong_ordering operator<=>(const Element&, const Element&) = default;
  friend bool operator==(const Element&, const Element&) = default;
};

/// A feature: where the target and the origin of a move must be, at least one of them, and what
/// must lie around them. It is active for a move if it matches in any rotation and reflection.
struct MoveFeature {
  std::optional<Walk> to;
  std::optional<Walk> from;
  std::vector<Element> elements;

  friend std::strong_ordering operator<=>(const MoveFeature&, const MoveFeature&) = default;
  friend bool operator==(const MoveFeature&, const MoveFeature&) = default;
};

/// "friend", "not piece A", "arity 8": the element without its walk.
[[nodiscard]] std::string content_text(const Element& element, const std::string& letters);
/// "to {} from {0}; friend {1/4}; not empty {0, 1/4}"; `letters` are those of the game's pieces.
[[nodiscard]] std::string text_of(const MoveFeature& feature, const std::string& letters);

/// The unique form of all features that match the same moves since they are rotations or
/// reflections of one another, are described from another anchor, or test what other elements
/// imply. The anchor is the target, else the origin; of all placements the form is the first in the
/// order of features. `rotations` is FeatureGame::rotations. Nothing if two elements contradict
/// each other.
[[nodiscard]] std::optional<MoveFeature> canonical(const MoveFeature& feature, int rotations);

/// The feature in a placement; the result in the inverse placement matches the same moves.
[[nodiscard]] MoveFeature placed(const MoveFeature& feature, const Placement& placement);
/// The feature described from the end of `anchor` (see `seen_from`).
[[nodiscard]] MoveFeature seen_from(const Walk& anchor, const MoveFeature& feature);

/// All placements of features on boards with `rotations` rotations.
[[nodiscard]] std::vector<Placement> placements(int rotations);

}  // namespace pitboss::engine
