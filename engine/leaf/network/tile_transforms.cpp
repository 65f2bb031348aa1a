// Not for instruction sets whose vectors have no size at compile time: they make no arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include <algorithm>

#include "engine/instruction_set.hpp"
#include "engine/leaf/network/winograd.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/leaf/network/tile_transforms.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, output_group>;
using Vector = hn::Vec<Floats>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Floats()));

/// B' times a column of four.
HWY_INLINE void times_b(Vector& x0, Vector& x1, Vector& x2, Vector& x3) {
  const auto was_x1 = x1;
  x0 = hn::Sub(x0, x2);
  x1 = hn::Add(x1, x2);
  x2 = hn::Sub(x2, was_x1);
  x3 = hn::Sub(was_x1, x3);
}

/// Some channels of one tile, from its top left point.
HWY_INLINE void cut_tile(const float* point, int step, int row, float* out, int out_step) {
  const Floats d;
  Vector x[4][4];
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j) x[i][j] = hn::Load(d, point + i * row + j * step);
  }
  for (int j = 0; j < 4; ++j) times_b(x[0][j], x[1][j], x[2][j], x[3][j]);
  for (int i = 0; i < 4; ++i) {
    times_b(x[i][0], x[i][1], x[i][2], x[i][3]);
    for (int j = 0; j < 4; ++j) hn::Store(x[i][j], d, out + (4 * i + j) * out_step);
  }
}

void cut(const BoardLayout& layout, const float* board, float* tiles) {
  const int step = layout.step();
  const int row = layout.row();
  const int tile_step = layout.tile_step();
  for (int y = 0; y < layout.tile_rows(); ++y) {
    const float* point = board + 2 * y * row;
    for (int x = 0; x < layout.tile_columns(); ++x, point += 2 * step, tiles += step) {
      for (int c = 0; c < step; c += lanes) cut_tile(point + c, step, row, tiles + c, tile_step);
    }
  }
}

/// Some channels of one tile's four outputs, two rows of two.
HWY_INLINE void join_tile(const float* tile, int tile_step, Vector (&out)[2][2]) {
  const Floats d;
  Vector half[2][4];
  for (int j = 0; j < 4; ++j) {
    const auto m0 = hn::Load(d, tile + j * tile_step);
    const auto m1 = hn::Load(d, tile + (4 + j) * tile_step);
    const auto m2 = hn::Load(d, tile + (8 + j) * tile_step);
    const auto m3 = hn::Load(d, tile + (12 + j) * tile_step);
    half[0][j] = hn::Add(hn::Add(m0, m1), m2);
    half[1][j] = hn::Sub(hn::Sub(m1, m2), m3);
  }
  for (int i = 0; i < 2; ++i) {
    out[i][0] = hn::Add(hn::Add(half[i][0], half[i][1]), half[i][2]);
    out[i][1] = hn::Sub(hn::Sub(half[i][1], half[i][2]), half[i][3]);
  }
}

void join(const TilesToBoard& ending) {
  const Floats d;
  const BoardLayout& layout = ending.layout;
  const int step = layout.step();
  const int tile_step = layout.tile_step();
  const float* tile = ending.tiles;
  for (int y = 0; y < layout.rows; y += 2) {
    for (int x = 0; x < layout.columns; x += 2, tile += step) {
      const int place = layout.first() + y * layout.row() + x * step;
      // An odd board ends within a tile.
      const int rows = std::min(2, layout.rows - y);
      const int columns = std::min(2, layout.columns - x);
      for (int c = 0; c < step; c += lanes) {
        Vector out[2][2];
        join_tile(tile + c, tile_step, out);
        const auto bias = hn::Load(d, ending.bias + c);
        for (int i = 0; i < 2; ++i) {
          for (int j = 0; j < 2; ++j) {
            if (i >= rows || j >= columns) continue;
            const int here = place + i * layout.row() + j * step + c;
            auto sum = hn::Add(out[i][j], bias);
            if (ending.addend) sum = hn::Add(sum, hn::Load(d, ending.addend + here));
            hn::Store(hn::Max(hn::Zero(d), sum), d, ending.out + here);
          }
        }
      }
    }
  }
}

TileTransforms both() { return {&cut, &join}; }

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(both);

TileTransforms tile_transforms() {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(both)();
}

}  // namespace pitboss::engine
#endif
