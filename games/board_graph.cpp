#include "games/board_graph.hpp"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

namespace pitboss::games {

namespace {

struct GraphStep {
  int dx;
  int dy;
};

// Clockwise from the north.
constexpr std::array<GraphStep, 4> clockwise_square_steps{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}};
constexpr std::array<GraphStep, 6> clockwise_hexagonal_steps{
    {{0, 1}, {1, 1}, {1, 0}, {0, -1}, {-1, -1}, {-1, 0}}};
constexpr std::array<GraphStep, 6> clockwise_falling_steps{
    {{0, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, 0}, {-1, 1}}};
constexpr std::array<GraphStep, 8> alquerque_steps{
    {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}}};

std::span<const GraphStep> steps_of(Lattice lattice, bool has_diagonals) {
  if (lattice == Lattice::hexagonal) return clockwise_hexagonal_steps;
  if (lattice == Lattice::hexagonal_falling) return clockwise_falling_steps;
  if (has_diagonals) return alquerque_steps;
  return clockwise_square_steps;
}

}  // namespace

BoardGraph::BoardGraph(const BoardShape& shape, std::vector<int> points, bool is_alquerque)
    : shape_(shape), points_(std::move(points)) {
  std::ranges::sort(points_);
  places_.resize(points_.back() + 1);
  const auto is_point = [&](int x, int y) {
    return 0 <= x && x < shape.width && 0 <= y &&
           std::ranges::binary_search(points_, shape.point(x, y));
  };
  for (const int p : points_) {
    const int x = p % shape.stride;
    const int y = p / shape.stride;
    const auto steps = steps_of(shape.lattice, is_alquerque && (x + y) % 2 == 0);
    Place& here = places_[p];
    here.arity = static_cast<int>(steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto [dx, dy] = steps[i];
      const int next = is_point(x + dx, y + dy) ? shape.point(x + dx, y + dy) : off;
      here.neighbours[i] = static_cast<std::int16_t>(next);
    }
    arities_.push_back(here.arity);
  }
  std::ranges::sort(arities_);
  arities_.erase(std::ranges::unique(arities_).begin(), arities_.end());
}

int BoardGraph::index_of(int point, int other) const {
  const Place& here = place(point);
  const auto* const found = std::ranges::find(here.neighbours, other);
  assert(found - here.neighbours.begin() < here.arity);
  return static_cast<int>(found - here.neighbours.begin());
}

}  // namespace pitboss::games
