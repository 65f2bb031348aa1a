#include "engine/leaf/network/folded_layer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pitboss::engine {
namespace {

std::string text_of(const std::vector<int>& sizes) {
  std::string text = "[";
  for (const int size : sizes) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

/// What stands before a tensor's name in the file, such as PyTorch's "module." or "_orig_mod.".
std::string prefix_of(const std::string& name, const Tensors& tensors) {
  for (const auto& [given, tensor] : tensors) {
    if (given.ends_with("." + name)) return given.substr(0, given.size() - name.size());
  }
  return "";
}

void check(const std::string& name, const std::vector<int>& sizes, const Tensors& tensors) {
  const auto found = tensors.find(name);
  if (found == tensors.end()) {
    const std::string prefix = prefix_of(name, tensors);
    throw BadNetwork("the network lacks the tensor " + name +
                     (prefix.empty()
                          ? ""
                          : "; it has " + prefix + name + ": a framework has put '" + prefix +
                                "' before the names, which is to be taken off"));
  }
  const Tensor& tensor = found->second;
  if (tensor.shape != sizes) {
    throw BadNetwork("the network's tensor " + name + " has the shape " + text_of(tensor.shape) +
                     " instead of " + text_of(sizes));
  }
  if (tensor.data.size() != numbers_in(sizes)) {
    throw BadNetwork("the network's tensor " + name + " has " + std::to_string(tensor.data.size()) +
                     " numbers instead of " + std::to_string(numbers_in(sizes)));
  }
  if (!std::ranges::all_of(tensor.data, [](float x) { return std::isfinite(x); })) {
    throw BadNetwork("the network's tensor " + name + " has a number that is not finite");
  }
  if (name.ends_with(".running_var") &&
      std::ranges::any_of(tensor.data, [](float x) { return x + norm_epsilon <= 0; })) {
    throw BadNetwork("the network's tensor " + name + " has a negative variance");
  }
}

const std::vector<float>& numbers(const Tensors& tensors, const std::string& name) {
  return tensors.find(name)->second.data;
}

}  // namespace

void check(const NetworkShape& shape, const Tensors& tensors) {
  const auto wanted = tensor_shapes(shape);
  for (const auto& [name, sizes] : wanted) check(name, sizes, tensors);
  for (const auto& [name, tensor] : tensors) {
    if (!wanted.contains(name)) {
      throw BadNetwork("the network has the tensor " + name +
                       ", for which its architecture has no use");
    }
  }
}

FoldedLayer folded(const Tensors& tensors, const std::string& layer, const std::string& norm) {
  FoldedLayer result{numbers(tensors, layer + ".weight"), numbers(tensors, layer + ".bias")};
  if (norm.empty()) return result;
  const auto& scale = numbers(tensors, norm + ".weight");
  const auto& shift = numbers(tensors, norm + ".bias");
  const auto& mean = numbers(tensors, norm + ".running_mean");
  const auto& variance = numbers(tensors, norm + ".running_var");
  const auto finite = [&](double x) {
    if (std::abs(x) <= std::numeric_limits<float>::max()) return static_cast<float>(x);
    throw BadNetwork("the network's weights overflow when " + norm + " is folded into " + layer);
  };
  const int inputs = result.inputs();
  for (int o = 0; o < result.outputs(); ++o) {
    const double factor = scale[o] / std::sqrt(variance[o] + norm_epsilon);
    for (int i = 0; i < inputs; ++i) {
      float& weight = result.weights[static_cast<std::size_t>(o) * inputs + i];
      weight = finite(weight * factor);
    }
    const double centred = static_cast<double>(result.bias[o]) - mean[o];
    result.bias[o] = finite(centred * factor + shift[o]);
  }
  return result;
}

}  // namespace pitboss::engine
