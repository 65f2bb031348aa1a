#pragma once

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

/// The weights of a network by their names, which are those of a PyTorch module.
using Tensors = std::map<std::string, Tensor, std::less<>>;

/// Thrown for weights that make no network; what() is a sentence.
class BadNetwork : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pitboss::engine
