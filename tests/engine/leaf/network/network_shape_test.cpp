#include "engine/leaf/network/network_shape.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/random_weights.hpp"

using namespace pitboss::engine;

namespace {

std::size_t shape_numbers(const NetworkShape& shape) {
  std::size_t numbers = 0;
  for (const auto& [name, sizes] : tensor_shapes(shape)) numbers += numbers_in(sizes);
  return numbers;
}

const NetworkShape small = NetworkShape::paper(4, 3, 3, 5, 2);

/// What a network says to these weights with something changed.
template <class Change>
std::string refusal(Change&& change) {
  Tensors tensors = random_weights(small, 1);
  change(tensors);
  try {
    Network(small, tensors);
  } catch (const BadNetwork& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("network shape: the paper's networks have as many numbers as the authors' files") {
  CHECK(shape_numbers(NetworkShape::paper(4, 6, 7, 7, 2)) == 45849);
  CHECK(shape_numbers(NetworkShape::paper(4, 8, 8, 65, 2)) == 191731);
  CHECK(shape_numbers(NetworkShape::paper(4, 8, 8, 192, 2)) == 364402);
  CHECK(shape_numbers(NetworkShape::paper(4, 8, 8, 256, 2)) == 380850);
  CHECK(shape_numbers(NetworkShape::paper(4, 7, 7, 49, 2)) == 97635);
  CHECK(shape_numbers(NetworkShape::paper(4, 9, 9, 81, 2)) == 237315);
}

TEST_CASE("network shape: the tensors of a tower") {
  NetworkShape shape = NetworkShape::tower(11, 5, 7, 36, 2, 2, 24);
  shape.filters.push_back(16);
  const auto tensors = tensor_shapes(shape);
  CHECK(tensors.at("stem.conv.weight") == std::vector{24, 11, 3, 3});
  CHECK(tensors.at("stem.bn.running_var") == std::vector{24});
  CHECK(tensors.at("blocks.1.conv1.weight") == std::vector{24, 24, 3, 3});
  CHECK_FALSE(tensors.contains("blocks.1.skip.weight"));
  CHECK(tensors.at("blocks.2.conv1.weight") == std::vector{16, 24, 3, 3});
  CHECK(tensors.at("blocks.2.skip.weight") == std::vector{16, 24, 1, 1});
  CHECK(tensors.at("blocks.2.skip_bn.weight") == std::vector{16});
  CHECK(tensors.at("policy.conv.weight") == std::vector{2, 16, 1, 1});
  CHECK(tensors.at("policy.fc.weight") == std::vector{36, 70});
  CHECK(tensors.at("value.fc1.weight") == std::vector{64, 35});
  CHECK(tensors.at("value.fc2.bias") == std::vector{2});
}

TEST_CASE("network shape: sizes that no network has") {
  const auto refused = [](auto&& change) {
    NetworkShape shape = small;
    change(shape);
    CHECK_THROWS_AS(static_cast<void>(tensor_shapes(shape)), BadNetwork);
    CHECK_THROWS_AS(static_cast<void>(random_weights(shape, 1)), BadNetwork);
  };
  refused([](auto& shape) { shape.planes = 0; });
  refused([](auto& shape) { shape.rows = -1; });
  refused([](auto& shape) { shape.columns = 65; });
  refused([](auto& shape) { shape.filters = {}; });
  refused([](auto& shape) { shape.filters = {32, 0}; });
  refused([](auto& shape) { shape.policy_hidden = 0; });
  refused([](auto& shape) { shape.heads = Heads::convolutional; });
  NetworkShape shape = small;
  shape.values = 65;
  CHECK_THROWS_WITH_AS(check(shape), "a network must have 1 to 64 value outputs, not 65",
                       BadNetwork);
}

TEST_CASE("network: tensors that make no network are refused") {
  CHECK(refusal([](Tensors&) {}).empty());
  CHECK(refusal([](Tensors& t) { t.erase("policy.fc2.bias"); }) ==
        "the network lacks the tensor policy.fc2.bias");
  CHECK(refusal([](Tensors& t) {
          t["extra"] = {{1}, {1}};
        }) == "the network has the tensor extra, for which its architecture has no use");
  CHECK(refusal([](Tensors& t) {
          t["blocks.0.conv1.weight"].shape = {4, 32, 3, 3};
        }) ==
        "the network's tensor blocks.0.conv1.weight has the shape [4,32,3,3] instead of "
        "[32,4,3,3]");
  CHECK(refusal([](Tensors& t) { t["value.fc2.bias"].data.pop_back(); }) ==
        "the network's tensor value.fc2.bias has 1 numbers instead of 2");
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    CHECK(refusal([&](Tensors& t) { t["value.fc1.weight"].data[7] = bad; }) ==
          "the network's tensor value.fc1.weight has a number that is not finite");
  }
  CHECK(refusal([](Tensors& t) { t["value.bn.running_var"].data[7] = -2e-5F; }) ==
        "the network's tensor value.bn.running_var has a negative variance");
  // Of a unit that never answers, a learner's rounding may leave a variance below zero.
  CHECK(refusal([](Tensors& t) { t["value.bn.running_var"].data[7] = -7.8e-13F; }).empty());
  CHECK(refusal([](Tensors& t) {
          t["blocks.1.bn2.weight"].data[0] = 1e30F;
          t["blocks.1.conv2.weight"].data[0] = 1e30F;
        }) == "the network's weights overflow when blocks.1.bn2 is folded into blocks.1.conv2");
  CHECK(refusal([](Tensors& t) { std::ranges::fill(t["blocks.1.conv1.weight"].data, 3e38F); }) ==
        "the network has a convolution with weights too large to compute with");
}

TEST_CASE("random weights: the same for a seed, of the variance that He et al. give") {
  const NetworkShape shape = NetworkShape::paper(4, 8, 8, 65, 2);
  const Tensors tensors = random_weights(shape, 7);
  const auto& weights = tensors.at("value.fc1.weight").data;
  CHECK(weights == random_weights(shape, 7).at("value.fc1.weight").data);
  CHECK(weights != random_weights(shape, 8).at("value.fc1.weight").data);
  double squares = 0;
  for (const float weight : weights) squares += static_cast<double>(weight) * weight;
  CHECK(squares / static_cast<double>(weights.size()) == doctest::Approx(2.0 / 1024).epsilon(0.02));
  CHECK(tensors.at("blocks.0.bn1.running_var").data == std::vector(32, 1.0F));
  CHECK(tensors.at("blocks.0.bn1.weight").data == std::vector(32, 1.0F));
  CHECK(tensors.at("blocks.0.conv1.bias").data == std::vector(32, 0.0F));
  // Everywhere these numbers.
  CHECK(tensors.at("blocks.0.conv1.weight").data[0] == -0x1.44f51ap-2F);
  CHECK(tensors.at("value.fc2.weight").data[63] == 0x1.a75654p-2F);
}
