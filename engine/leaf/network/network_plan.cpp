#include "engine/leaf/network/network_plan.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::engine {
namespace {

// Outputs in a block of weights: two of the widest vectors, which a tile has, and the eight of them
// that a dense layer of one position sums at once.
constexpr int convolution_width = 2 * output_group;
constexpr int dense_width = 8 * output_group;

class Planner {
 public:
  Planner(const NetworkShape& shape, const Tensors& tensors) : shape_(shape), tensors_(tensors) {
    plan_.input = new_board(shape.planes, shape.planes);
  }

  NetworkPlan plan() {
    PlacedBoard board = plan_.input;
    if (shape_.stem) board = convolve("stem.conv", "stem.bn", 3, board, shape_.inputs_of(0), stem);
    for (int i = 0; i < shape_.blocks(); ++i) board = add_block(i, board);
    if (shape_.heads == Heads::dense) {
      add_dense_heads(board);
    } else {
      add_convolutional_heads(board);
    }
    return std::move(plan_);
  }

 private:
  /// Boards with equally many channels share memory if they have the same use.
  enum Use : std::uint8_t { stem, even, odd, half, policy_head, value_head };

  PlacedBoard new_board(int channels, int step) {
    const BoardLayout layout{shape_.rows, shape_.columns, channels, step};
    const std::size_t place = plan_.board_floats;
    plan_.board_floats += padded(layout.floats());
    return {layout, place};
  }
  PlacedBoard board(int channels, Use use) {
    const auto found = boards_.find({channels, use});
    if (found != boards_.end()) return found->second;
    return boards_[{channels, use}] = new_board(channels, padded(channels));
  }

  PlacedBoard convolve(const std::string& name, const std::string& norm, int side, PlacedBoard in,
                       int outputs, Use use) {
    const int inputs = side * side * in.layout.channels;
    Convolution step{
        {inputs, outputs, convolution_width}, side, in, board(outputs, use), Skip::none, in};
    step.layer.add(folded(tensors_, name, norm), in.layout.channels);
    plan_.convolutions.push_back(std::move(step));
    return plan_.convolutions.back().out;
  }

  PlacedBoard add_block(int i, PlacedBoard in) {
    const std::string name = "blocks." + std::to_string(i);
    const int filters = shape_.filters[i];
    const auto middle = convolve(name + ".conv1", name + ".bn1", 3, in, filters, half);
    const auto second = folded(tensors_, name + ".conv2", name + ".bn2");
    const bool convolved = shape_.has_skip_convolution(i);
    const int rows = second.inputs() + (convolved ? in.layout.channels : 0);
    Convolution step{{rows, filters, convolution_width},
                     3,
                     middle,
                     board(filters, i % 2 == 0 ? even : odd),
                     convolved ? Skip::convolution : Skip::identity,
                     in};
    step.layer.add(second, filters);
    if (convolved) {
      step.layer.add(folded(tensors_, name + ".skip", name + ".skip_bn"), in.layout.channels,
                     second.inputs());
    }
    plan_.convolutions.push_back(std::move(step));
    return plan_.convolutions.back().out;
  }

  void flatten(PlacedBoard in, Vector out) {
    plan_.flattenings.push_back({in, out});
    size(out) = in.layout.channels * shape_.points();
  }
  /// A dense layer; `channels` as in PackedLayer::add.
  void multiply(const FoldedLayer& layer, int channels, Vector in, int begin, Vector out,
                bool rectify) {
    Dense step{{layer.inputs(), layer.outputs(), dense_width}, in, begin, out, rectify};
    step.layer.add(layer, channels);
    add(std::move(step));
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
    Dense first{{policy.inputs(), value_begin + value.outputs(), dense_width},
                Vector::policy_input,
                0,
                Vector::hidden,
                true};
    first.layer.add(policy, channels);
    first.layer.add(value, channels, 0, value_begin);
    add(std::move(first));
    const auto policy_last = folded(tensors_, "policy.fc2", "");
    const auto value_last = folded(tensors_, "value.fc2", "");
    multiply(policy_last, policy.outputs(), Vector::hidden, 0, Vector::policy, false);
    multiply(value_last, value.outputs(), Vector::hidden, value_begin, Vector::value, false);
  }

  void add_convolutional_heads(PlacedBoard body) {
    const int policy = shape_.policy_filters;
    flatten(convolve("policy.conv", "policy.bn", 1, body, policy, policy_head),
            Vector::policy_input);
    multiply(folded(tensors_, "policy.fc", ""), policy, Vector::policy_input, 0, Vector::policy,
             false);
    const int value = shape_.value_filters;
    flatten(convolve("value.conv", "value.bn", 1, body, value, value_head), Vector::value_input);
    multiply(folded(tensors_, "value.fc1", ""), value, Vector::value_input, 0, Vector::hidden,
             true);
    multiply(folded(tensors_, "value.fc2", ""), shape_.value_hidden, Vector::hidden, 0,
             Vector::value, false);
  }

  const NetworkShape& shape_;
  const Tensors& tensors_;
  NetworkPlan plan_{};
  std::map<std::pair<int, Use>, PlacedBoard> boards_;
};

}  // namespace

NetworkPlan plan_of(const NetworkShape& shape, const Tensors& tensors) {
  check(shape, tensors);
  return Planner(shape, tensors).plan();
}

}  // namespace pitboss::engine
