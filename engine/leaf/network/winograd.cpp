#include "engine/leaf/network/winograd.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace pitboss::engine {
namespace {

constexpr int taps = 9;  // of a 3x3 convolution

std::span<const double> points_of(int side) {
  if (side == 3) return TilePoints<3>::all;
  return TilePoints<4>::all;
}

/// One row of G applied to three numbers.
double row_of_g(std::span<const double> points, std::size_t row, double a, double b, double c) {
  if (row == points.size()) return c;
  const double point = points[row];
  double differences = 1;
  for (const double other : points) differences *= other == point ? 1 : point - other;
  return (a + point * b + point * point * c) / differences;
}

}  // namespace

std::vector<FoldedLayer> transformed(const FoldedLayer& convolution, const BoardLayout& layout) {
  const auto down = points_of(layout.tile_height);
  const auto across = points_of(layout.tile_width);
  const int width = tile_inputs(layout.tile_width);
  const std::size_t pairs = convolution.weights.size() / taps;  // of channels
  const FoldedLayer empty{std::vector<float>(pairs), std::vector<float>(convolution.bias.size())};
  std::vector<FoldedLayer> layers(layout.tile_numbers(), empty);
  for (std::size_t pair = 0; pair < pairs; ++pair) {
    const float* g = convolution.weights.data() + pair * taps;
    for (int number = 0; number < layout.tile_numbers(); ++number) {
      std::array<double, 3> column{};
      for (int x = 0; x < 3; ++x)
        column[x] = row_of_g(down, number / width, g[x], g[3 + x], g[6 + x]);
      const double weight = row_of_g(across, number % width, column[0], column[1], column[2]);
      if (std::abs(weight) > std::numeric_limits<float>::max()) {
        throw BadNetwork("the network has a convolution with weights too large to compute with");
      }
      layers[number].weights[pair] = static_cast<float>(weight);
    }
  }
  return layers;
}

}  // namespace pitboss::engine
