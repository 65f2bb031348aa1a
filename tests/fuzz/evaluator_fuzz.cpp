#include <cmath>
#include <stdexcept>
#include <string>

#include "engine/leaf/remote/inference_messages.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// The first byte says how many positions were sent; the rest are an evaluator's reply and, read
/// once more, what it tells of its network. Only logits that are numbers come through, as many as
/// there have to be.
namespace pitboss::fuzzing {

namespace {

engine::NetworkShape shape() { return engine::NetworkShape::tower(2, 2, 2, 3, 2, 1, 1); }

void read_reply(std::string_view bytes, std::size_t positions) {
  inference::ModelInferResponse reply;
  if (!reply.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  try {
    const auto logits = engine::logits_in(reply, shape(), positions, "7");
    require(logits.size() == positions, "every position has logits");
    for (const auto& numbers : logits) {
      require(numbers.size() == static_cast<std::size_t>(shape().outputs()), "logits are complete");
      for (const float x : numbers) require(std::isfinite(x), "logits are numbers");
    }
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

void read_metadata(std::string_view bytes) {
  inference::ModelMetadataResponse metadata;
  if (!metadata.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return;
  try {
    require(engine::terms_in(metadata, shape()).most > 0, "a request may have a position");
    engine::check_metadata(metadata, shape(), "5e");
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace

void read_bytes(std::string_view bytes) {
  if (bytes.empty()) return;
  constexpr unsigned most = 4;
  const std::size_t positions = 1 + static_cast<unsigned char>(bytes[0]) % most;
  read_reply(bytes.substr(1), positions);
  read_metadata(bytes.substr(1));
}

}  // namespace pitboss::fuzzing
