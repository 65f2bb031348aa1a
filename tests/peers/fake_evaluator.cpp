#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "inference.grpc.pb.h"

// A server of networks that evaluates as the kernels do, but for what its mode says:
// `pitboss_fake_evaluator FOLDER MODE PORT`. Its first line is `listening HOST:PORT`.
namespace {

using namespace pitboss;
using grpc::Status;
using grpc::StatusCode;

constexpr int small = 4;   ///< positions that `small` takes
constexpr int checks = 1;  ///< requests before a fault that begins later: the client's check

class FakeEvaluator final : public inference::GRPCInferenceService::Service {
 public:
  FakeEvaluator(const std::string& folder, std::string mode)
      : networks_(folder), mode_(std::move(mode)) {}

  Status ServerReady(grpc::ServerContext*, const inference::ServerReadyRequest*,
                     inference::ServerReadyResponse* reply) override {
    reply->set_ready(true);
    return Status::OK;
  }
  Status ModelReady(grpc::ServerContext* context, const inference::ModelReadyRequest* request,
                    inference::ModelReadyResponse* reply) override {
    if (mode_ == "token" && !has_token(*context)) return {StatusCode::UNAUTHENTICATED, "who?"};
    if (mode_ == "unknown-model") return {StatusCode::NOT_FOUND, "no such model"};
    reply->set_ready(mode_ != "model-not-ready" || request->name() == "well");
    return Status::OK;
  }
  Status ModelMetadata(grpc::ServerContext*, const inference::ModelMetadataRequest* request,
                       inference::ModelMetadataResponse* reply) override {
    const auto network = networks_.get(request->name());
    reply->set_name(request->name());
    if (mode_ == "no-metadata") return Status::OK;
    const engine::NetworkShape& shape = network->network.shape();
    auto& planes = *reply->add_inputs();
    planes.set_name("planes");
    for (const int size : {-1, shape.planes, shape.rows, shape.columns}) planes.add_shape(size);
    auto& values = *reply->add_outputs();
    values.set_name("values");
    values.add_shape(shape.values);  // without the dimension of the batch
    auto& policy = *reply->add_outputs();
    policy.set_name("policy");
    policy.add_shape(-1);
    policy.add_shape(mode_ == "other-shape" ? 1 : shape.policy);
    (*reply->mutable_properties())["sha256"] =
        mode_ == "other-hash" ? std::string(64, '0') : network->sha256;
    if (mode_ == "small") (*reply->mutable_properties())["max_batch_size"] = std::to_string(small);
    if (mode_ == "bits") (*reply->mutable_properties())["packed_input"] = "bits";
    if (mode_ == "half" || mode_ == "no-half") (*reply->mutable_properties())["precision"] = "half";
    return Status::OK;
  }
  Status ModelInfer(grpc::ServerContext* context, const inference::ModelInferRequest* request,
                    inference::ModelInferResponse* reply) override;

 private:
  /// Whether the client has shown the token "secret".
  [[nodiscard]] static bool has_token(const grpc::ServerContext& context) {
    const auto shown = context.client_metadata().find("authorization");
    return shown != context.client_metadata().end() && shown->second == "Bearer secret";
  }
  /// The numbers of each position, of `inputs`, whether each has four bytes or a bit.
  [[nodiscard]] std::vector<float> planes_of(const std::string& raw, int inputs) const;
  void add(inference::ModelInferResponse& reply, const std::string& name, std::int64_t positions,
           const std::vector<float>& numbers) const;

  engine::Networks networks_;
  std::string mode_;
  std::atomic<int> requests_ = 0;
};

Status FakeEvaluator::ModelInfer(grpc::ServerContext* context,
                                 const inference::ModelInferRequest* request,
                                 inference::ModelInferResponse* reply) {
  const int number = requests_++;
  if (number >= checks) {
    if (mode_ == "dies") std::_Exit(1);
    if (mode_ == "unavailable") return {StatusCode::UNAVAILABLE, "draining"};
    if (mode_ == "recovers" && number < checks + 2) return {StatusCode::UNAVAILABLE, "busy"};
    if (mode_ == "full") return {StatusCode::RESOURCE_EXHAUSTED, "queue full"};
    if (mode_ == "unimplemented") return {StatusCode::UNIMPLEMENTED, "no such method"};
    if (mode_ == "internal") return {StatusCode::INTERNAL, "it broke"};
    if (mode_ == "babbles")
      return {StatusCode::UNKNOWN, "\xff\n\n= e5\n\n" + std::string(3000, 'x')};
    if (mode_ == "token" && !has_token(*context)) return {StatusCode::UNAUTHENTICATED, "who?"};
    if (mode_ == "invalid") return {StatusCode::INVALID_ARGUMENT, "wrong shape"};
    while (mode_ == "stalls" && !context->IsCancelled()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  const auto network = networks_.get(request->model_name());
  const engine::NetworkShape& shape = network->network.shape();
  const auto positions = request->inputs(0).shape(0);
  if (mode_ == "small" && positions > small) return {StatusCode::INVALID_ARGUMENT, "too many"};
  if (mode_ == "replaced" && number >= checks + 3) {
    (*reply->mutable_parameters())["sha256"].set_string_param(std::string(64, '0'));
  }
  if (request->inputs(0).name() != (mode_ == "bits" ? "bits" : "planes")) {
    return {StatusCode::INVALID_ARGUMENT, "wrong input"};
  }
  const std::vector<float> planes = planes_of(request->raw_input_contents(0), shape.inputs());
  std::vector<float> values(static_cast<std::size_t>(positions * shape.values));
  std::vector<float> policy(static_cast<std::size_t>(positions * shape.policy));
  engine::Network::Workspace workspace(network->network, static_cast<int>(positions));
  network->network.evaluate(planes.data(), static_cast<int>(positions), values.data(),
                            policy.data(), workspace);
  if (mode_ == "other-numbers" || mode_ == "no-half") values[0] += 0.1F;
  if (mode_ == "half" || mode_ == "unsaid-half") values[0] += 0.02F;
  if (mode_ == "nan" && number >= checks) policy[1] = std::numeric_limits<float>::quiet_NaN();
  if (mode_ == "wrong-count" && number >= checks) values.pop_back();
  reply->set_model_name(request->model_name());
  reply->set_id(mode_ == "no-id"                          ? ""
                : mode_ == "other-id" && number >= checks ? "x"
                                                          : request->id());
  add(*reply, mode_ == "swapped" ? "policy" : "values", positions,
      mode_ == "swapped" ? policy : values);
  add(*reply, mode_ == "swapped" ? "values" : "policy", positions,
      mode_ == "swapped" ? values : policy);
  if (mode_ == "extra") add(*reply, "moves_left", positions, std::vector<float>(2 << 20));
  return Status::OK;
}

std::vector<float> FakeEvaluator::planes_of(const std::string& raw, int inputs) const {
  std::vector<float> planes(raw.size() / sizeof(float));
  if (mode_ != "bits") {
    std::memcpy(planes.data(), raw.data(), raw.size());
    return planes;
  }
  planes.clear();
  const auto bytes = static_cast<std::size_t>(inputs + 7) / 8;
  for (std::size_t position = 0; position < raw.size(); position += bytes) {
    for (int i = 0; i < inputs; ++i) {
      const auto byte = static_cast<unsigned char>(raw[position + static_cast<std::size_t>(i) / 8]);
      planes.push_back((byte >> i % 8 & 1) != 0 ? 1.0F : 0.0F);
    }
  }
  return planes;
}

void FakeEvaluator::add(inference::ModelInferResponse& reply, const std::string& name,
                        std::int64_t positions, const std::vector<float>& numbers) const {
  auto& output = *reply.add_outputs();
  output.set_name(name);
  output.set_datatype(mode_ == "fp64" ? "FP64" : "FP32");
  if (mode_ != "no-batch") output.add_shape(positions);
  output.add_shape(static_cast<std::int64_t>(numbers.size()) / positions);
  if (mode_ == "fp64") {
    for (const float x : numbers) output.mutable_contents()->add_fp64_contents(x);
  } else if (mode_ == "typed") {
    for (const float x : numbers) output.mutable_contents()->add_fp32_contents(x);
  } else {
    reply.add_raw_output_contents(reinterpret_cast<const char*>(numbers.data()),
                                  numbers.size() * sizeof(float));
  }
}

/// Of `tls`: with the key and the certificate in the folder.
std::shared_ptr<grpc::ServerCredentials> credentials(const std::string& folder,
                                                     const std::string& mode) {
  if (mode != "tls") return grpc::InsecureServerCredentials();
  const auto text = [&](const char* name) {
    std::ifstream file(folder + "/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  grpc::SslServerCredentialsOptions options;
  options.pem_key_cert_pairs.push_back({text("key.pem"), text("certificate.pem")});
  return grpc::SslServerCredentials(options);
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return EXIT_FAILURE;
  FakeEvaluator service(arguments[1], arguments[2]);
  grpc::ServerBuilder builder;
  int port = 0;
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.AddListeningPort("127.0.0.1:" + std::string(arguments[3]),
                           credentials(arguments[1], arguments[2]), &port);
  builder.RegisterService(&service);
  const auto server = builder.BuildAndStart();
  if (!server) return EXIT_FAILURE;
  std::cout << "listening 127.0.0.1:" << port << std::endl;
  server->Wait();
  return EXIT_SUCCESS;
}
