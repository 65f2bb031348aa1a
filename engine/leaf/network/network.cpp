#include "engine/leaf/network/network.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/leaf/network/kernels.hpp"
#include "engine/leaf/network/network_plan.hpp"
#include "engine/leaf/network/winograd.hpp"

namespace pitboss::engine {
namespace {

/// Positions that go through the convolutions together: their boards and tiles stay in a near
/// cache, and share each weight that is read. Eight were slower.
constexpr int group = 4;

/// Planes as they come into a board: point by point.
void read_planes(const float* planes, const BoardLayout& to, float* board) {
  for (int channel = 0; channel < to.channels; ++channel) {
    for (int row = 0; row < to.rows; ++row) {
      float* point = board + to.first() + row * to.row() + channel;
      for (int column = 0; column < to.columns; ++column) point[column * to.step()] = *planes++;
    }
  }
}

void flatten(const BoardLayout& from, const float* board, float* out) {
  for (int row = 0; row < from.rows; ++row) {
    const float* point = board + from.first() + row * from.row();
    for (int column = 0; column < from.columns; ++column, point += from.step()) {
      out = std::copy_n(point, from.channels, out);
    }
  }
}

/// Those that have been made, with the inputs that are not zero: their places have been gone
/// through (SparseSums::places).
double multiply_adds(const SparseSums& made) {
  double inputs = 0;
  for (int p = 0; p < made.positions; ++p) inputs += made.places[p * made.places_step] - 1;
  return inputs * made.layer->outputs();
}

/// Where an evaluation keeps the boards and transformed tiles of some positions.
struct Memory {
  int positions;
  float* boards;
  std::size_t board_floats;  // of one position
  float* tiles;
  float* sums;  // also of tiles
  [[nodiscard]] float* of(const PlacedBoard& board, int position) const {
    return boards + position * board_floats + board.place;
  }
};

/// Those of a 1x1 convolution of so many points, or of a 3x3 convolution of so many tiles.
double multiply_adds(const Convolution& step, int columns) {
  return 1.0 * step.layers.layers() * columns * step.in.layout.channels * step.out.layout.channels;
}

void convolve_1x1(const Convolution& step, const Kernels& kernels, const Memory& memory,
                  const Network::Observer& observer) {
  const BoardLayout& in = step.in.layout;
  const BoardLayout& out = step.out.layout;
  for (int p = 0; p < memory.positions; ++p) {
    kernels.add_up({&step.layers, out.rows, out.columns, memory.of(step.in, p) + in.first(),
                    in.step(), in.row(), step.rectify, memory.of(step.out, p) + out.first(),
                    out.step(), out.row()});
  }
  if (observer) {
    observer(step.name, "multiply", multiply_adds(step, memory.positions * out.rows * out.columns));
  }
}

void convolve_3x3(const Convolution& step, const Kernels& kernels, const TileTransforms& transforms,
                  const Memory& memory, const Network::Observer& observer) {
  const BoardLayout& in = step.in.layout;
  const BoardLayout& out = step.out.layout;
  const int n = memory.positions;
  const int in_step = in.tile_step(n);
  const int out_step = out.tile_step(n);
  for (int p = 0; p < n; ++p) {
    transforms.cut(in, memory.of(step.in, p), memory.tiles + p * in.tiles() * in.step(), in_step);
  }
  if (observer) observer(step.name, "cut", 0);
  kernels.add_up({&step.layers, step.layers.layers(), n * out.tiles(), memory.tiles, in.step(),
                  in_step, false, memory.sums, out.step(), out_step});
  if (observer) observer(step.name, "multiply", multiply_adds(step, n * out.tiles()));
  for (int p = 0; p < n; ++p) {
    transforms.join({memory.sums + p * out.tiles() * out.step(), out_step, step.bias.data(),
                     step.addend ? memory.of(*step.addend, p) : nullptr, out,
                     memory.of(step.out, p)});
  }
  if (observer) observer(step.name, "join", 0);
}

}  // namespace

struct Network::State {
  NetworkShape shape;
  NetworkPlan plan;
  Kernels kernels;
  TileTransforms transforms;

  [[nodiscard]] int floats(Vector vector) const { return plan.floats[static_cast<int>(vector)]; }
};

Network::Network(const NetworkShape& shape, const Tensors& tensors)
    : state_(std::make_unique<State>(
          State{shape, plan_of(shape, tensors, kernels().sparse_width), kernels(),
                tile_transforms({shape.rows, shape.columns, shape.planes})})) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

const NetworkShape& Network::shape() const { return state_->shape; }

std::size_t Network::bytes() const {
  std::size_t sum = 0;
  for (const Convolution& convolution : state_->plan.convolutions) {
    sum += convolution.layers.bytes();
  }
  for (const Dense& dense : state_->plan.dense_layers) sum += dense.layer.bytes();
  return sum;
}

Network::Workspace::Workspace(const Network& network, int batch)
    : boards_(network.state_->plan.board_floats * std::min(batch, group)),
      tiles_(network.state_->plan.tile_floats * std::min(batch, group)),
      sums_(network.state_->plan.tile_floats * std::min(batch, group)),
      places_(static_cast<std::size_t>(places_for(network.state_->plan.most_inputs)) * batch) {
  for (const int floats : network.state_->plan.floats) {
    vectors_.emplace_back(static_cast<std::size_t>(floats) * batch);
  }
}

void Network::evaluate(const float* planes, int batch, float* values, float* policy,
                       Workspace& workspace, const Observer& observer) const {
  const auto& [shape, plan, kernels, transforms] = *state_;
  const auto vector = [&](Vector name) {
    return workspace.vectors_[static_cast<int>(name)].data();
  };
  const auto floats = [&](Vector name) { return state_->floats(name); };

  for (int begin = 0; begin < batch; begin += group) {
    const Memory memory{std::min(group, batch - begin), workspace.boards_.data(), plan.board_floats,
                        workspace.tiles_.data(), workspace.sums_.data()};
    for (int p = 0; p < memory.positions; ++p, planes += shape.inputs()) {
      read_planes(planes, plan.input.layout, memory.of(plan.input, p));
    }
    if (observer) observer("", "read", 0);
    for (const auto& step : plan.convolutions) {
      if (step.layers.layers() == 1) {
        convolve_1x1(step, kernels, memory, observer);
      } else {
        convolve_3x3(step, kernels, transforms, memory, observer);
      }
    }
    for (const auto& [in, out] : plan.flattenings) {
      for (int p = 0; p < memory.positions; ++p) {
        flatten(in.layout, memory.of(in, p), vector(out) + (begin + p) * floats(out));
      }
    }
    if (observer) observer("", "flatten", 0);
  }
  for (const auto& step : plan.dense_layers) {
    const SparseSums sums{&step.layer,
                          batch,
                          vector(step.in) + step.begin,
                          floats(step.in),
                          step.rectify,
                          vector(step.out),
                          floats(step.out),
                          workspace.places_.data(),
                          places_for(plan.most_inputs)};
    kernels.add_up_sparse(sums);
    if (observer) observer(step.name, "multiply", multiply_adds(sums));
  }
  for (int b = 0; b < batch; ++b) {
    values = std::copy_n(vector(Vector::value) + b * floats(Vector::value), shape.values, values);
    policy = std::copy_n(vector(Vector::policy) + b * floats(Vector::policy), shape.policy, policy);
  }
}

}  // namespace pitboss::engine
