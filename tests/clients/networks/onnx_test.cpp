#include "clients/networks/onnx.hpp"

#include <doctest/doctest.h>
#include <onnx/onnx_pb.h>

#include <map>

#include "games/any_game.hpp"
#include "tests/engine/leaf/network/weights.hpp"

namespace pitboss::clients {
namespace {

using engine::NetworkFile;
using engine::NetworkShape;
using Sizes = std::vector<std::int64_t>;

onnx::ModelProto model_of(const NetworkFile& file) {
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(onnx_bytes(file, "5ba0")));
  return model;
}

/// "planes[N,4,6,6]"
std::string text_of(const onnx::ValueInfoProto& value) {
  std::string text = value.name();
  REQUIRE(value.type().tensor_type().elem_type() == onnx::TensorProto::FLOAT);
  for (const auto& dim : value.type().tensor_type().shape().dim()) {
    text += (text == value.name() ? "[" : ",") +
            (dim.has_dim_param() ? dim.dim_param() : std::to_string(dim.dim_value()));
  }
  return text + "]";
}

TEST_CASE("onnx_bytes: inputs, outputs, metadata and versions") {
  const NetworkFile file = tests::learned_file(NetworkShape::paper(4, 6, 6, 37, 2));
  const auto model = model_of(file);
  CHECK(model.ir_version() == 8);
  REQUIRE(model.opset_import_size() == 1);
  CHECK(model.opset_import(0).version() == 17);
  REQUIRE(model.graph().input_size() == 1);
  REQUIRE(model.graph().output_size() == 2);
  CHECK(text_of(model.graph().input(0)) == "planes[N,4,6,6]");
  CHECK(text_of(model.graph().output(0)) == "policy[N,37]");
  CHECK(text_of(model.graph().output(1)) == "values[N,2]");
  std::map<std::string, std::string> metadata;
  for (const auto& entry : model.metadata_props()) metadata[entry.key()] = entry.value();
  CHECK(metadata["game"] == "othello");
  CHECK(metadata["parameters"] == "size=6");
  CHECK(metadata["layout"] == "natural");
  CHECK(metadata["version"] == "1");
  CHECK(metadata["sha256"] == "5ba0");
  CHECK(onnx_bytes(file, "5ba0") == onnx_bytes(file, "5ba0"));
}

TEST_CASE("onnx_bytes: weights keep their names, shapes and numbers") {
  const NetworkFile file = tests::learned_file(NetworkShape::tower(4, 6, 6, 37, 2, 2, 8));
  const auto model = model_of(file);
  CHECK(model.graph().initializer_size() == static_cast<int>(file.tensors.size()));
  for (const auto& weights : model.graph().initializer()) {
    CAPTURE(weights.name());
    const engine::Tensor& tensor = file.tensors.at(weights.name());
    CHECK(Sizes(weights.dims().begin(), weights.dims().end()) ==
          Sizes(tensor.shape.begin(), tensor.shape.end()));
    const auto* const numbers = reinterpret_cast<const char*>(tensor.data.data());
    CHECK(weights.raw_data() == std::string(numbers, tensor.data.size() * sizeof(float)));
  }
}

TEST_CASE("onnx_bytes: tensors that make no network are refused") {
  NetworkFile file = tests::learned_file(NetworkShape::paper(4, 6, 6, 37, 2));
  file.tensors.erase("value.fc2.bias");
  CHECK_THROWS_WITH_AS((void)onnx_bytes(file, ""), "the network lacks the tensor value.fc2.bias",
                       engine::BadNetwork);
}

}  // namespace
}  // namespace pitboss::clients
