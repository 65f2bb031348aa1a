#include "games/grid.hpp"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

namespace pitboss::games {
namespace {

TEST_CASE("point_text()") {
  CHECK(point_text(0, 0) == "a1");
  CHECK(point_text(7, 7) == "h8");
  CHECK(point_text(8, 8) == "j9");  // there is no column i
  CHECK(point_text(18, 18) == "t19");
  CHECK(column_text(24) == "z");
}

/// The bits of a rectangle's points that a step (dx, dy) from (x, y) leads to: one or none.
Bitboard<384> stepped(const Grid<384>& grid, int x, int y, int dx, int dy) {
  Bitboard<384> to;
  const bool stays = 0 <= x + dx && x + dx < grid.width && 0 <= y + dy && y + dy < grid.height;
  if (stays) to.add((y + dy) * grid.stride + x + dx);
  return to;
}

// No step leaves the board, and none comes round its edge.
TEST_CASE("Grid::step()") {
  const std::vector<std::pair<int, int>> steps = {{1, 0}, {-1, 0},  {0, 1},  {0, -1},
                                                  {1, 1}, {-1, -1}, {-1, 1}, {1, -1}};
  for (const auto& [width, height] :
       {std::pair{2, 2}, {5, 5}, {8, 8}, {11, 7}, {3, 19}, {19, 19}}) {
    const Grid<384>& grid = rectangular_grid<384>(width, height);
    CHECK(grid.points.count() == width * height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto from = Bitboard<384>::point(y * grid.stride + x);
        Bitboard<384> around;
        for (std::size_t i = 0; i < steps.size(); ++i) {
          const auto to = stepped(grid, x, y, steps[i].first, steps[i].second);
          CHECK(Grid<384>::step(from, grid.directions[i]) == to);
          CHECK(grid.directions[i].offset == -grid.directions[i ^ 1U].offset);
          if (i < 4) around |= to;
        }
        CHECK(grid.neighbours(from) == around);
      }
    }
  }
}

TEST_CASE("Grid::flood()") {
  const Grid<128>& grid = rectangular_grid<128>(5, 5);
  using Board = Bitboard<128>;
  // . . . . x
  // x x . x x    two groups; the lower left stone touches the first only by a corner
  // . x . x .
  // . . . . .
  // x . . . .
  Board stones;
  for (const int p : {0, 11, 15, 16, 13, 18, 19, 24}) stones.add(p);
  Board left;
  for (const int p : {11, 15, 16}) left.add(p);
  CHECK(grid.flood(Board::point(15), stones) == left);
  CHECK(grid.flood(Board::point(0), stones) == Board::point(0));
  CHECK(grid.flood(Board::point(1), stones).none());
  CHECK(grid.flood(Board::point(24), stones).count() == 4);
  CHECK(grid.flood(grid.points, stones) == stones);
}

// Two grids of a size are the same object, whoever asks first.
TEST_CASE("rectangular_grid()") {
  std::vector<std::thread> threads;
  threads.reserve(4);
  std::array<const Grid<128>*, 4> seen{};
  for (const Grid<128>*& grid : seen) {
    threads.emplace_back([&grid] { grid = &rectangular_grid<128>(9, 11); });
  }
  for (auto& thread : threads) thread.join();
  for (const Grid<128>* grid : seen) CHECK(grid == &rectangular_grid<128>(9, 11));
  CHECK(&rectangular_grid<128>(11, 9) != &rectangular_grid<128>(9, 11));
}

}  // namespace
}  // namespace pitboss::games
