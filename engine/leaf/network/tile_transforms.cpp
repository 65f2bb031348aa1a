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

template <int Side>
struct Transform;

template <>
struct Transform<4> {
  static constexpr auto a = static_cast<float>(TilePoints<4>::inner);
  static constexpr auto b = static_cast<float>(TilePoints<4>::outer);

  /// B' times a column.
  static HWY_INLINE void times_b(const Vector (&x)[6], Vector (&out)[6]) {
    const Floats d;
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
  static HWY_INLINE void times_a(const Vector (&x)[6], Vector (&out)[4]) {
    const Floats d;
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
};

template <>
struct Transform<3> {
  static constexpr auto a = static_cast<float>(TilePoints<3>::pair);
  static constexpr auto b = static_cast<float>(TilePoints<3>::single);

  static HWY_INLINE void times_b(const Vector (&x)[5], Vector (&out)[5]) {
    const Floats d;
    const auto aa = hn::Set(d, a * a);
    const auto single = hn::Set(d, b);
    const auto zeroth = hn::NegMulAdd(single, x[0], x[1]);
    const auto first = hn::NegMulAdd(single, x[1], x[2]);
    const auto second = hn::NegMulAdd(single, x[2], x[3]);
    out[0] = hn::NegMulAdd(aa, zeroth, second);
    out[1] = hn::MulAdd(hn::Set(d, a), first, second);
    out[2] = hn::NegMulAdd(hn::Set(d, a), first, second);
    out[3] = hn::NegMulAdd(aa, x[1], x[3]);
    out[4] = hn::NegMulAdd(aa, first, hn::NegMulAdd(single, x[3], x[4]));
  }
  static HWY_INLINE void times_a(const Vector (&x)[5], Vector (&out)[3]) {
    const Floats d;
    const auto sum = hn::Add(x[1], x[2]);
    const auto difference = hn::Sub(x[1], x[2]);
    out[0] = hn::Add(hn::Add(x[0], sum), x[3]);
    out[1] = hn::MulAdd(hn::Set(d, b), x[3], hn::Mul(hn::Set(d, a), difference));
    out[2] = hn::MulAdd(hn::Set(d, b * b), x[3], hn::MulAdd(hn::Set(d, a * a), sum, x[4]));
  }
};

// One function for each tile and vector, which goes from number to number by adding to pointers: in
// line in a loop the compiler would keep the 72 addresses in memory, and that would take longer
// than the transform.

/// Some channels of one tile, from its top left point.
template <int Height, int Width>
HWY_NOINLINE void cut_tile(const float* point, std::ptrdiff_t step, std::ptrdiff_t row, float* out,
                           std::ptrdiff_t out_step) {
  const Floats d;
  constexpr int rows = tile_inputs(Height);
  constexpr int columns = tile_inputs(Width);
  Vector half[columns][rows];
#pragma GCC unroll 6
  for (int j = 0; j < columns; ++j, point += step) {
    Vector x[rows];
    const float* from = point;
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i, from += row) x[i] = hn::Load(d, from);
    Transform<Height>::times_b(x, half[j]);
  }
#pragma GCC unroll 6
  for (int i = 0; i < rows; ++i) {
    Vector x[columns];
    Vector number[columns];
#pragma GCC unroll 6
    for (int j = 0; j < columns; ++j) x[j] = half[j][i];
    Transform<Width>::times_b(x, number);
#pragma GCC unroll 6
    for (int j = 0; j < columns; ++j, out += out_step) hn::Store(number[j], d, out);
  }
}

template <int Height, int Width>
void cut_board(const BoardLayout& layout, const float* board, float* tiles, int tile_step) {
  const int step = layout.step();
  const int row = layout.row();
  for (int y = 0; y < layout.tile_rows(); ++y) {
    const float* point = board + Height * y * row;
    for (int x = 0; x < layout.tile_columns(); ++x, point += Width * step, tiles += step) {
      for (int c = 0; c < step; c += lanes) {
        cut_tile<Height, Width>(point + c, step, row, tiles + c, tile_step);
      }
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
template <int Height, int Width>
HWY_NOINLINE void join_tile(const float* tile, std::ptrdiff_t tile_step, const TileEnd& end) {
  const Floats d;
  constexpr int rows = tile_inputs(Height);
  constexpr int columns = tile_inputs(Width);
  Vector half[Height][columns];
#pragma GCC unroll 6
  for (int j = 0; j < columns; ++j, tile += tile_step) {
    Vector x[rows];
    Vector column[Height];
    const float* from = tile;
#pragma GCC unroll 6
    for (int i = 0; i < rows; ++i, from += columns * tile_step) x[i] = hn::Load(d, from);
    Transform<Height>::times_a(x, column);
#pragma GCC unroll 6
    for (int i = 0; i < Height; ++i) half[i][j] = column[i];
  }
  const auto bias = hn::Load(d, end.bias);
  std::ptrdiff_t place = 0;
#pragma GCC unroll 6
  for (int i = 0; i < Height; ++i, place += end.row) {
    if (i >= end.rows) return;
    Vector out[Width];
    Transform<Width>::times_a(half[i], out);
    std::ptrdiff_t here = place;
#pragma GCC unroll 6
    for (int j = 0; j < Width; ++j, here += end.step) {
      if (j >= end.columns) continue;
      auto sum = hn::Add(out[j], bias);
      if (end.addend) sum = hn::Add(sum, hn::Load(d, end.addend + here));
      hn::Store(hn::Max(hn::Zero(d), sum), d, end.out + here);
    }
  }
}

template <int Height, int Width>
void join_board(const TilesToBoard& ending) {
  const BoardLayout& layout = ending.layout;
  const int step = layout.step();
  const int row = layout.row();
  const float* tile = ending.tiles;
  for (int y = 0; y < layout.rows; y += Height) {
    for (int x = 0; x < layout.columns; x += Width, tile += step) {
      for (int c = 0; c < step; c += lanes) {
        const int place = layout.first() + y * row + x * step + c;
        join_tile<Height, Width>(
            tile + c, ending.tile_step,
            {ending.bias + c, ending.addend ? ending.addend + place : nullptr, ending.out + place,
             step, row, std::min(Height, layout.rows - y), std::min(Width, layout.columns - x)});
      }
    }
  }
}

template <int Height, int Width>
constexpr TileTransforms transforms{&cut_board<Height, Width>, &join_board<Height, Width>};

TileTransforms transforms_of(const BoardLayout& layout) {
  if (layout.tile_height == 3) return layout.tile_width == 3 ? transforms<3, 3> : transforms<3, 4>;
  return layout.tile_width == 3 ? transforms<4, 3> : transforms<4, 4>;
}

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(transforms_of);

TileTransforms tile_transforms(const BoardLayout& layout) {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(transforms_of)(layout);
}

}  // namespace pitboss::engine
#endif
