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

/// What a feature wants to find on a point: the mover's men or those of others, whatever the
/// colour; a certain colour's man; a piece that is nobody's man (a town, an arrow); a point with so
/// many neighbours.
enum class Content : std::uint8_t { off, empty, friendly, enemy, man, piece, arity };

/// One test of a pattern: what is found, or not, at the end of a walk from the anchor.
struct Element {
  Walk walk;
  Content content = Content::empty;
  bool negated = false;
  std::uint8_t argument = 0;  ///< the kind of `man` and `piece`; the number of `arity`

  friend std::strong_ordering operator<=>(const Element&, const Element&) = default;
  friend bool operator==(const Element&, const Element&) = default;
};

/// A feature: where the target and the origin of a move have to be, one of them at least, and what
/// has to lie around. It is active for a move if it matches in any rotation and reflection.
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

/// The one form of all features that match the same moves because they are rotations and
/// reflections of one another, are described from another anchor, or test what other elements
/// imply: the anchor is the target, else the origin; of all placements the first one in the order
/// of features. `rotations` are FeatureGame::rotations. Nothing if two elements contradict each
/// other.
[[nodiscard]] std::optional<MoveFeature> canonical(const MoveFeature& feature, int rotations);

/// The feature in a placement: what it matches in none, the result matches in the inverse one.
[[nodiscard]] MoveFeature placed(const MoveFeature& feature, const Placement& placement);
/// The feature described from the end of `anchor` (see `seen_from`).
[[nodiscard]] MoveFeature seen_from(const Walk& anchor, const MoveFeature& feature);

/// All placements of features on boards with so many rotations.
[[nodiscard]] std::vector<Placement> placements(int rotations);

}  // namespace pitboss::engine
