#pragma once

#include <dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::bench {

/// The paper's network by oneDNN, as fast as it goes: batch normalisations folded, bias, sum and
/// ReLU fused into the layers, every layout left to the library, one thread.
class OneDnnNetwork {
 public:
  OneDnnNetwork(const engine::NetworkShape& shape, const engine::Tensors& tensors, int batch);

  /// Of as many positions as given above; arguments as of Network::evaluate.
  void evaluate(const float* planes, float* values, float* policy);

  /// What part of the heads' inputs was not zero in the last evaluation.
  double share_of_heads_inputs_used();

 private:
  struct Step {
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
  };
  dnnl::memory fixed(const std::vector<float>& numbers, const dnnl::memory::dims& sizes,
                     dnnl::memory::format_tag tag, const dnnl::memory::desc& wanted);
  dnnl::memory convolve(const std::string& name, const std::string& norm, int outputs, int side,
                        dnnl::memory in, bool rectify, dnnl::memory* addend);
  dnnl::memory multiply(const std::string& name, const std::string& norm, int outputs,
                        dnnl::memory in, bool rectify);

  const engine::NetworkShape& shape_;
  const engine::Tensors& tensors_;
  int batch_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  std::vector<Step> steps_;
  dnnl::memory input_;
  dnnl::memory body_;
  dnnl::memory value_;
  dnnl::memory policy_;
};

}  // namespace pitboss::bench
