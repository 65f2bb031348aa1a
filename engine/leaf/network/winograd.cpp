#include "engine/leaf/network/winograd.hpp"

#include <array>
#include <cmath>
#include <limits>

namespace pitboss::engine {
namespace {

constexpr int taps = 9;  // of a 3x3 convolution

/// One row of G applied to three numbers.
double row_of_g(int row, double a, double b, double c) {
  switch (row) {
    case 0:
      return a;
    case 1:
      return (a + b + c) / 2;
    case 2:
      return (a - b + c) / 2;
    default:
      return c;
  }
}

}  // namespace

std::vector<FoldedLayer> transformed(const FoldedLayer& convolution) {
  const std::size_t pairs = convolution.weights.size() / taps;  // of channels
  const FoldedLayer empty{std::vector<float>(pairs), std::vector<float>(convolution.bias.size())};
  std::vector<FoldedLayer> layers(tile_numbers, empty);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const float* g = convolution.weights.data() + pair * taps;
    for (int number = 0; number < tile_numbers; ++number) {
      std::array<double, 3> column{};
      for (int x = 0; x < 3; ++x) column[x] = row_of_g(number / 4, g[x], g[3 + x], g[6 + x]);
      const double weight = row_of_g(number % 4, column[0], column[1], column[2]);
      if (std::abs(weight) > std::numeric_limits<float>::max()) {
        throw BadNetwork("the network has a convolution with weights too large to compute with");
      }
      layers[number].weights[pair] = static_cast<float>(weight);
    }
  }
  return layers;
}

}  // namespace pitboss::engine
