#include "clients/networks/onnx.hpp"

#include <onnx/onnx_pb.h>

#include <bit>
#include <initializer_list>
#include <string>
#include <vector>

#include "engine/leaf/network/folded_layer.hpp"

namespace pitboss::clients {

using engine::NetworkFile;
using engine::NetworkShape;
using engine::Tensors;

static_assert(std::endian::native == std::endian::little);

namespace {

constexpr int ir_version = 8;  ///< of the format
constexpr int opset = 17;      ///< of the operators

void set_type(onnx::ValueInfoProto& value, const std::string& name, const std::vector<int>& sizes) {
  value.set_name(name);
  auto* const type = value.mutable_type()->mutable_tensor_type();
  type->set_elem_type(onnx::TensorProto::FLOAT);
  auto* const shape = type->mutable_shape();
  shape->add_dim()->set_dim_param("N");
  for (const int size : sizes) shape->add_dim()->set_dim_value(size);
}

/// Writes the layers of a network as nodes. Each function takes the names of its inputs and returns
/// the name of its output.
class Graph {
 public:
  Graph(onnx::GraphProto& graph, const NetworkShape& shape, const Tensors& tensors)
      : graph_(graph), shape_(shape), tensors_(tensors) {
    for (const auto& [name, tensor] : tensors) {
      auto* const weights = graph_.add_initializer();
      weights->set_name(name);
      weights->set_data_type(onnx::TensorProto::FLOAT);
      for (const int size : tensor.shape) weights->add_dims(size);
      weights->set_raw_data(tensor.data.data(), tensor.data.size() * sizeof(float));
    }
  }

  void network() {
    set_type(*graph_.add_input(), "planes", {shape_.planes, shape_.rows, shape_.columns});
    set_type(*graph_.add_output(), "policy", {shape_.policy});
    set_type(*graph_.add_output(), "values", {shape_.values});
    std::string x = "planes";
    if (shape_.stem) x = relu(normalised("stem.bn", convolved("stem.conv", x)));
    for (int i = 0; i < shape_.blocks(); ++i) x = block(i, x);
    if (shape_.heads == engine::Heads::dense) {
      dense_head("policy", "policy", x);
      dense_head("value", "values", x);
    } else {
      dense("policy.fc", head_convolution("policy", x), "policy");
      const std::string hidden = relu(dense("value.fc1", head_convolution("value", x)));
      dense("value.fc2", hidden, "values");
    }
  }

 private:
  using Names = std::initializer_list<std::string>;

  std::string block(int i, const std::string& x) {
    const std::string name = "blocks." + std::to_string(i);
    const std::string half = relu(normalised(name + ".bn1", convolved(name + ".conv1", x)));
    const std::string inside = normalised(name + ".bn2", convolved(name + ".conv2", half));
    const std::string skip = shape_.has_skip_convolution(i)
                                 ? normalised(name + ".skip_bn", convolved(name + ".skip", x))
                                 : x;
    add_node("Add", {inside, skip}, name + ".sum");
    return relu(name + ".sum");
  }
  void dense_head(const std::string& name, const std::string& output, const std::string& x) {
    const std::string flat = flattened(name, x);
    dense(name + ".fc2", relu(normalised(name + ".bn", dense(name + ".fc1", flat))), output);
  }
  std::string head_convolution(const std::string& name, const std::string& x) {
    return flattened(name, relu(normalised(name + ".bn", convolved(name + ".conv", x))));
  }

  std::string convolved(const std::string& name, const std::string& x) {
    auto& node = add_node("Conv", {x, name + ".weight", name + ".bias"}, name);
    auto& pads = add_attribute(node, "pads", onnx::AttributeProto::INTS);
    const int side = tensors_.find(name + ".weight")->second.shape[2];
    for (int edge = 0; edge < 4; ++edge) pads.add_ints(side / 2);
    return name;
  }
  std::string normalised(const std::string& name, const std::string& x) {
    auto& node = add_node(
        "BatchNormalization",
        {x, name + ".weight", name + ".bias", name + ".running_mean", name + ".running_var"}, name);
    auto& epsilon = add_attribute(node, "epsilon", onnx::AttributeProto::FLOAT);
    epsilon.set_f(static_cast<float>(engine::norm_epsilon));
    return name;
  }
  std::string relu(const std::string& x) {
    add_node("Relu", {x}, x + ".relu");
    return x + ".relu";
  }
  std::string flattened(const std::string& head, const std::string& x) {
    add_node("Flatten", {x}, head + ".flat");
    return head + ".flat";
  }
  std::string dense(const std::string& name, const std::string& x) { return dense(name, x, name); }
  std::string dense(const std::string& name, const std::string& x, const std::string& output) {
    auto& node = add_node("Gemm", {x, name + ".weight", name + ".bias"}, output);
    add_attribute(node, "transB", onnx::AttributeProto::INT).set_i(1);
    return output;
  }

  onnx::NodeProto& add_node(const std::string& operation, Names inputs, const std::string& output) {
    auto& node = *graph_.add_node();
    node.set_op_type(operation);
    node.set_name(output);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(output);
    return node;
  }
  static onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const std::string& name,
                                             onnx::AttributeProto::AttributeType type) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(type);
    return attribute;
  }
  onnx::GraphProto& graph_;
  const NetworkShape& shape_;
  const Tensors& tensors_;
};

}  // namespace

std::string onnx_bytes(const NetworkFile& file, const std::string& sha256) {
  check(file.shape, file.tensors);
  onnx::ModelProto model;
  model.set_ir_version(ir_version);
  model.set_producer_name("pitboss");
  model.add_opset_import()->set_version(opset);
  model.mutable_graph()->set_name(file.game);
  Graph(*model.mutable_graph(), file.shape, file.tensors).network();
  auto metadata = engine::network_metadata(file);
  metadata["sha256"] = sha256;
  for (const auto& [key, value] : metadata) {
    auto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  return model.SerializeAsString();
}

}  // namespace pitboss::clients
