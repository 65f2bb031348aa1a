// ONNX Runtime, for those who have it: `./dev onnxruntime` makes a Python that does.

#include <doctest/doctest.h>

#include <cstdlib>

#include "clients/networks/onnx.hpp"
#include "engine/leaf/network/network.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/leaf/network/weights.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"

namespace pitboss::clients {
namespace {

using engine::NetworkFile;
using engine::NetworkShape;

std::string bytes_of(const std::vector<float>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)};
}

/// Has ONNX Runtime compare what it computes with what our kernels do.
void check_by_onnx_runtime(const std::string& python, const NetworkShape& shape) {
  constexpr int batch = 9;
  const NetworkFile file = tests::learned_file(shape);
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
  peers::Process check({python, tests::python_folder() + "/check_onnx.py", folder / "network.onnx",
                        folder / "planes", folder / "policy", folder / "values"});
  const int code = check.wait();
  CAPTURE(check.output());
  CAPTURE(check.errors());
  CHECK(code == 0);
  CHECK(check.output().starts_with("9 positions"));

  values[3] += 0.001F;  // which the script has to see
  write_text(folder / "values", bytes_of(values));
  peers::Process wrong({python, tests::python_folder() + "/check_onnx.py", folder / "network.onnx",
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
