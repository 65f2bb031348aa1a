#include "engine/leaf/network/network_shape.hpp"

#include <bit>

namespace pitboss::engine {
namespace {

NetworkShape shape_of(int planes, int rows, int columns, int policy, int values) {
  NetworkShape shape;
  shape.planes = planes;
  shape.rows = rows;
  shape.columns = columns;
  shape.policy = policy;
  shape.values = values;
  return shape;
}

using Shapes = std::map<std::string, std::vector<int>>;

void add_norm(Shapes& shapes, const std::string& name, int channels) {
  for (const char* part : {".weight", ".bias", ".running_mean", ".running_var"}) {
    shapes[name + part] = {channels};
  }
}

void add_convolution(Shapes& shapes, const std::string& name, int outputs, int inputs, int side) {
  shapes[name + ".weight"] = {outputs, inputs, side, side};
  shapes[name + ".bias"] = {outputs};
}

void add_dense(Shapes& shapes, const std::string& name, int outputs, int inputs) {
  shapes[name + ".weight"] = {outputs, inputs};
  shapes[name + ".bias"] = {outputs};
}

void add_dense_head(Shapes& shapes, const std::string& name, int outputs, int hidden, int inputs) {
  add_dense(shapes, name + ".fc1", hidden, inputs);
  add_norm(shapes, name + ".bn", hidden);
  add_dense(shapes, name + ".fc2", outputs, hidden);
}

void add_head_convolution(Shapes& shapes, const std::string& name, int filters, int inputs) {
  add_convolution(shapes, name + ".conv", filters, inputs, 1);
  add_norm(shapes, name + ".bn", filters);
}

void check(const std::string& what, int size, int most) {
  if (size >= 1 && size <= most) return;
  throw BadNetwork("a network must have 1 to " + std::to_string(most) + " " + what + ", not " +
                   std::to_string(size));
}

}  // namespace

NetworkShape NetworkShape::paper(int planes, int rows, int columns, int policy, int values) {
  NetworkShape shape = shape_of(planes, rows, columns, policy, values);
  shape.filters = {32, 16};
  shape.value_hidden = 32;
  shape.policy_hidden = static_cast<int>(std::bit_ceil(static_cast<unsigned>(policy)));
  return shape;
}

NetworkShape NetworkShape::tower(int planes, int rows, int columns, int policy, int values,
                                 int blocks, int filters) {
  NetworkShape shape = shape_of(planes, rows, columns, policy, values);
  shape.stem = true;
  shape.filters.assign(blocks, filters);
  shape.heads = Heads::convolutional;
  shape.value_hidden = 64;
  shape.value_filters = 1;
  shape.policy_filters = 2;
  return shape;
}

int NetworkShape::inputs_of(int block) const {
  if (block > 0) return filters[block - 1];
  return stem ? filters.front() : planes;
}

void check(const NetworkShape& shape) {
  check("planes", shape.planes, 1024);
  check("rows", shape.rows, 64);
  check("columns", shape.columns, 64);
  check("policy outputs", shape.policy, 1 << 20);
  check("value outputs", shape.values, 64);
  check("residual blocks", shape.blocks(), 256);
  for (const int filters : shape.filters) check("filters in a block", filters, 4096);
  check("hidden outputs in its value head", shape.value_hidden, 1 << 16);
  if (shape.heads == Heads::dense) {
    check("hidden outputs in its policy head", shape.policy_hidden, 1 << 20);
  } else {
    check("filters in its value head", shape.value_filters, 4096);
    check("filters in its policy head", shape.policy_filters, 4096);
  }
}

std::map<std::string, std::vector<int>> tensor_shapes(const NetworkShape& shape) {
  check(shape);
  Shapes shapes;
  if (shape.stem) {
    add_convolution(shapes, "stem.conv", shape.inputs_of(0), shape.planes, 3);
    add_norm(shapes, "stem.bn", shape.inputs_of(0));
  }
  for (int i = 0; i < shape.blocks(); ++i) {
    const std::string block = "blocks." + std::to_string(i);
    const int inputs = shape.inputs_of(i);
    const int outputs = shape.filters[i];
    add_convolution(shapes, block + ".conv1", outputs, inputs, 3);
    add_norm(shapes, block + ".bn1", outputs);
    add_convolution(shapes, block + ".conv2", outputs, outputs, 3);
    add_norm(shapes, block + ".bn2", outputs);
    if (!shape.has_skip_convolution(i)) continue;
    add_convolution(shapes, block + ".skip", outputs, inputs, 1);
    add_norm(shapes, block + ".skip_bn", outputs);
  }
  const int body = shape.body_filters();
  if (shape.heads == Heads::dense) {
    const int inputs = body * shape.points();
    add_dense_head(shapes, "value", shape.values, shape.value_hidden, inputs);
    add_dense_head(shapes, "policy", shape.policy, shape.policy_hidden, inputs);
  } else {
    add_head_convolution(shapes, "value", shape.value_filters, body);
    add_dense(shapes, "value.fc1", shape.value_hidden, shape.value_filters * shape.points());
    add_dense(shapes, "value.fc2", shape.values, shape.value_hidden);
    add_head_convolution(shapes, "policy", shape.policy_filters, body);
    add_dense(shapes, "policy.fc", shape.policy, shape.policy_filters * shape.points());
  }
  return shapes;
}

}  // namespace pitboss::engine
