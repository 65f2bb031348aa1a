// Not for instruction sets whose vectors have no size at compile time: they make no arrays.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)

#include "engine/leaf/network/kernels.hpp"

#include <algorithm>

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
/// outputs. Vectors share what is loaded of the inputs, columns what is loaded of the weights.
constexpr int tile_vectors = 2;
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64
constexpr int tile_registers = 16;  // of 32
#else
constexpr int tile_registers = 12;  // of 16
#endif

/// Some outputs of a layer.
struct Outputs {
  Outputs(const PackedLayer& layer, int first)
      : bias(layer.bias(first)),
        weights(layer.weights(first)),
        width(layer.step(first)),
        inputs(layer.inputs()) {}
  const float* bias;
  const float* weights;
  std::ptrdiff_t width;  ///< from an input's weights to the next
  int inputs;
};

// Loops over a tile must be unrolled before registers are given to its sums: or the compiler keeps
// them in memory.
template <int Columns, int Vectors>
void add_up_tile(const WeightedSums& sums, const Outputs& outputs, const float* in, float* out) {
  const Floats d;
  Vector sum[Columns][Vectors];
#pragma GCC unroll 16
  for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) sum[c][v] = hn::Load(d, outputs.bias + v * lanes);
  }
  const float* weights = outputs.weights;
  const std::ptrdiff_t width = outputs.width;
  const std::ptrdiff_t step = sums.in_step;
  for (const float* const end = in + outputs.inputs; in != end; ++in, weights += width) {
    Vector weight[Vectors];
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) weight[v] = hn::Load(d, weights + v * lanes);
#pragma GCC unroll 16
    for (int c = 0; c < Columns; ++c) {
      const auto x = hn::Set(d, in[c * step]);
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[c][v] = hn::MulAdd(x, weight[v], sum[c][v]);
    }
  }
#pragma GCC unroll 16
  for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 2
    for (int v = 0; v < Vectors; ++v) {
      auto x = sum[c][v];
      if (sums.rectify) x = hn::Max(hn::Zero(d), x);
      hn::Store(x, d, out + c * sums.out_step + v * lanes);
    }
  }
}

/// Calls the tile with as many columns.
template <int Vectors, int Columns = tile_registers / Vectors>
HWY_INLINE void add_up_columns(const WeightedSums& sums, const Outputs& outputs, const float* in,
                               float* out, int n) {
  if constexpr (Columns > 1) {
    if (n < Columns) return add_up_columns<Vectors, Columns - 1>(sums, outputs, in, out, n);
  }
  add_up_tile<Columns, Vectors>(sums, outputs, in, out);
}

/// All columns of a row, for some vectors of outputs, in tiles that are as equal as can be.
template <int Vectors>
HWY_INLINE void add_up_outputs(const WeightedSums& sums, const Outputs& outputs, const float* in,
                               float* out) {
  constexpr int most = tile_registers / Vectors;
  const int tiles = (sums.columns + most - 1) / most;
  for (int tile = 0, begin = 0; tile < tiles; ++tile) {
    const int end = sums.columns * (tile + 1) / tiles;
    add_up_columns<Vectors>(sums, outputs, in + begin * sums.in_step, out + begin * sums.out_step,
                            end - begin);
    begin = end;
  }
}

void add_up(const WeightedSums& sums) {
  constexpr int wide = tile_vectors * lanes;
  for (int row = 0; row < sums.rows; ++row) {
    const PackedLayer& layer = sums.layers[sums.layer_for_each_row ? row : 0];
    const float* in = sums.in + row * sums.in_row;
    float* out = sums.out + row * sums.out_row;
    int output = 0;
    for (; output + wide <= layer.outputs(); output += wide) {
      add_up_outputs<tile_vectors>(sums, Outputs(layer, output), in, out + output);
    }
    for (; output < layer.outputs(); output += lanes) {
      add_up_outputs<1>(sums, Outputs(layer, output), in, out + output);
    }
  }
}

/// Writes where the inputs are that are not zero, in their order, and then their number.
void find_places(const float* in, int inputs, int* places) {
  const Floats d;
  const hn::RebindToSigned<Floats> i;
  auto here = hn::Iota(i, 0);
  int begin = 0;
  for (; begin + lanes <= inputs; begin += lanes) {
    const auto used = hn::Ne(hn::LoadU(d, in + begin), hn::Zero(d));
    hn::StoreU(hn::Compress(here, hn::RebindMask(i, used)), i, places);
    places += hn::CountTrue(d, used);
    here = hn::Add(here, hn::Set(i, lanes));
  }
  for (; begin < inputs; ++begin) {
    *places = begin;
    places += in[begin] != 0 ? 1 : 0;
  }
  *places = inputs;
}

/// Adds to some vectors of outputs the inputs at `places` that are before `end`; returns the first
/// place that is not.
template <int Vectors>
const int* add_up_places(const SparseSums& sums, const float* in, int output, const int* places,
                         int end, float* out) {
  const Floats d;
  Vector sum[Vectors];
  for (int v = 0; v < Vectors; ++v) sum[v] = hn::Load(d, out + v * lanes);
  const float* weights = sums.layer->weights(output);
  const std::ptrdiff_t width = sums.layer->step(output);
  for (; *places < end; ++places) {
    const auto x = hn::Set(d, in[*places]);
    const float* row = weights + *places * width;
    for (int v = 0; v < Vectors; ++v) {
      sum[v] = hn::MulAdd(x, hn::Load(d, row + v * lanes), sum[v]);
    }
  }
  for (int v = 0; v < Vectors; ++v) hn::Store(sum[v], d, out + v * lanes);
  return places;
}

/// Some vectors of outputs, of all positions.
template <int Vectors>
void add_up_sparse_outputs(const SparseSums& sums, int output) {
  const int inputs = sums.layer->inputs();
  const int at_once = sums.positions == 1 ? inputs : sparse_inputs;
  // A position's places come after the index of the next one to be added up.
  for (int p = 0; p < sums.positions; ++p) sums.places[p * sums.places_step] = 1;
  for (int end = std::min(at_once, inputs);; end = std::min(end + at_once, inputs)) {
    for (int p = 0; p < sums.positions; ++p) {
      int* const places = sums.places + p * sums.places_step;
      const int* const next =
          add_up_places<Vectors>(sums, sums.in + p * sums.in_step, output, places + *places, end,
                                 sums.out + p * sums.out_step + output);
      *places = static_cast<int>(next - places);
    }
    if (end == inputs) return;
  }
}

/// The outputs from `output` to `end`, in as many vectors at a time as fit.
template <int Vectors>
HWY_INLINE void add_up_sparse_block(const SparseSums& sums, int output, int end) {
  for (; output + Vectors * lanes <= end; output += Vectors * lanes) {
    add_up_sparse_outputs<Vectors>(sums, output);
  }
  if constexpr (Vectors > 1) add_up_sparse_block<Vectors / 2>(sums, output, end);
}

void add_up_sparse(const SparseSums& sums) {
  const Floats d;
  const PackedLayer& layer = *sums.layer;
  for (int p = 0; p < sums.positions; ++p) {
    find_places(sums.in + p * sums.in_step, layer.inputs(), sums.places + p * sums.places_step + 1);
    std::copy_n(layer.bias(0), layer.outputs(), sums.out + p * sums.out_step);
  }
  for (int output = 0; output < layer.outputs(); output += layer.width()) {
    add_up_sparse_block<8>(sums, output, output + layer.step(output));
  }
  if (!sums.rectify) return;
  for (int p = 0; p < sums.positions; ++p) {
    float* out = sums.out + p * sums.out_step;
    for (int i = 0; i < layer.outputs(); i += lanes) {
      hn::Store(hn::Max(hn::Zero(d), hn::Load(d, out + i)), d, out + i);
    }
  }
}

Kernels all_kernels() { return {&add_up, &add_up_sparse}; }

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
