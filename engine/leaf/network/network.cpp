#include "engine/leaf/network/network.hpp"

#include <algorithm>
#include <cstddef>

#include "engine/leaf/network/kernels.hpp"
#include "engine/leaf/network/network_plan.hpp"

namespace pitboss::engine {
namespace {

/// Planes as they come into a board: point by point.
void read_planes(const float* planes, const BoardLayout& to, float* board) {
  for (int channel = 0; channel < to.channels; ++channel) {
    for (int row = 0; row < to.rows; ++row) {
      float* point = board + to.first() + row * to.row() + channel;
      for (int column = 0; column < to.columns; ++column) point[column * to.step] = *planes++;
    }
  }
}

void flatten(const BoardLayout& from, const float* board, float* out) {
  for (int row = 0; row < from.rows; ++row) {
    const float* point = board + from.first() + row * from.row();
    for (int column = 0; column < from.columns; ++column, point += from.step) {
      out = std::copy_n(point, from.channels, out);
    }
  }
}

/// Adds what a convolution with `side` reads of a board to the runs.
void read_board(WeightedSums& sums, const BoardLayout& from, const float* board, int side) {
  const auto add = [&](int row, int column, int count) {
    const float* in = board + from.first() + row * from.row() + column * from.step;
    sums.runs[sums.n_runs++] = {in, count, from.step, from.row()};
  };
  const int reach = side / 2;
  for (int row = -reach; row <= reach; ++row) {
    if (from.step == from.channels) {
      add(row, -reach, side * from.channels);  // neighbours in a row lie in succession
    } else {
      for (int column = -reach; column <= reach; ++column) add(row, column, from.channels);
    }
  }
}

WeightedSums sums_of(const Convolution& step, float* boards) {
  const BoardLayout& out = step.out.layout;
  WeightedSums sums{};
  sums.layer = &step.layer;
  sums.rows = out.rows;
  sums.columns = out.columns;
  read_board(sums, step.in.layout, boards + step.in.place, step.side);
  const float* skipped = boards + step.skipped.place;
  if (step.skip == Skip::convolution) read_board(sums, step.skipped.layout, skipped, 1);
  if (step.skip == Skip::identity) sums.addend = skipped + step.skipped.layout.first();
  sums.rectify = true;
  sums.out = boards + step.out.place + out.first();
  sums.out_step = out.step;
  sums.out_row = out.row();
  return sums;
}

}  // namespace

struct Network::Parts {
  NetworkShape shape;
  NetworkPlan plan;
  Kernels kernels;

  [[nodiscard]] int floats(Vector vector) const { return plan.floats[static_cast<int>(vector)]; }
};

Network::Network(const NetworkShape& shape, const Tensors& tensors)
    : parts_(std::make_unique<Parts>(Parts{shape, plan_of(shape, tensors), kernels()})) {}
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;
Network::~Network() = default;

const NetworkShape& Network::shape() const { return parts_->shape; }

Network::Workspace::Workspace(const Network& network, int batch)
    : boards_(network.parts_->plan.board_floats), places_(network.parts_->plan.most_inputs) {
  for (const int floats : network.parts_->plan.floats) {
    vectors_.emplace_back(static_cast<std::size_t>(floats) * batch);
  }
}

void Network::evaluate(const float* planes, int batch, float* values, float* policy,
                       Workspace& workspace) const {
  const auto& [shape, plan, kernels] = *parts_;
  float* boards = workspace.boards_.data();
  const auto vector = [&](Vector name) {
    return workspace.vectors_[static_cast<int>(name)].data();
  };
  const auto floats = [&](Vector name) { return parts_->floats(name); };

  // Position by position, so that the boards of one stay in the nearest cache.
  for (int b = 0; b < batch; ++b, planes += shape.planes * shape.points()) {
    read_planes(planes, plan.input.layout, boards + plan.input.place);
    for (const auto& step : plan.convolutions) kernels.add_up(sums_of(step, boards));
    for (const auto& [in, out] : plan.flattenings) {
      flatten(in.layout, boards + in.place, vector(out) + b * floats(out));
    }
  }
  // For all positions together, so that they share each weight that is read.
  for (const auto& step : plan.dense_layers) {
    WeightedSums sums{};
    sums.layer = &step.layer;
    sums.rows = 1;
    sums.columns = batch;
    sums.runs[sums.n_runs++] = {vector(step.in) + step.begin, step.layer.inputs(), floats(step.in),
                                0};
    sums.rectify = step.rectify;
    sums.out = vector(step.out);
    sums.out_step = floats(step.out);
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
