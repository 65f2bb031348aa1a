// Not for instruction sets whose vectors have no size at compile time: they make no arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include <algorithm>
#include <cstddef>

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

struct Points {
  static constexpr auto a = static_cast<float>(inner_point);
  static constexpr auto b = static_cast<float>(outer_point);
};

/// B' times a column.
HWY_INLINE void times_b(const Vector (&x)[tile_inputs], Vector (&out)[tile_inputs]) {
  const Floats d;
  constexpr float a = Points::a;
  constexpr float b = Points::b;
  const auto aa = hn::Set(d, a * a);
  const auto bb = hn::Set(d, b * b);
  const auto sum = hn::Set(d, a * a + b * b);
  const auto product = hn::Set(d, a * a * b * b);
  out[0] = hn::MulAdd(product, x[0], hn::NegMulAdd(sum, x[2], x[4]));
  const auto inner_even = hn::NegMulAdd(bb, x[2], x[4]);
  const auto inner_odd = hn::NegMulAdd(bb, x[1], x[3]);
  out[1] = hn::MulAdd(hn::Set(d, a), inner_odd, inner_even);
  out[2] = hn::NegMulAdd(hn::Set(d, a), inner_odd, inner_even);
  const auto outer_even = hn::NegMulAdd(aa, x[2], x[4]);
  const auto outer_odd = hn::NegMulAdd(aa, x[1], x[3]);
  out[3] = hn::MulAdd(hn::Set(d, b), outer_odd, outer_even);
  out[4] = hn::NegMulAdd(hn::Set(d, b), outer_odd, outer_even);
  out[5] = hn::MulAdd(product, x[1], hn::NegMulAdd(sum, x[3], x[5]));
}

/// A' times a column.
HWY_INLINE void times_a(const Vector (&x)[tile_inputs], Vector (&out)[tile_side]) {
  const Floats d;
  constexpr float a = Points::a;
  constexpr float b = Points::b;
  const auto inner_sum = hn::Add(x[1], x[2]);
  const auto inner_difference = hn::Sub(x[1], x[2]);
  const auto outer_sum = hn::Add(x[3], x[4]);
  const auto outer_difference = hn::Sub(x[3], x[4]);
  out[0] = hn::Add(hn::Add(x[0], inner_sum), outer_sum);
  out[1] = hn::MulAdd(hn::Set(d, b), outer_difference, hn::Mul(hn::Set(d, a), inner_difference));
  out[2] = hn::MulAdd(hn::Set(d, b * b), outer_sum, hn::Mul(hn::Set(d, a * a), inner_sum));
  out[3] = hn::MulAdd(hn::Set(d, b * b * b), outer_difference,
                      hn::MulAdd(hn::Set(d, a * a * a), inner_difference, x[5]));
}

// One function for each tile and vector, which goes from number to number by adding to pointers: in
// line in a loop the compiler would keep the 72 addresses in memory, and that would take longer
// than the transform.

/// Some channels of one tile, from its top left point.
HWY_NOINLINE void cut_tile(const float* point, std::ptrdiff_t step, std::ptrdiff_t row, float* out,
                           std::ptrdiff_t out_step) {
  const Floats d;
  Vector half[tile_inputs][tile_inputs];  // by columns
#pragma GCC unroll 6
  for (int j = 0; j < tile_inputs; ++j, point += step) {
    Vector x[tile_inputs];
    const float* from = point;
#pragma GCC unroll 6
    for (int i = 0; i < tile_inputs; ++i, from += row) x[i] = hn::Load(d, from);
    times_b(x, half[j]);
  }
#pragma GCC unroll 6
  for (int i = 0; i < tile_inputs; ++i) {
    Vector x[tile_inputs];
    Vector number[tile_inputs];
#pragma GCC unroll 6
    for (int j = 0; j < tile_inputs; ++j) x[j] = half[j][i];
    times_b(x, number);
#pragma GCC unroll 6
    for (int j = 0; j < tile_inputs; ++j, out += out_step) hn::Store(number[j], d, out);
  }
}

void cut(const BoardLayout& layout, const float* board, float* tiles, int tile_step) {
  const int step = layout.step();
  const int row = layout.row();
  for (int y = 0; y < layout.tile_rows(); ++y) {
    const float* point = board + tile_side * y * row;
    for (int x = 0; x < layout.tile_columns(); ++x, point += tile_side * step, tiles += step) {
      for (int c = 0; c < step; c += lanes) cut_tile(point + c, step, row, tiles + c, tile_step);
    }
  }
}

/// Where some channels of one tile's outputs go; the board may end within the tile.
struct TileEnd {
  const float* bias;
  const float* addend;  ///< of the first point, or null
  float* out;           ///< of the first point
  std::ptrdiff_t step;
  std::ptrdiff_t row;
  int rows;
  int columns;
};

/// Some channels of one tile's outputs.
HWY_NOINLINE void join_tile(const float* tile, std::ptrdiff_t tile_step, const TileEnd& end) {
  const Floats d;
  Vector half[tile_side][tile_inputs];
#pragma GCC unroll 6
  for (int j = 0; j < tile_inputs; ++j, tile += tile_step) {
    Vector x[tile_inputs];
    Vector column[tile_side];
    const float* from = tile;
#pragma GCC unroll 6
    for (int i = 0; i < tile_inputs; ++i, from += tile_inputs * tile_step) x[i] = hn::Load(d, from);
    times_a(x, column);
#pragma GCC unroll 6
    for (int i = 0; i < tile_side; ++i) half[i][j] = column[i];
  }
  const auto bias = hn::Load(d, end.bias);
  std::ptrdiff_t place = 0;
#pragma GCC unroll 6
  for (int i = 0; i < tile_side; ++i, place += end.row) {
    if (i >= end.rows) return;
    Vector out[tile_side];
    times_a(half[i], out);
    std::ptrdiff_t here = place;
#pragma GCC unroll 6
    for (int j = 0; j < tile_side; ++j, here += end.step) {
      if (j >= end.columns) continue;
      auto sum = hn::Add(out[j], bias);
      if (end.addend) sum = hn::Add(sum, hn::Load(d, end.addend + here));
      hn::Store(hn::Max(hn::Zero(d), sum), d, end.out + here);
    }
  }
}

void join(const TilesToBoard& ending) {
  const BoardLayout& layout = ending.layout;
  const int step = layout.step();
  const int row = layout.row();
  const float* tile = ending.tiles;
  for (int y = 0; y < layout.rows; y += tile_side) {
    for (int x = 0; x < layout.columns; x += tile_side, tile += step) {
      for (int c = 0; c < step; c += lanes) {
        const int place = layout.first() + y * row + x * step + c;
        join_tile(tile + c, ending.tile_step,
                  {ending.bias + c, ending.addend ? ending.addend + place : nullptr,
                   ending.out + place, step, row, std::min(tile_side, layout.rows - y),
                   std::min(tile_side, layout.columns - x)});
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
