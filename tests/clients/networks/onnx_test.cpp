#include "clients/networks/onnx.hpp"

#include <doctest/doctest.h>
#include <onnx/onnx_pb.h>

#include <cstdlib>
#include <map>

#include "engine/leaf/network/network.hpp"
#include "games/any_game.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/leaf/network/weights.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {
namespace {

using engine::NetworkFile;
using engine::NetworkShape;
using Sizes = std::vector<std::int64_t>;

NetworkFile file_of(const NetworkShape& shape) {
  NetworkFile file;
  file.game = "othello";
  file.parameters = "size=6";
  file.shape = shape;
  file.tensors = tests::learned_weights(shape, 5);
  return file;
}

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
  const NetworkFile file = file_of(NetworkShape::paper(4, 6, 6, 37, 2));
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
  const NetworkFile file = file_of(NetworkShape::tower(4, 6, 6, 37, 2, 2, 8));
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
  NetworkFile file = file_of(NetworkShape::paper(4, 6, 6, 37, 2));
  file.tensors.erase("value.fc2.bias");
  CHECK_THROWS_WITH_AS((void)onnx_bytes(file, ""), "The network lacks the tensor value.fc2.bias.",
                       engine::BadNetwork);
}

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

/// Has ONNX Runtime compare what it computes with what our kernels do.
void check_by_onnx_runtime(const std::string& python, const NetworkShape& shape) {
  constexpr int batch = 9;
  const NetworkFile file = file_of(shape);
  const auto planes = tests::random_planes(shape, batch, 11);
  std::vector<float> policy(static_cast<std::size_t>(batch) * shape.policy);
  std::vector<float> values(static_cast<std::size_t>(batch) * shape.values);
  const engine::Network network(shape, file.tensors);
  engine::Network::Workspace workspace(network, batch);
  network.evaluate(planes.data(), batch, values.data(), policy.data(), workspace);

  const ScratchFolder folder;
  write_text(folder / "network.onnx", onnx_bytes(file, "5ba0"));
  write_text(folder / "planes", bytes_of(planes));
  write_text(folder / "policy", bytes_of(policy));
  write_text(folder / "values", bytes_of(values));
  peers::Process check({python, PITBOSS_PYTHON "/check_onnx.py", folder / "network.onnx",
                        folder / "planes", folder / "policy", folder / "values"});
  const int code = check.wait();
  CAPTURE(check.output());
  CAPTURE(check.errors());
  CHECK(code == 0);
  CHECK(check.output().starts_with("9 positions"));

  values[3] += 0.001F;  // which the script has to see
  write_text(folder / "values", bytes_of(values));
  peers::Process wrong({python, PITBOSS_PYTHON "/check_onnx.py", folder / "network.onnx",
                        folder / "planes", folder / "policy", folder / "values"});
  CHECK(wrong.wait() == 1);
}

TEST_CASE("onnx_bytes: ONNX Runtime computes what the kernels do") {
  const char* const python = std::getenv("PITBOSS_ONNX_PYTHON");
  if (!python) {
    MESSAGE("skipped: PITBOSS_ONNX_PYTHON is not set (`./dev onnxruntime` makes such a Python)");
    return;
  }
  check_by_onnx_runtime(python, NetworkShape::paper(4, 8, 8, 65, 2));
  check_by_onnx_runtime(python, NetworkShape::paper(4, 7, 6, 7, 2));  // an oblong board
  check_by_onnx_runtime(python, NetworkShape::tower(8, 8, 8, 64, 4, 3, 24));
  NetworkShape widening = NetworkShape::tower(6, 5, 9, 1081, 2, 2, 16);
  widening.filters = {16, 32, 32};
  check_by_onnx_runtime(python, widening);
}

}  // namespace
}  // namespace pitboss::clients
