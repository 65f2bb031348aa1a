#include "engine/leaf/network/network.hpp"

#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <vector>

#include "engine/leaf/network/evaluate_reference.hpp"
#include "engine/leaf/network/folded_layer.hpp"
#include "tests/engine/instruction_sets.hpp"
#include "tests/engine/leaf/network/weights.hpp"

using namespace pitboss;
using namespace pitboss::engine;

namespace {

struct Logits {
  std::vector<float> values;
  std::vector<float> policy;
  bool operator==(const Logits&) const = default;
};

Logits room(const NetworkShape& shape, int positions) {
  const auto n = static_cast<std::size_t>(positions);
  return {std::vector<float>(n * shape.values), std::vector<float>(n * shape.policy)};
}

Logits evaluated(const Network& network, const std::vector<float>& planes, int positions) {
  Logits logits = room(network.shape(), positions);
  Network::Workspace workspace(network, positions);
  network.evaluate(planes.data(), positions, logits.values.data(), logits.policy.data(), workspace);
  return logits;
}

Logits by_the_book(const NetworkShape& shape, const Tensors& tensors,
                   const std::vector<float>& planes, int positions) {
  Logits logits = room(shape, positions);
  evaluate_reference(shape, tensors, planes.data(), positions, logits.values.data(),
                     logits.policy.data());
  return logits;
}

/// The largest difference between logits and as many of the book's, relative to those above 1.
float difference(const std::vector<float>& logits, const std::vector<float>& book) {
  float largest = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    const float off = std::abs(logits[i] - book[i]) / std::max(1.0F, std::abs(book[i]));
    largest = off <= largest ? largest : off;  // and if it is no number
  }
  return largest;
}

/// The logits of the first positions.
Logits first(const Logits& all, const NetworkShape& shape, int positions) {
  const auto take = [&](const std::vector<float>& from, int each) {
    return std::vector<float>(from.begin(), from.begin() + std::ptrdiff_t{positions} * each);
  };
  return {take(all.values, shape.values), take(all.policy, shape.policy)};
}

NetworkShape with_filters(NetworkShape shape, std::vector<int> filters) {
  shape.filters = std::move(filters);
  return shape;
}

const std::vector<NetworkShape> shapes = {
    NetworkShape::paper(4, 8, 8, 192, 2),
    NetworkShape::paper(4, 6, 7, 7, 2),
    NetworkShape::paper(3, 13, 13, 30, 4),
    with_filters(NetworkShape::paper(11, 5, 5, 26, 2), {5, 40, 16}),
    with_filters(NetworkShape::paper(4, 1, 17, 3, 1), {24}),
    NetworkShape::tower(3, 9, 9, 82, 2, 3, 16),
    NetworkShape::tower(11, 7, 6, 43, 3, 2, 40),
    with_filters(NetworkShape::tower(16, 5, 5, 25, 2, 1, 1), {24, 24, 32, 5}),
};

}  // namespace

TEST_CASE(
    "check 20: on every instruction set and in every batch a network computes what the book says") {
  constexpr int most = 32;
  for (const NetworkShape& shape : shapes) {
    CAPTURE(shape.rows);
    CAPTURE(shape.columns);
    CAPTURE(shape.filters.front());
    const Tensors tensors = tests::learned_weights(shape, 3);
    const auto planes = tests::random_planes(shape, most, 4);
    const Logits book = by_the_book(shape, tensors, planes, most);
    CHECK(std::ranges::any_of(book.policy, [](float x) { return std::abs(x) > 0.1F; }));
    tests::with_each_instruction_set([&] {
      const Network network(shape, tensors);
      const Logits all = evaluated(network, planes, most);
      CHECK(difference(all.values, book.values) < 1e-5F);
      CHECK(difference(all.policy, book.policy) < 1e-5F);
      for (const int batch : {1, 2, 4, 7, 8, 13}) {
        CAPTURE(batch);
        CHECK(evaluated(network, planes, batch) == first(all, shape, batch));
      }
    });
  }
}

TEST_CASE("network: instruction sets with a fused multiply-add give the same bits") {
  for (const NetworkShape& shape : shapes) {
    const Tensors tensors = tests::learned_weights(shape, 5);
    const auto planes = tests::random_planes(shape, 3, 6);
    std::map<bool, Logits> logits;  // with fused multiply-add, and without
    tests::with_each_instruction_set([&] {
      const bool fused = hwy::SupportedTargets() <= HWY_AVX2 || HWY_ARCH_ARM_A64;
      const Logits here = evaluated(Network(shape, tensors), planes, 3);
      CHECK(logits.try_emplace(fused, here).first->second == here);
    });
  }
}

TEST_CASE("network: a workspace holds nothing of what was evaluated before") {
  const NetworkShape& shape = shapes.front();
  const Network network(shape, tests::learned_weights(shape, 1));
  const auto planes = tests::random_planes(shape, 2, 2);
  const auto second =
      std::vector<float>(planes.end() - shape.planes * shape.points(), planes.end());
  Network::Workspace workspace(network, 2);
  Logits used = room(shape, 2);
  network.evaluate(planes.data(), 2, used.values.data(), used.policy.data(), workspace);
  Logits again = room(shape, 1);
  network.evaluate(second.data(), 1, again.values.data(), again.policy.data(), workspace);
  CHECK(again == evaluated(network, second, 1));
}

TEST_CASE("network: a sum by hand") {
  NetworkShape shape = with_filters(NetworkShape::paper(1, 2, 2, 2, 1), {1});
  shape.value_hidden = 1;
  shape.policy_hidden = 1;
  Tensors tensors = random_weights(shape, 1);
  for (auto& [name, tensor] : tensors) {
    if (name.ends_with("running_var")) tensor.data = {static_cast<float>(1 - norm_epsilon)};
  }
  // Above -4, left -1, here 2, right 1, below 10; the corners see nothing.
  tensors["blocks.0.conv1.weight"].data = {0, -4, 0, -1, 2, 1, 0, 10, 0};
  tensors["blocks.0.conv1.bias"].data = {-8};
  tensors["blocks.0.conv2.weight"].data = {0, 0, 0, 0, 1, 0, 0, 0, 0};
  tensors["blocks.0.conv2.bias"].data = {0.5F};
  tensors["blocks.0.skip.weight"].data = {-1};
  tensors["value.fc1.weight"].data = {4, 2, -8, 1000};
  tensors["value.fc1.bias"].data = {1};
  tensors["value.fc2.weight"].data = {2};
  tensors["value.fc2.bias"].data = {-10};
  tensors["policy.fc1.weight"].data = {-2, 0, 0, 0};
  tensors["policy.fc1.bias"].data = {0.5F};
  tensors["policy.fc2.weight"].data = {7, 8};
  tensors["policy.fc2.bias"].data = {0.25F, -0.75F};
  // conv1: 11 17 / -11 -18, less 8: 3 9 / 0 0; conv2: 3.5 9.5 / 0.5 0.5; skip: 0.5 4.5 / 0.5 0.
  // value: 2 + 9 - 4 + 1 = 8, 2 * 8 - 10 = 6; policy: -1 + 0.5, so nothing but the bias.
  const std::vector<float> planes = {3, 5, 0, 1};
  const auto is_right = [](const Logits& logits) {
    CHECK(logits.values[0] == doctest::Approx(6));
    CHECK(logits.policy[0] == doctest::Approx(0.25));
    CHECK(logits.policy[1] == doctest::Approx(-0.75));
  };
  is_right(by_the_book(shape, tensors, planes, 1));
  tests::with_each_instruction_set(
      [&] { is_right(evaluated(Network(shape, tensors), planes, 1)); });
}

TEST_CASE("network: a batch normalisation folds into weights and bias") {
  const auto variance = static_cast<float>(4 - norm_epsilon);
  const Tensors tensors = {{"fc.weight", {{1, 2}, {3, -2}}}, {"fc.bias", {{1}, {1}}},
                           {"bn.weight", {{1}, {6}}},        {"bn.bias", {{1}, {5}}},
                           {"bn.running_mean", {{1}, {4}}},  {"bn.running_var", {{1}, {variance}}}};
  const FoldedLayer layer = folded(tensors, "fc", "bn");
  CHECK(layer.weights[0] == doctest::Approx(9));
  CHECK(layer.weights[1] == doctest::Approx(-6));
  CHECK(layer.bias[0] == doctest::Approx((1 - 4) * 3 + 5));
}

TEST_CASE("network: two threads that share it get what one gets") {
  const NetworkShape& shape = shapes.front();
  const Network network(shape, tests::learned_weights(shape, 1));
  constexpr int positions = 200;
  const auto planes = tests::random_planes(shape, positions, 2);
  const auto one_by_one = [&](Logits& logits) {
    Network::Workspace workspace(network, 1);
    for (int p = 0; p < positions; ++p) {
      network.evaluate(planes.data() + p * shape.planes * shape.points(), 1,
                       logits.values.data() + p * shape.values,
                       logits.policy.data() + p * shape.policy, workspace);
    }
  };
  Logits alone = room(shape, positions);
  one_by_one(alone);
  Logits here = room(shape, positions);
  Logits there = room(shape, positions);
  std::thread other([&] { one_by_one(there); });
  one_by_one(here);
  other.join();
  CHECK(here == alone);
  CHECK(there == alone);
}
