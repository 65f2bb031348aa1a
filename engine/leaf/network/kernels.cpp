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

/// A tile is the outputs that are summed at once, one register each: rows by columns by vectors of
/// outputs. Vectors share what is loaded of the inputs, columns what is loaded of the weights; rows
/// share nothing, and only keep the units busy while sums wait for themselves. A sparse layer sums
/// `sparse_vectors` at once, and takes so many inputs that `near_weights` stay in the nearest cache
/// while all positions are evaluated.
constexpr int tile_vectors = 2;
#if (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3) || HWY_ARCH_ARM_A64
constexpr int tile_registers = 16;  // of 32
constexpr int sparse_vectors = 16;
constexpr int near_weights = 8192;
#else
constexpr int tile_registers = 12;  // of 16
constexpr int sparse_vectors = 8;
constexpr int near_weights = 4096;
#endif

/// Where a tile begins.
struct Place {
  int row;
  int column;
  int output;
};

// Loops over a tile must be unrolled before registers are given to its sums: or the compiler keeps
// them in memory.

/// Rectifies the sums of a tile, if wanted, and stores them.
template <int Rows, int Columns, int Vectors>
HWY_INLINE void end_tile(const WeightedSums& sums, const Place& place,
                         const Vector (&sum)[Rows][Columns][Vectors]) {
  const Floats d;
  float* out = sums.out + place.row * sums.out_row + place.column * sums.out_step + place.output;
#pragma GCC unroll 2
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
    for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        auto x = sum[r][c][v];
        if (sums.rectify) x = hn::Max(hn::Zero(d), x);
        hn::Store(x, d, out + r * sums.out_row + c * sums.out_step + v * lanes);
      }
    }
  }
}

template <int Rows, int Columns, int Vectors>
void add_up_tile(const WeightedSums& sums, const Place& place) {
  const Floats d;
  const PackedLayer& layers = *sums.layers;
  const bool is_one = layers.layers() == 1;  // for all rows
  const int layer = is_one ? 0 : place.row;
  const std::ptrdiff_t layer_step = is_one ? 0 : static_cast<std::ptrdiff_t>(layers.layer_step());
  Vector sum[Rows][Columns][Vectors];
#pragma GCC unroll 2
  for (int r = 0; r < Rows; ++r) {
    const float* bias = layers.bias(is_one ? 0 : layer + r, place.output);
#pragma GCC unroll 16
    for (int c = 0; c < Columns; ++c) {
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) sum[r][c][v] = hn::Load(d, bias + v * lanes);
    }
  }
  const float* in = sums.in + place.row * sums.in_row + place.column * sums.in_step;
  const float* weights = layers.weights(layer, place.output);
  const std::ptrdiff_t width = layers.step(place.output);
  const std::ptrdiff_t step = sums.in_step;
  const std::ptrdiff_t row = sums.in_row;
  for (const float* const end = in + layers.inputs(); in != end; ++in, weights += width) {
#pragma GCC unroll 2
    for (int r = 0; r < Rows; ++r) {
      Vector weight[Vectors];
#pragma GCC unroll 2
      for (int v = 0; v < Vectors; ++v) {
        weight[v] = hn::Load(d, weights + r * layer_step + v * lanes);
      }
#pragma GCC unroll 16
      for (int c = 0; c < Columns; ++c) {
        const auto x = hn::Set(d, in[r * row + c * step]);
#pragma GCC unroll 2
        for (int v = 0; v < Vectors; ++v) sum[r][c][v] = hn::MulAdd(x, weight[v], sum[r][c][v]);
      }
    }
  }
  end_tile(sums, place, sum);
}

/// Calls the tile with as many columns.
template <int Rows, int Vectors, int Columns = tile_registers / Vectors / Rows>
HWY_INLINE void add_up_columns(const WeightedSums& sums, const Place& place, int n) {
  if constexpr (Columns > 1) {
    if (n < Columns) return add_up_columns<Rows, Vectors, Columns - 1>(sums, place, n);
  }
  add_up_tile<Rows, Columns, Vectors>(sums, place);
}

/// Some rows and vectors of outputs: all columns, in tiles that are as equal as can be.
template <int Rows, int Vectors>
HWY_INLINE void add_up_outputs(const WeightedSums& sums, int row, int output) {
  constexpr int most = tile_registers / Vectors / Rows;
  const int tiles = (sums.columns + most - 1) / most;
  for (int tile = 0, begin = 0; tile < tiles; ++tile) {
    const int end = sums.columns * (tile + 1) / tiles;
    add_up_columns<Rows, Vectors>(sums, {row, begin, output}, end - begin);
    begin = end;
  }
}

template <int Rows>
HWY_INLINE void add_up_rows(const WeightedSums& sums, int row) {
  constexpr int wide = tile_vectors * lanes;
  int output = 0;
  for (; output + wide <= sums.layers->outputs(); output += wide) {
    add_up_outputs<Rows, tile_vectors>(sums, row, output);
  }
  for (; output < sums.layers->outputs(); output += lanes) {
    add_up_outputs<Rows, 1>(sums, row, output);
  }
}

void add_up(const WeightedSums& sums) {
  // With few columns a row's sums do not fill the registers, and each waits for itself.
  const bool is_narrow = 2 * tile_vectors * sums.columns <= tile_registers;
  int row = 0;
  if (is_narrow) {
    for (; row + 2 <= sums.rows; row += 2) add_up_rows<2>(sums, row);
  }
  for (; row < sums.rows; ++row) add_up_rows<1>(sums, row);
}

/// Writes where the inputs are that are not zero, in their order, and then their number.
void find_places(const float* in, int inputs, int* places) {
  int begin = 0;
#if HWY_TARGET <= HWY_AVX3
  const Floats d;
  const hn::RebindToSigned<Floats> i;
  auto here = hn::Iota(i, 0);
  for (; begin + lanes <= inputs; begin += lanes) {
    const auto used = hn::Ne(hn::LoadU(d, in + begin), hn::Zero(d));
    hn::StoreU(hn::Compress(here, hn::RebindMask(i, used)), i, places);
    places += hn::CountTrue(d, used);
    here = hn::Add(here, hn::Set(i, lanes));
  }
#endif
  // Other instruction sets compress by a table, which g++ 12 copies at every use.
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
  const float* weights = sums.layer->weights(0, output);
  const std::ptrdiff_t width = sums.layer->step(output);
  const auto add = [&](int place) HWY_ATTR {
    const auto x = hn::Set(d, in[place]);
    const float* row = weights + place * width;
    for (int v = 0; v < Vectors; ++v) {
      sum[v] = hn::MulAdd(x, hn::Load(d, row + v * lanes), sum[v]);
    }
  };
  // Two a turn are faster by a tenth.
  for (; places[0] < end && places[1] < end; places += 2) {
    add(places[0]);
    add(places[1]);
  }
  for (; *places < end; ++places) add(*places);
  for (int v = 0; v < Vectors; ++v) hn::Store(sum[v], d, out + v * lanes);
  return places;
}

/// Some vectors of outputs, of all positions.
template <int Vectors>
void add_up_sparse_outputs(const SparseSums& sums, int output) {
  const int inputs = sums.layer->inputs();
  const int at_once = sums.positions == 1 ? inputs : near_weights / (Vectors * lanes);
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
    std::copy_n(layer.bias(0, 0), layer.outputs(), sums.out + p * sums.out_step);
  }
  for (int output = 0; output < layer.outputs(); output += layer.width()) {
    add_up_sparse_block<sparse_vectors>(sums, output, output + layer.step(output));
  }
  if (!sums.rectify) return;
  for (int p = 0; p < sums.positions; ++p) {
    float* out = sums.out + p * sums.out_step;
    for (int i = 0; i < layer.outputs(); i += lanes) {
      hn::Store(hn::Max(hn::Zero(d), hn::Load(d, out + i)), d, out + i);
    }
  }
}

Kernels all_kernels() { return {&add_up, &add_up_sparse, sparse_vectors * lanes}; }

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
