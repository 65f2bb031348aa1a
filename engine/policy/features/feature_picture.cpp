#include "engine/policy/features/feature_picture.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pitboss::engine {

namespace {

/// Columns and rows from the anchor.
struct Offset {
  int x = 0;
  int y = 0;
  friend auto operator<=>(const Offset&, const Offset&) = default;
};

/// A step in the direction `heading`, as BoardGraph orders directions.
Offset step_of(const FeatureGame& game, int heading) {
  constexpr std::array<Offset, 4> square{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
  constexpr std::array<Offset, 8> alquerque{
      {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
  constexpr std::array<Offset, 6> hexagonal{{{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};
  constexpr std::array<Offset, 6> falling{{{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}}};
  const int rotations = game.rotations();
  const auto i =
      static_cast<std::size_t>((heading + full_turn) % full_turn * rotations / full_turn);
  if (game.graph.shape().lattice == games::Lattice::hexagonal) return hexagonal[i];
  if (game.graph.shape().lattice == games::Lattice::hexagonal_falling) return falling[i];
  return rotations == 8 ? alquerque[i] : square[i];
}

Offset end_of(const FeatureGame& game, const Walk& walk) {
  Offset end;
  int heading = 0;
  for (const int turn : walk.turns) {
    heading = normal_turn(heading + turn);
    const Offset step = step_of(game, heading);
    end.x += step.x;
    end.y += step.y;
  }
  return end;
}

std::string sign_of(const Element& element, const FeatureGame& game) {
  constexpr std::string_view signs = "#_FE";
  std::string sign = element.negated ? "!" : " ";
  if (element.content == Content::arity) return sign + std::to_string(element.argument);
  const auto content = static_cast<std::size_t>(element.content);
  return sign + (content < signs.size() ? signs[content] : game.letters[element.argument]);
}

constexpr int cell_width = 4;

/// By how many characters a row is shifted to the right of the one below.
int lean_of(games::Lattice lattice) {
  if (lattice == games::Lattice::square) return 0;
  return (lattice == games::Lattice::hexagonal ? -1 : 1) * cell_width / 2;
}

}  // namespace

std::vector<std::string> picture_of(const MoveFeature& feature, const FeatureGame& game) {
  std::map<Offset, std::string> signs;
  for (const Element& element : feature.elements) {
    std::string& sign = signs[end_of(game, element.walk)];
    const std::string own = sign_of(element, game);
    sign = sign.empty() || sign == own ? own : " ?";
  }
  const auto place_of = [&](const std::optional<Walk>& walk) {
    if (!walk) return std::optional<Offset>();
    signs.try_emplace(end_of(game, *walk), " .");
    return std::optional(end_of(game, *walk));
  };
  const auto target = place_of(feature.to);
  const auto origin = place_of(feature.from);

  Offset low;
  Offset high;
  for (const auto& [offset, sign] : signs) {
    low = {std::min(low.x, offset.x), std::min(low.y, offset.y)};
    high = {std::max(high.x, offset.x), std::max(high.y, offset.y)};
  }
  const int lean = lean_of(game.graph.shape().lattice);
  std::vector<std::string> rows;
  for (int y = high.y; y >= low.y; --y) {
    const int rows_above = lean >= 0 ? y - low.y : high.y - y;
    std::string row(static_cast<std::size_t>(std::abs(lean) * rows_above), ' ');
    for (int x = low.x; x <= high.x; ++x) {
      const Offset here{x, y};
      const auto found = signs.find(here);
      const std::string sign = found == signs.end() ? " ." : found->second;
      const std::string_view marks = here == target ? "[]" : here == origin ? "()" : "  ";
      row += marks[0] + sign + marks[1];
    }
    row.erase(row.find_last_not_of(' ') + 1);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string picture_legend() {
  return "[ ] the target, ( ) the origin; F friend, E enemy, _ empty, # off the board, ! not that, "
         ". anything";
}

}  // namespace pitboss::engine
