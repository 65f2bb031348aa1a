#include "engine/leaf/network/network_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/leaf/network/folded_layer.hpp"
#include "engine/leaf/network/winograd.hpp"

namespace pitboss::engine {
namespace {

// Outputs in a block of weights: two of the widest vectors, which the kernels sum at once for
// several points.
constexpr int convolution_width = 2 * output_group;

PackedLayer packed(const FoldedLayer& layer, int channels, int width) {
  PackedLayer result(1, layer.inputs(), layer.outputs(), width);
  result.set(0, layer, channels);
  return result;
}

class Planner {
 public:
  Planner(const NetworkShape& shape, const Tensors& tensors, int dense_width)
      : shape_(shape), tensors_(tensors), dense_width_(dense_width) {
    plan_.input = board(shape.planes, planes);
  }

  NetworkPlan plan() {
    PlacedBoard body = plan_.input;
    if (shape_.stem) {
      body = add_3x3("stem.conv", "stem.bn", body, board(shape_.inputs_of(0), stem), {});
    }
    for (int i = 0; i < shape_.blocks(); ++i) body = add_block(i, body);
    if (shape_.heads == Heads::dense) {
      add_dense_heads(body);
    } else {
      add_convolutional_heads(body);
    }
    return std::move(plan_);
  }

 private:
  /// Boards with equally many channels share memory if they have the same use.
  enum Use : std::uint8_t { planes, stem, even, odd, half, policy_head, value_head };

  PlacedBoard board(int channels, Use use) {
    const auto found = boards_.find({channels, use});
    if (found != boards_.end()) return found->second;
    const BoardLayout layout{shape_.rows, shape_.columns, channels};
    const PlacedBoard result{layout, plan_.board_floats};
    plan_.board_floats += layout.floats();
    plan_.tile_floats =
        std::max<std::size_t>(plan_.tile_floats, layout.tile_numbers() * layout.tile_step(1));
    return boards_[{channels, use}] = result;
  }

  PlacedBoard add(Convolution step) {
    plan_.convolutions.push_back(std::move(step));
    return plan_.convolutions.back().out;
  }
  PlacedBoard add_1x1(const std::string& name, const std::string& norm, PlacedBoard in,
                      PlacedBoard out, bool rectify) {
    const auto layer = folded(tensors_, name, norm);
    return add(
        {name, packed(layer, in.layout.channels, convolution_width), in, out, rectify, {}, {}});
  }
  PlacedBoard add_3x3(const std::string& name, const std::string& norm, PlacedBoard in,
                      PlacedBoard out, std::optional<PlacedBoard> addend) {
    const auto layer = folded(tensors_, name, norm);
    const int channels = in.layout.channels;
    PackedLayer layers(in.layout.tile_numbers(), channels, layer.outputs(), convolution_width);
    int number = 0;
    for (const auto& weights : transformed(layer, in.layout))
      layers.set(number++, weights, channels);
    AlignedFloats bias(padded(layer.outputs()));
    std::ranges::copy(layer.bias, bias.data());
    return add({name, std::move(layers), in, out, true, std::move(bias), addend});
  }

  PlacedBoard add_block(int i, PlacedBoard in) {
    const std::string name = "blocks." + std::to_string(i);
    const int filters = shape_.filters[i];
    const PlacedBoard out = board(filters, i % 2 == 0 ? even : odd);
    const PlacedBoard middle =
        add_3x3(name + ".conv1", name + ".bn1", in, board(filters, half), {});
    const PlacedBoard skip = shape_.has_skip_convolution(i)
                                 ? add_1x1(name + ".skip", name + ".skip_bn", in, out, false)
                                 : in;
    return add_3x3(name + ".conv2", name + ".bn2", middle, out, skip);
  }

  void flatten(PlacedBoard in, Vector out) {
    plan_.flattenings.push_back({in, out});
    size(out) = in.layout.channels * shape_.points();
  }
  /// A dense layer; `channels` as in PackedLayer::set.
  void multiply(const std::string& name, int channels, Vector in, int begin, Vector out,
                bool rectify) {
    add({name, packed(folded(tensors_, name, ""), channels, dense_width_), in, begin, out,
         rectify});
  }
  void add(Dense step) {
    size(step.out) = step.layer.outputs();
    plan_.most_inputs = std::max(plan_.most_inputs, step.layer.inputs());
    plan_.dense_layers.push_back(std::move(step));
  }
  int& size(Vector vector) { return plan_.floats[static_cast<int>(vector)]; }

  /// The first layers of both heads read the same, so they are one.
  void add_dense_heads(PlacedBoard body) {
    flatten(body, Vector::policy_input);
    const int channels = body.layout.channels;
    const auto policy = folded(tensors_, "policy.fc1", "policy.bn");
    const auto value = folded(tensors_, "value.fc1", "value.bn");
    const int value_begin = padded(policy.outputs());
    Dense first{
        "policy.fc1, value.fc1", {1, policy.inputs(), value_begin + value.outputs(), dense_width_},
        Vector::policy_input,    0,
        Vector::hidden,          true};
    first.layer.set(0, policy, channels);
    first.layer.set(0, value, channels, value_begin);
    add(std::move(first));
    multiply("policy.fc2", policy.outputs(), Vector::hidden, 0, Vector::policy, false);
    multiply("value.fc2", value.outputs(), Vector::hidden, value_begin, Vector::value, false);
  }

  void add_convolutional_heads(PlacedBoard body) {
    const int policy = shape_.policy_filters;
    flatten(add_1x1("policy.conv", "policy.bn", body, board(policy, policy_head), true),
            Vector::policy_input);
    multiply("policy.fc", policy, Vector::policy_input, 0, Vector::policy, false);
    const int value = shape_.value_filters;
    flatten(add_1x1("value.conv", "value.bn", body, board(value, value_head), true),
            Vector::value_input);
    multiply("value.fc1", value, Vector::value_input, 0, Vector::hidden, true);
    multiply("value.fc2", shape_.value_hidden, Vector::hidden, 0, Vector::value, false);
  }

  const NetworkShape& shape_;
  const Tensors& tensors_;
  const int dense_width_;
  NetworkPlan plan_{};
  std::map<std::pair<int, Use>, PlacedBoard> boards_;
};

}  // namespace

NetworkPlan plan_of(const NetworkShape& shape, const Tensors& tensors, int dense_width) {
  check(shape, tensors);
  return Planner(shape, tensors, dense_width).plan();
}

}  // namespace pitboss::engine
