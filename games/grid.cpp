#include "games/grid.hpp"

#include <cassert>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>

namespace pitboss::games {

namespace {

struct Step {
  int dx;
  int dy;
};

constexpr int adjacent_steps = 4;
constexpr std::array<Step, 8> rectangular_steps = {
    {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}};

template <int Bits>
Grid<Bits> build_rectangle(int width, int height) {
  assert(width > 0 && height > 0 && width * height <= Bits);
  Grid<Bits> grid;
  grid.width = width;
  grid.height = height;
  grid.stride = width;
  grid.direction_count = static_cast<int>(rectangular_steps.size());
  grid.adjacent = adjacent_steps;
  for (int i = 0; i < grid.direction_count; ++i) {
    grid.directions[i].offset = rectangular_steps[i].dy * grid.stride + rectangular_steps[i].dx;
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const int here = y * grid.stride + x;
      grid.points.add(here);
      for (int i = 0; i < grid.direction_count; ++i) {
        const int from_x = x - rectangular_steps[i].dx;
        const int from_y = y - rectangular_steps[i].dy;
        const bool on_board = 0 <= from_x && from_x < width && 0 <= from_y && from_y < height;
        if (on_board) grid.directions[i].reached.add(here);
      }
    }
  }
  return grid;
}

}  // namespace

std::string column_text(int x) {
  constexpr std::string_view letters = "abcdefghjklmnopqrstuvwxyz";
  assert(0 <= x && x < static_cast<int>(letters.size()));
  return std::string(1, letters[x]);
}

std::string point_text(int x, int y) {
  std::string text = column_text(x);
  text += std::to_string(y + 1);
  return text;
}

template <int Bits>
const Grid<Bits>& rectangular_grid(int width, int height) {
  // A map, since its nodes never move: the grids are referred to by address.
  static std::mutex mutex;
  static std::map<std::pair<int, int>, Grid<Bits>> grids;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = grids.try_emplace({width, height});
  if (is_new) entry->second = build_rectangle<Bits>(width, height);
  return entry->second;
}

template const Grid<128>& rectangular_grid<128>(int width, int height);
template const Grid<384>& rectangular_grid<384>(int width, int height);

}  // namespace pitboss::games
