#include "engine/leaf/network/network.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/leaf/network/kernels.hpp"
#include "engine/leaf/network/network_plan.hpp"
#include "engine/leaf/network/winograd.hpp"

namespace pitboss::engine {
namespace {

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

/// Where an evaluation keeps its boards and transformed tiles.
struct Memory {
  float* boards;
  float* tiles;
  float* sums;  // also of tiles
  [[nodiscard]] float* of(const PlacedBoard& board) const { return boards + board.place; }
};

void convolve_1x1(const Convolution& step, const Kernels& kernels, const Memory& memory) {
  const BoardLayout& in = step.in.layout;
  const BoardLayout& out = step.out.layout;
  kernels.add_up({&step.layers.front(), out.rows, out.columns, memory.of(step.in) + in.first(),
                  in.step(), in.row(), step.rectify, memory.of(step.out) + out.first(), out.step(),
                  out.row()});
}

void convolve_3x3(const Convolution& step, const Kernels& kernels, const TileTransforms& transforms,
                  const Memory& memory) {
  const BoardLayout& in = step.in.layout;
  const BoardLayout& out = step.out.layout;
  transforms.cut(in, memory.of(step.in), memory.tiles);
  for (int number = 0; number < tile_numbers; ++number) {
    kernels.add_up({&step.layers[number], 1, out.tiles(), memory.tiles + number * in.tile_step(),
                    in.step(), 0, false, memory.sums + number * out.tile_step(), out.step(), 0});
  }
  const float* addend = step.addend ? memory.of(*step.addend) : nullptr;
  transforms.join({memory.sums, step.bias.data(), addend, out, memory.of(step.out)});
}

}  // namespace

struct Network::Parts {
  NetworkShape shape;
  NetworkPlan plan;
  Kernels kernels;
  TileTransforms transforms;

  [[nodiscard]] int floats(Vector vector) const { return plan.floats[static_cast<int>(vector)]; }
};

Network::Network(const NetworkShape& shape, const Tensors& tensors)
    : parts_(std::make_unique<Parts>(
          Parts{shape, plan_of(shape, tensors), kernels(), tile_transforms()})) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

const NetworkShape& Network::shape() const { return parts_->shape; }

std::size_t Network::bytes() const {
  std::size_t sum = 0;
  for (const Convolution& convolution : parts_->plan.convolutions) {
    for (const PackedLayer& layer : convolution.layers) sum += layer.bytes();
  }
  for (const Dense& dense : parts_->plan.dense_layers) sum += dense.layer.bytes();
  return sum;
}

Network::Workspace::Workspace(const Network& network, int batch)
    : boards_(network.parts_->plan.board_floats),
      tiles_(network.parts_->plan.tile_floats),
      sums_(network.parts_->plan.tile_floats),
      places_(network.parts_->plan.most_inputs) {
  for (const int floats : network.parts_->plan.floats) {
    vectors_.emplace_back(static_cast<std::size_t>(floats) * batch);
  }
}

void Network::evaluate(const float* planes, int batch, float* values, float* policy,
                       Workspace& workspace) const {
  const auto& [shape, plan, kernels, transforms] = *parts_;
  const Memory memory{workspace.boards_.data(), workspace.tiles_.data(), workspace.sums_.data()};
  const auto vector = [&](Vector name) {
    return workspace.vectors_[static_cast<int>(name)].data();
  };
  const auto floats = [&](Vector name) { return parts_->floats(name); };

  // Position by position, so that the boards of one stay in the nearest cache.
  for (int b = 0; b < batch; ++b, planes += shape.planes * shape.points()) {
    read_planes(planes, plan.input.layout, memory.of(plan.input));
    for (const auto& step : plan.convolutions) {
      if (step.layers.size() == 1) {
        convolve_1x1(step, kernels, memory);
      } else {
        convolve_3x3(step, kernels, transforms, memory);
      }
    }
    for (const auto& [in, out] : plan.flattenings) {
      flatten(in.layout, memory.of(in), vector(out) + b * floats(out));
    }
  }
  // For all positions together, so that they share each weight that is read.
  for (const auto& step : plan.dense_layers) {
    const WeightedSums sums{&step.layer,      1, batch,        vector(step.in) + step.begin,
                            floats(step.in),  0, step.rectify, vector(step.out),
                            floats(step.out), 0};
    if (batch == 1) {
      kernels.add_up_one(sums, workspace.places_.data());
    } else {
      kernels.add_up(sums);
    }
  }
  for (int b = 0; b < batch; ++b) {
    values = std::copy_n(vector(Vector::value) + b * floats(Vector::value), shape.values, values);
    policy = std::copy_n(vector(Vector::policy) + b * floats(Vector::policy), shape.policy, policy);
  }
}

}  // namespace pitboss::engine
