#include "clients/networks/triton.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace pitboss::clients {

namespace {

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '_' || c == '-';
}

/// An input or output. Its sizes are those of one position: Triton prepends the batch's size.
std::string tensor(const std::string& kind, const std::string& name,
                   std::initializer_list<int> sizes) {
  std::string dims;
  for (const int size : sizes) dims += (dims.empty() ? "" : ", ") + std::to_string(size);
  return kind + " { name: \"" + name + "\" data_type: TYPE_FP32 dims: [ " + dims + " ] }\n";
}

}  // namespace

std::string triton_config(const engine::NetworkFile& file, const std::string& name,
                          const std::string& sha256) {
  if (name.empty() || name.front() == '.' || !std::ranges::all_of(name, is_name_character)) {
    throw engine::BadNetwork(
        "'" + name + "' cannot be the name of a model: use letters, digits, '.', '_' and '-'");
  }
  const engine::NetworkShape& shape = file.shape;
  return "name: \"" + name +
         "\"\nbackend: \"onnxruntime\"\nmax_batch_size: " + std::to_string(triton_batch) + "\n" +
         tensor("input", "planes", {shape.planes, shape.rows, shape.columns}) +
         tensor("output", "policy", {shape.policy}) + tensor("output", "values", {shape.values}) +
         "dynamic_batching { }\nparameters { key: \"sha256\" value { string_value: \"" + sha256 +
         "\" } }\n";
}

}  // namespace pitboss::clients
