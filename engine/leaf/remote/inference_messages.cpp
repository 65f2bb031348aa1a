#include "engine/leaf/remote/inference_messages.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <span>
#include <stdexcept>

namespace pitboss::engine {

static_assert(std::endian::native == std::endian::little, "raw tensors are little-endian");

namespace {

using Shape = google::protobuf::RepeatedField<std::int64_t>;

std::string text_of(const Shape& shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) text += (text.size() > 1 ? "," : "") + std::to_string(size);
  return text + "]";
}

/// Copies the numbers of output `name` of each position to its logits from `first` on.
void read_output(const inference::ModelInferResponse& reply, const std::string& name,
                 std::size_t numbers, std::size_t first, std::vector<std::vector<float>>& logits) {
  const auto& outputs = reply.outputs();
  const auto found =
      std::ranges::find_if(outputs, [&](const auto& output) { return output.name() == name; });
  if (found == outputs.end()) throw std::runtime_error("the reply lacks the output '" + name + "'");
  if (found->datatype() != "FP32") {
    throw std::runtime_error("output '" + name + "' is " + found->datatype() + ", not FP32");
  }
  const auto positions = static_cast<std::int64_t>(logits.size());
  const auto& shape = found->shape();
  if (shape.size() != 2 || shape[0] != positions ||
      shape[1] != static_cast<std::int64_t>(numbers)) {
    throw std::runtime_error("output '" + name + "' has the shape " + text_of(shape) + ", not [" +
                             std::to_string(positions) + "," + std::to_string(numbers) + "]");
  }
  const std::size_t count = logits.size() * numbers;
  const char* bytes = nullptr;
  std::size_t size = 0;
  if (const int place = static_cast<int>(found - outputs.begin());
      reply.raw_output_contents_size() > place) {
    bytes = reply.raw_output_contents(place).data();
    size = reply.raw_output_contents(place).size();
  } else {
    const auto& typed = found->contents().fp32_contents();
    bytes = reinterpret_cast<const char*>(typed.data());
    size = static_cast<std::size_t>(typed.size()) * sizeof(float);
  }
  if (size != count * sizeof(float)) {
    throw std::runtime_error("output '" + name + "' has " + std::to_string(size / sizeof(float)) +
                             " numbers, not " + std::to_string(count));
  }
  for (std::size_t i = 0; i < logits.size(); ++i) {
    std::memcpy(logits[i].data() + first, bytes + i * numbers * sizeof(float),
                numbers * sizeof(float));
  }
}

constexpr const char* packed_input = "bits";

/// Bytes of a position's planes, as numbers and packed.
std::size_t numbers_size(const NetworkShape& shape) {
  return static_cast<std::size_t>(shape.inputs()) * sizeof(float);
}
std::size_t packed_size(const NetworkShape& shape) {
  return (static_cast<std::size_t>(shape.inputs()) + 7) / 8;
}

void append_bits(const std::vector<float>& planes, std::string& bytes) {
  for (std::size_t first = 0; first < planes.size(); first += 8) {
    const std::size_t end = std::min(first + 8, planes.size());
    unsigned byte = 0;
    for (std::size_t i = first; i < end; ++i) byte |= (planes[i] != 0 ? 1U : 0U) << (i - first);
    bytes += static_cast<char>(byte);
  }
}

/// A property of the model; empty if the server does not tell it.
std::string property(const inference::ModelMetadataResponse& metadata, const std::string& name) {
  const auto told = metadata.properties().find(name);
  return told == metadata.properties().end() ? "" : told->second;
}

void check_tensor(const google::protobuf::RepeatedPtrField<
                      inference::ModelMetadataResponse::TensorMetadata>& tensors,
                  const std::string& name, const std::vector<int>& sizes) {
  if (tensors.empty()) return;
  const auto found =
      std::ranges::find_if(tensors, [&](const auto& tensor) { return tensor.name() == name; });
  if (found == tensors.end())
    throw std::runtime_error("the network there lacks the tensor '" + name + "'");
  const auto& shape = found->shape();
  // Some servers leave out the dimension of the batch.
  const int batch = shape.size() - static_cast<int>(sizes.size());
  bool fits = batch == 0 || batch == 1;
  for (int i = 0; fits && i < static_cast<int>(sizes.size()); ++i) {
    fits = shape[batch + i] == sizes[static_cast<std::size_t>(i)] || shape[batch + i] == -1;
  }
  if (!fits)
    throw std::runtime_error("the network's '" + name + "' has the shape " + text_of(shape));
}

}  // namespace

inference::ModelInferRequest request_for(const std::string& name, const NetworkShape& shape,
                                         const std::vector<const std::vector<float>*>& positions,
                                         const std::string& id, bool takes_bits) {
  inference::ModelInferRequest request;
  request.set_model_name(name);
  request.set_id(id);
  auto& input = *request.add_inputs();
  input.set_name(takes_bits ? packed_input : "planes");
  input.set_datatype(takes_bits ? "UINT8" : "FP32");
  input.add_shape(static_cast<std::int64_t>(positions.size()));
  if (takes_bits) {
    input.add_shape(static_cast<std::int64_t>(packed_size(shape)));
  } else {
    for (const int size : {shape.planes, shape.rows, shape.columns}) input.add_shape(size);
  }
  request.add_outputs()->set_name("values");
  request.add_outputs()->set_name("policy");
  std::string& raw = *request.add_raw_input_contents();
  raw.reserve(positions.size() * (takes_bits ? packed_size(shape) : numbers_size(shape)));
  for (const std::vector<float>* position : positions) {
    if (takes_bits) {
      append_bits(*position, raw);
    } else {
      raw.append(reinterpret_cast<const char*>(position->data()), numbers_size(shape));
    }
  }
  return request;
}

std::vector<std::vector<float>> logits_in(const inference::ModelInferResponse& reply,
                                          const NetworkShape& shape, std::size_t positions,
                                          const std::string& id) {
  if (!reply.id().empty() && reply.id() != id) {  // some servers leave it out
    throw std::runtime_error("the reply answers another request");
  }
  std::vector<std::vector<float>> logits(
      positions, std::vector<float>(static_cast<std::size_t>(shape.outputs())));
  const auto values = static_cast<std::size_t>(shape.values);
  read_output(reply, "values", values, 0, logits);
  read_output(reply, "policy", static_cast<std::size_t>(shape.policy), values, logits);
  for (const auto& numbers : logits) {
    if (!std::ranges::all_of(numbers, [](float x) { return std::isfinite(x); })) {
      throw std::runtime_error("the reply has values that are not finite numbers");
    }
  }
  return logits;
}

ServerTerms terms_in(const inference::ModelMetadataResponse& metadata, const NetworkShape& shape) {
  const auto bytes = static_cast<std::size_t>(shape.inputs() + shape.outputs()) * sizeof(float);
  ServerTerms terms;
  terms.most = std::max<std::size_t>(1, most_message_bytes / 2 / bytes);
  const std::string text = property(metadata, "max_batch_size");
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && number > 0) terms.most = std::min(terms.most, number);
  terms.takes_bits = property(metadata, "packed_input") == packed_input;
  // More than twice what the networks of data/networks differ by (docs/evaluator.md).
  const std::string precision = property(metadata, "precision");
  if (precision == "half") terms.tolerance = 0.05F;
  if (precision == "bfloat16") terms.tolerance = 0.5F;
  return terms;
}

void check_metadata(const inference::ModelMetadataResponse& metadata, const NetworkShape& shape,
                    const std::string& sha256) {
  check_tensor(metadata.inputs(), "planes", {shape.planes, shape.rows, shape.columns});
  check_tensor(metadata.outputs(), "values", {shape.values});
  check_tensor(metadata.outputs(), "policy", {shape.policy});
  if (const std::string hash = property(metadata, "sha256"); !hash.empty() && hash != sha256) {
    throw std::runtime_error("the network's SHA-256 there is " + hash + ", not " + sha256);
  }
}

}  // namespace pitboss::engine
