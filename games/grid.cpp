#include "games/grid.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

namespace pitboss::games {

namespace {

struct Step {
  int dx;
  int dy;
};

constexpr std::array<Step, 8> square_steps = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}};
constexpr std::array<Step, 6> hexagonal_steps = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}}};
constexpr std::array<Step, 6> falling_steps = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}}};

/// The plan of a board in a rectangle of `width` x `height`.
struct Plan {
  int width;
  int height;
  Lattice lattice;
  std::span<const Step> steps;
  int adjacent;
  std::function<bool(int x, int y)> has;  ///< asked for points of the rectangle only
  /// Whether a line leads from (x, y) in that direction, given that both ends are points.
  std::function<bool(int x, int y, Step step)> joined = [](int, int, Step) { return true; };
};

template <int Bits>
Grid<Bits> build(const Plan& plan) {
  assert(plan.width > 0 && plan.height > 0 && plan.width * plan.height <= Bits);
  Grid<Bits> grid;
  grid.width = plan.width;
  grid.height = plan.height;
  grid.stride = plan.width;
  grid.lattice = plan.lattice;
  grid.direction_count = static_cast<int>(plan.steps.size());
  grid.adjacent = plan.adjacent;
  const auto is_point = [&](int x, int y) {
    return 0 <= x && x < plan.width && 0 <= y && y < plan.height && plan.has(x, y);
  };
  for (int y = 0; y < plan.height; ++y) {
    for (int x = 0; x < plan.width; ++x) {
      if (is_point(x, y)) grid.points.add(y * grid.stride + x);
    }
  }
  for (int i = 0; i < grid.direction_count; ++i) {
    const Step step = plan.steps[i];
    grid.directions[i].offset = step.dy * grid.stride + step.dx;
    grid.points.for_each([&](int p) {
      const int from_x = p % grid.stride - step.dx;
      const int from_y = p / grid.stride - step.dy;
      if (is_point(from_x, from_y) && plan.joined(from_x, from_y, step)) {
        grid.directions[i].reached.add(p);
      }
    });
  }
  return grid;
}

/// The grid for a kind of board; the first call has `make_plan(first, second)` make its plan.
template <int Bits, class MakePlan>
const Grid<Bits>& kept(int first, int second, MakePlan&& make_plan) {
  // Never freed, since callers refer to grids by address. Without a lock: one that another thread
  // holds when a process forks would be held in the child for ever. Each kind of board has its own
  // table, since MakePlan differs.
  constexpr std::size_t sides = 32;
  static std::array<std::array<std::atomic<const Grid<Bits>*>, sides>, sides> grids{};
  auto& place = grids.at(static_cast<std::size_t>(first)).at(static_cast<std::size_t>(second));
  const Grid<Bits>* kept = place.load(std::memory_order_acquire);
  if (kept != nullptr) return *kept;
  auto made = std::make_unique<const Grid<Bits>>(build<Bits>(make_plan(first, second)));
  // Another thread may have been faster.
  return place.compare_exchange_strong(kept, made.get(), std::memory_order_acq_rel)
             ? *made.release()
             : *kept;
}

bool everywhere(int, int) { return true; }

char column_letter(int x) {
  constexpr std::string_view letters = "abcdefghjklmnopqrstuvwxyz";
  assert(0 <= x && x < static_cast<int>(letters.size()));
  return letters[x];
}

}  // namespace

std::string column_text(int x) { return std::string(1, column_letter(x)); }

/// Fast, since finding a move by its text writes the texts of all legal moves.
std::string point_text(int x, int y) {
  const int row = y + 1;
  assert(0 < row && row < 100);
  const auto digit = [](int d) { return static_cast<char>('0' + d); };
  const char text[] = {column_letter(x), digit(row < 10 ? row : row / 10), digit(row % 10)};
  return {text, row < 10 ? std::size_t{2} : std::size_t{3}};
}

template <int Bits>
const Grid<Bits>& rectangular_grid(int width, int height) {
  return kept<Bits>(width, height, [](int w, int h) {
    return Plan{w, h, Lattice::square, square_steps, 4, everywhere};
  });
}

template <int Bits>
const Grid<Bits>& alquerque_grid(int width, int height) {
  return kept<Bits>(width, height, [](int w, int h) {
    const auto joined = [](int x, int y, Step step) {
      return step.dx == 0 || step.dy == 0 || (x + y) % 2 == 0;
    };
    return Plan{w, h, Lattice::square, square_steps, 8, everywhere, joined};
  });
}

template <int Bits>
const Grid<Bits>& hexagonal_grid(int side) {
  return kept<Bits>(side, 0, [](int n, int) {
    const auto has = [n](int x, int y) { return std::abs(x - y) < n; };
    return Plan{2 * n - 1, 2 * n - 1, Lattice::hexagonal, hexagonal_steps, 6, has};
  });
}

template <int Bits>
const Grid<Bits>& star_grid(int arm) {
  return kept<Bits>(arm, 0, [](int n, int) {
    // Two triangles, one upside down, make the star: three coordinates whose sum is 0.
    const auto has = [n](int x, int y) {
      const auto [low, high] = std::minmax({x - 2 * n, 2 * n - y, y - x});
      return high <= n || low >= -n;
    };
    return Plan{4 * n + 1, 4 * n + 1, Lattice::hexagonal, hexagonal_steps, 6, has};
  });
}

template <int Bits>
const Grid<Bits>& rhombic_grid(int size) {
  return kept<Bits>(size, 0, [](int n, int) {
    return Plan{n, n, Lattice::hexagonal_falling, falling_steps, 6, everywhere};
  });
}

template const Grid<64>& rectangular_grid<64>(int width, int height);
template const Grid<128>& rectangular_grid<128>(int width, int height);
template const Grid<384>& rectangular_grid<384>(int width, int height);
template const Grid<64>& alquerque_grid<64>(int width, int height);
template const Grid<128>& hexagonal_grid<128>(int side);
template const Grid<320>& star_grid<320>(int arm);
template const Grid<384>& rhombic_grid<384>(int size);

}  // namespace pitboss::games
