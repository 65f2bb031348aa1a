#include "tests/bench/onednn_network.hpp"

#include <omp.h>

#include <algorithm>

#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::bench {
namespace {

using Tag = dnnl::memory::format_tag;
constexpr auto real = dnnl::memory::data_type::f32;
constexpr auto inference = dnnl::prop_kind::forward_inference;

dnnl::memory::desc any(const dnnl::memory::dims& sizes) { return {sizes, real, Tag::any}; }

/// Adds to what is in the output, and rectifies, when a layer ends.
dnnl::primitive_attr ending(bool add, bool rectify) {
  dnnl::post_ops operations;
  if (add) operations.append_sum(1.0F);
  if (rectify) operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0, 0);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(operations);
  return attributes;
}

}  // namespace

OneDnnNetwork::OneDnnNetwork(const engine::NetworkShape& shape, const engine::Tensors& tensors,
                             int batch)
    : shape_(shape), tensors_(tensors), batch_(batch) {
  omp_set_num_threads(1);
  input_ =
      dnnl::memory({{batch, shape.planes, shape.rows, shape.columns}, real, Tag::nchw}, engine_);
  dnnl::memory board = input_;
  for (int i = 0; i < shape.blocks(); ++i) {
    const std::string name = "blocks." + std::to_string(i);
    const int filters = shape.filters[i];
    auto skip = convolve(name + ".skip", name + ".skip_bn", filters, 1, board, false, nullptr);
    auto half = convolve(name + ".conv1", name + ".bn1", filters, 3, board, true, nullptr);
    board = convolve(name + ".conv2", name + ".bn2", filters, 3, half, true, &skip);
  }
  body_ = board;
  const auto head = [&](const std::string& name, int hidden, int outputs) {
    auto first = multiply(name + ".fc1", name + ".bn", hidden, board, true);
    return multiply(name + ".fc2", "", outputs, first, false);
  };
  value_ = head("value", shape.value_hidden, shape.values);
  policy_ = head("policy", shape.policy_hidden, shape.policy);
}

dnnl::memory OneDnnNetwork::fixed(const std::vector<float>& numbers,
                                  const dnnl::memory::dims& sizes, Tag tag,
                                  const dnnl::memory::desc& wanted) {
  dnnl::memory plain({sizes, real, tag}, engine_);
  std::ranges::copy(numbers, static_cast<float*>(plain.get_data_handle()));
  dnnl::memory ordered(wanted, engine_);
  dnnl::reorder(plain, ordered).execute(stream_, plain, ordered);
  stream_.wait();
  return ordered;
}

dnnl::memory OneDnnNetwork::convolve(const std::string& name, const std::string& norm, int outputs,
                                     int side, dnnl::memory in, bool rectify,
                                     dnnl::memory* addend) {
  const auto layer = engine::folded(tensors_, name, norm);
  const auto sizes = in.get_desc().dims();
  const dnnl::memory::dims weight_sizes = {outputs, sizes[1], side, side};
  const dnnl::memory::dims around = {side / 2, side / 2};
  const dnnl::memory::desc bias_sizes({outputs}, real, Tag::a);
  const dnnl::convolution_forward::primitive_desc description(
      {inference,
       dnnl::algorithm::convolution_auto,
       any(sizes),
       any(weight_sizes),
       bias_sizes,
       any({batch_, outputs, sizes[2], sizes[3]}),
       {1, 1},
       around,
       around},
      ending(addend != nullptr, rectify), engine_);
  const auto reordered = [&](dnnl::memory from, const dnnl::memory::desc& wanted) {
    if (from.get_desc() == wanted) return from;
    dnnl::memory to(wanted, engine_);
    steps_.push_back({dnnl::reorder(from, to), {{DNNL_ARG_FROM, from}, {DNNL_ARG_TO, to}}});
    return to;
  };
  const dnnl::memory source = reordered(in, description.src_desc());
  const dnnl::memory out = addend ? reordered(*addend, description.dst_desc())
                                  : dnnl::memory(description.dst_desc(), engine_);
  steps_.push_back({dnnl::convolution_forward(description),
                    {{DNNL_ARG_SRC, source},
                     {DNNL_ARG_WEIGHTS,
                      fixed(layer.weights, weight_sizes, Tag::oihw, description.weights_desc())},
                     {DNNL_ARG_BIAS, fixed(layer.bias, {outputs}, Tag::a, bias_sizes)},
                     {DNNL_ARG_DST, out}}});
  return out;
}

dnnl::memory OneDnnNetwork::multiply(const std::string& name, const std::string& norm, int outputs,
                                     dnnl::memory in, bool rectify) {
  const auto layer = engine::folded(tensors_, name, norm);
  const auto sizes = in.get_desc().dims();
  auto weight_sizes = sizes;
  weight_sizes[0] = outputs;
  const dnnl::memory::desc bias_sizes({outputs}, real, Tag::a);
  const dnnl::memory::desc out_sizes({batch_, outputs}, real, Tag::nc);
  const dnnl::inner_product_forward::primitive_desc description(
      {inference, in.get_desc(), any(weight_sizes), bias_sizes, out_sizes}, ending(false, rectify),
      engine_);
  const dnnl::memory out(out_sizes, engine_);
  steps_.push_back({dnnl::inner_product_forward(description),
                    {{DNNL_ARG_SRC, in},
                     {DNNL_ARG_WEIGHTS,
                      fixed(layer.weights, weight_sizes, sizes.size() == 4 ? Tag::oihw : Tag::oi,
                            description.weights_desc())},
                     {DNNL_ARG_BIAS, fixed(layer.bias, {outputs}, Tag::a, bias_sizes)},
                     {DNNL_ARG_DST, out}}});
  return out;
}

void OneDnnNetwork::evaluate(const float* planes, float* values, float* policy) {
  std::copy_n(planes, batch_ * shape_.planes * shape_.points(),
              static_cast<float*>(input_.get_data_handle()));
  for (const Step& step : steps_) step.primitive.execute(stream_, step.arguments);
  stream_.wait();
  std::copy_n(static_cast<const float*>(value_.get_data_handle()), batch_ * shape_.values, values);
  std::copy_n(static_cast<const float*>(policy_.get_data_handle()), batch_ * shape_.policy, policy);
}

double OneDnnNetwork::share_of_heads_inputs_used() {
  const auto* numbers = static_cast<const float*>(body_.get_data_handle());
  const int n = batch_ * shape_.body_filters() * shape_.points();
  return static_cast<double>(n - std::count(numbers, numbers + n, 0.0F)) / n;
}

}  // namespace pitboss::bench
