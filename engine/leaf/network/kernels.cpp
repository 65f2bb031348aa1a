// Not for instruction sets whose vectors have no size at compile time: they make no arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include "engine/leaf/network/kernels.hpp"

#include "engine/instruction_set.hpp"

// Highway compiles this file once for every instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "engine/leaf/network/kernels.cpp"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::CappedTag<float, output_group>;
using Vector = hn::Vec<Floats>;
constexpr int lanes = static_cast<int>(hn::MaxLanes(Floats()));

/// A tile is the outputs that are summed at once, one register each: columns by vectors of
/// outputs. Two vectors share what is loaded of the inputs.
constexpr int tile_vectors = 2;
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64
constexpr int tile_columns = 8;  // 32 registers
#else
constexpr int tile_columns = 6;  // 16 registers
#endif

template <int Columns, int Vectors>
void add_up_tile(const WeightedSums& sums, int output, int row, int column) {
  const Floats d;
  Vector sum[Columns][Vectors];
  for (int v = 0; v < Vectors; ++v) {
    const auto bias = hn::Load(d, sums.layer->bias(output + v * lanes));
    for (int c = 0; c < Columns; ++c) sum[c][v] = bias;
  }
  const float* weights = sums.layer->weights(output);
  const int width = sums.layer->step(output);
  const std::ptrdiff_t step = sums.in_step;
  const float* in = sums.in + row * sums.in_row + column * step;
  for (const float* const end = in + sums.layer->inputs(); in != end; ++in, weights += width) {
    Vector weight[Vectors];
    for (int v = 0; v < Vectors; ++v) weight[v] = hn::Load(d, weights + v * lanes);
    for (int c = 0; c < Columns; ++c) {
      const auto x = hn::Set(d, in[c * step]);
      for (int v = 0; v < Vectors; ++v) sum[c][v] = hn::MulAdd(x, weight[v], sum[c][v]);
    }
  }
  float* out = sums.out + row * sums.out_row + column * sums.out_step + output;
  for (int c = 0; c < Columns; ++c, out += sums.out_step) {
    for (int v = 0; v < Vectors; ++v) {
      if (sums.rectify) sum[c][v] = hn::Max(hn::Zero(d), sum[c][v]);
      hn::Store(sum[c][v], d, out + v * lanes);
    }
  }
}

/// Calls the tile with as many columns.
template <int Vectors, int Columns = tile_columns>
HWY_INLINE void add_up_columns(const WeightedSums& sums, int output, int row, int column, int n) {
  if constexpr (Columns > 1) {
    if (n < Columns) return add_up_columns<Vectors, Columns - 1>(sums, output, row, column, n);
  }
  add_up_tile<Columns, Vectors>(sums, output, row, column);
}

/// All points, for some vectors of outputs: rows in tiles that are as equal as can be.
template <int Vectors>
void add_up_outputs(const WeightedSums& sums, int output) {
  const int tiles = (sums.columns + tile_columns - 1) / tile_columns;
  for (int row = 0; row < sums.rows; ++row) {
    for (int tile = 0; tile < tiles; ++tile) {
      const int begin = sums.columns * tile / tiles;
      const int end = sums.columns * (tile + 1) / tiles;
      add_up_columns<Vectors>(sums, output, row, begin, end - begin);
    }
  }
}

void add_up(const WeightedSums& sums) {
  constexpr int wide = tile_vectors * lanes;
  int output = 0;
  for (; output + wide <= sums.layer->outputs(); output += wide) {
    add_up_outputs<tile_vectors>(sums, output);
  }
  for (; output < sums.layer->outputs(); output += lanes) add_up_outputs<1>(sums, output);
}

/// Some vectors of outputs from the inputs at `places`.
template <int Vectors>
void add_up_places(const WeightedSums& sums, int output, const int* places, int n) {
  const Floats d;
  Vector sum[Vectors];
  for (int v = 0; v < Vectors; ++v) sum[v] = hn::Load(d, sums.layer->bias(output + v * lanes));
  const float* weights = sums.layer->weights(output);
  const std::ptrdiff_t width = sums.layer->step(output);
  for (const int* place = places; place != places + n; ++place) {
    const auto x = hn::Set(d, sums.in[*place]);
    const float* row = weights + *place * width;
    for (int v = 0; v < Vectors; ++v) {
      sum[v] = hn::MulAdd(x, hn::Load(d, row + v * lanes), sum[v]);
    }
  }
  for (int v = 0; v < Vectors; ++v) {
    if (sums.rectify) sum[v] = hn::Max(hn::Zero(d), sum[v]);
    hn::Store(sum[v], d, sums.out + output + v * lanes);
  }
}

/// The outputs from `output` to `end`, in as many vectors at a time as fit.
template <int Vectors>
HWY_INLINE void add_up_block(const WeightedSums& sums, int output, int end, const int* places,
                             int n) {
  for (; output + Vectors * lanes <= end; output += Vectors * lanes) {
    add_up_places<Vectors>(sums, output, places, n);
  }
  if constexpr (Vectors > 1) add_up_block<Vectors / 2>(sums, output, end, places, n);
}

void add_up_one(const WeightedSums& sums, int* places) {
  const PackedLayer& layer = *sums.layer;
  int n = 0;
  for (int i = 0; i < layer.inputs(); ++i) {
    places[n] = i;
    n += sums.in[i] != 0 ? 1 : 0;
  }
  for (int output = 0; output < layer.outputs(); output += layer.width()) {
    add_up_block<8>(sums, output, output + layer.step(output), places, n);
  }
}

Kernels all_kernels() { return {&add_up, &add_up_one}; }

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pitboss::engine {

HWY_EXPORT(all_kernels);

Kernels kernels() {
  choose_instruction_set();
  return HWY_DYNAMIC_DISPATCH(all_kernels)();
}

}  // namespace pitboss::engine
#endif
