#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace pitboss::engine {

/// Numbers in rows, rows in planes and so on: the last dimension runs fastest.
struct Tensor {
  std::vector<int> shape;
  std::vector<float> data;
};

/// How many numbers a tensor of this shape has.
[[nodiscard]] inline std::size_t numbers_in(const std::vector<int>& shape) {
  std::size_t n = 1;
  for (const int size : shape) n *= static_cast<std::size_t>(size);
  return n;
}

/// The weights of a network by their names, which are those of a PyTorch module.
using Tensors = std::map<std::string, Tensor, std::less<>>;

/// Thrown for weights that make no network; what() is a sentence.
class BadNetwork : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pitboss::engine
