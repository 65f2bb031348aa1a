#include "engine/policy/features/feature_picture.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace pitboss::engine {

namespace {

/// A step in the direction `heading`, as BoardGraph orders directions.
Spot step_of(const FeatureGame& game, int heading) {
  constexpr std::array<Spot, 4> square{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
  constexpr std::array<Spot, 8> alquerque{
      {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};
  constexpr std::array<Spot, 6> hexagonal{{{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};
  constexpr std::array<Spot, 6> falling{{{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}}};
  const int rotations = game.rotations();
  const auto i =
      static_cast<std::size_t>((heading + full_turn) % full_turn * rotations / full_turn);
  if (game.graph.shape().lattice == games::Lattice::hexagonal) return hexagonal[i];
  if (game.graph.shape().lattice == games::Lattice::hexagonal_falling) return falling[i];
  return rotations == 8 ? alquerque[i] : square[i];
}

std::string sign_of(const Element& element, const FeatureGame& game) {
  constexpr std::string_view signs = "#_FE";
  std::string sign = element.negated ? "!" : " ";
  if (element.content == Content::arity) return sign + std::to_string(element.argument);
  const auto content = static_cast<std::size_t>(element.content);
  return sign + (content < signs.size() ? signs[content] : game.letters[element.argument]);
}

constexpr int cell_width = 4;

}  // namespace

Spot spot_of(const FeatureGame& game, const Walk& walk) {
  Spot end;
  int heading = 0;
  for (const int turn : walk.turns) {
    heading = normal_turn(heading + turn);
    const Spot step = step_of(game, heading);
    end.x += step.x;
    end.y += step.y;
  }
  return end;
}

double lean_of(const FeatureGame& game) {
  const games::Lattice lattice = game.graph.shape().lattice;
  if (lattice == games::Lattice::square) return 0;
  return lattice == games::Lattice::hexagonal ? -0.5 : 0.5;
}

std::vector<std::string> picture_of(const MoveFeature& feature, const FeatureGame& game) {
  std::map<Spot, std::string> signs;
  for (const Element& element : feature.elements) {
    std::string& sign = signs[spot_of(game, element.walk)];
    const std::string own = sign_of(element, game);
    sign = sign.empty() || sign == own ? own : " ?";
  }
  const auto place_of = [&](const std::optional<Walk>& walk) {
    if (!walk) return std::optional<Spot>();
    signs.try_emplace(spot_of(game, *walk), " .");
    return std::optional(spot_of(game, *walk));
  };
  const auto target = place_of(feature.to);
  const auto origin = place_of(feature.from);

  Spot low;
  Spot high;
  for (const auto& [spot, sign] : signs) {
    low = {std::min(low.x, spot.x), std::min(low.y, spot.y)};
    high = {std::max(high.x, spot.x), std::max(high.y, spot.y)};
  }
  const int lean = static_cast<int>(lean_of(game) * cell_width);
  std::vector<std::string> rows;
  for (int y = high.y; y >= low.y; --y) {
    const int rows_above = lean >= 0 ? y - low.y : high.y - y;
    std::string row(static_cast<std::size_t>(std::abs(lean) * rows_above), ' ');
    for (int x = low.x; x <= high.x; ++x) {
      const Spot here{x, y};
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
