#include "engine/leaf/remote/connection.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "engine/leaf/remote/inference_messages.hpp"
#include "environment/loopback.hpp"
#include "games/text_file.hpp"
#include "inference.grpc.pb.h"

namespace pitboss::engine {

namespace {

std::string certificates_in(const std::string& name) {
  std::string text = games::read_text_file(name);
  if (text.find("BEGIN CERTIFICATE") == std::string::npos) {
    throw std::runtime_error("there are no certificates in '" + name + "'");
  }
  return text;
}

/// SCHEME://HOST:PORT.
struct Url {
  std::string scheme;  ///< empty: the text is none
  std::string host;    ///< without brackets
  std::string address;
};

Url url_in(const std::string& text) {
  const auto end = text.find("://");
  if (end == std::string::npos) return {};
  const std::string address = text.substr(end + 3);
  const auto colon = address.rfind(':');
  const std::string port = colon == std::string::npos ? "" : address.substr(colon + 1);
  const std::string host = address.substr(0, std::min(colon, address.size()));
  const bool has_port = !port.empty() && port.size() <= 5 &&
                        port.find_first_not_of("0123456789") == std::string::npos &&
                        std::stoi(port) > 0 && std::stoi(port) < 65536;
  const bool is_v6 = host.size() > 2 && host.front() == '[' && host.back() == ']';
  const bool is_host =
      is_v6 || (!host.empty() && host.find_first_of("[]:/@, \t") == std::string::npos);
  if (!has_port || !is_host) return {};
  return {text.substr(0, end), is_v6 ? host.substr(1, host.size() - 2) : host, address};
}

/// Sets which proxy a channel to the host goes through: never one to this machine, elsewhere the
/// one that is named, which may have USER:PASSWORD@ before its host. What the environment says of
/// proxies is meant for browsers.
void set_proxy(grpc::ChannelArguments& arguments, const std::string& host,
               const std::string& proxy) {
  if (!proxy.empty()) {
    const auto at = proxy.rfind('@');
    const bool has_user = at != std::string::npos;
    const auto begin = proxy.find("://");
    const std::string plain =
        has_user && begin < at ? proxy.substr(0, begin + 3) + proxy.substr(at + 1) : proxy;
    if (url_in(plain).scheme != "http") {
      throw std::runtime_error("the proxy of evaluators must be http://HOST:PORT, not '" + plain +
                               "'");
    }
  }
  const bool has_proxy = !proxy.empty() && !environment::is_loopback(host);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, has_proxy ? 1 : 0);
  if (has_proxy) arguments.SetString(GRPC_ARG_HTTP_PROXY, proxy);
}

std::shared_ptr<grpc::Channel> channel_to(const std::string& url, const ConnectionTerms& terms) {
  const auto& [kind, host, address] = url_in(url);
  if (kind != "grpc" && kind != "grpcs") {
    throw std::runtime_error("an evaluator must be grpc://HOST:PORT or grpcs://HOST:PORT, not '" +
                             url + "'");
  }
  if (!terms.token.empty() && kind == "grpc" && !environment::is_loopback(host)) {
    throw std::runtime_error("a token goes to other machines by grpcs:// only, not to '" + url +
                             "'");
  }
  grpc::ChannelArguments arguments;
  set_proxy(arguments, host, terms.proxy);
  arguments.SetMaxReceiveMessageSize(most_message_bytes);
  arguments.SetMaxSendMessageSize(most_message_bytes);
  // The breaker decides when to come back, not the channel.
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 50);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 2000);  // time for one attempt
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1000);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  if (kind == "grpc") {
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  }
  grpc::SslCredentialsOptions tls;
  if (!terms.ca_file.empty()) tls.pem_root_certs = certificates_in(terms.ca_file);
  return grpc::CreateCustomChannel(address, grpc::SslCredentials(tls), arguments);
}

/// Whether a status says that the server lacks the network, or takes no such positions. What is no
/// evaluator, such as a server of HTTP that knows no such path, is UNIMPLEMENTED to gRPC.
bool is_refusal(grpc::StatusCode code) {
  return code == grpc::StatusCode::NOT_FOUND || code == grpc::StatusCode::INVALID_ARGUMENT;
}

}  // namespace

struct Connection::Parts {
  Parts(const std::string& url, const ConnectionTerms& terms)
      : authorization(terms.token.empty() ? "" : "Bearer " + terms.token),
        stub(inference::GRPCInferenceService::NewStub(channel_to(url, terms))) {}

  /// Makes a call, and throws if it fails.
  template <class Request, class Reply>
  Reply call(grpc::Status (inference::GRPCInferenceService::Stub::*method)(grpc::ClientContext*,
                                                                           const Request&, Reply*),
             const Request& request, TimePoint deadline) {
    grpc::ClientContext context;
    context.set_deadline(deadline);
    if (!authorization.empty()) context.AddMetadata("authorization", authorization);
    {
      const std::scoped_lock lock(mutex);
      if (is_cancelled) throw ServerFailure("the client of the evaluators ends", false);
      calls.insert(&context);
    }
    Reply reply;
    const grpc::Status status = (stub.get()->*method)(&context, request, &reply);
    {
      const std::scoped_lock lock(mutex);
      calls.erase(&context);
    }
    if (status.ok()) return reply;
    const bool is_late = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED;
    const std::string text = is_late ? "no answer in time" : status.error_message();
    if (is_refusal(status.error_code())) throw NetworkRefusal(text);
    if (status.error_code() == grpc::StatusCode::INTERNAL) throw NetworkFailure(text);
    throw ServerFailure(text, is_late);
  }

  const std::string authorization;
  const std::unique_ptr<inference::GRPCInferenceService::Stub> stub;
  std::atomic<std::uint64_t> last_id = 0;
  std::mutex mutex;  ///< guards what follows
  std::set<grpc::ClientContext*> calls;
  bool is_cancelled = false;
};

Connection::Connection(const std::string& url, const ConnectionTerms& terms)
    : parts_(std::make_unique<Parts>(url, terms)) {}
Connection::~Connection() = default;

using Stub = inference::GRPCInferenceService::Stub;

void Connection::probe(TimePoint deadline) {
  const auto reply = parts_->call(&Stub::ServerReady, inference::ServerReadyRequest{}, deadline);
  if (!reply.ready()) throw ServerFailure("the server is not ready", false);
}

ServerTerms Connection::check(const LoadedNetwork& network,
                              const std::vector<std::vector<float>>& samples, TimePoint deadline) {
  inference::ModelReadyRequest ready;
  ready.set_name(network.name);
  if (!parts_->call(&Stub::ModelReady, ready, deadline).ready()) {
    throw NetworkFailure("the network is not ready");
  }
  inference::ModelMetadataRequest about;
  about.set_name(network.name);
  const NetworkShape& shape = network.network.shape();
  const auto metadata = parts_->call(&Stub::ModelMetadata, about, deadline);
  try {
    check_metadata(metadata, shape, network.sha256);
  } catch (const std::runtime_error& error) {
    throw NetworkRefusal(error.what());
  }
  const ServerTerms terms = terms_in(metadata, shape);
  std::vector<const std::vector<float>*> positions;
  for (const auto& sample : samples) positions.push_back(&sample);
  const auto logits = evaluate(network, positions, terms, deadline);
  Network::Workspace workspace(network.network, 1);
  std::vector<float> own(static_cast<std::size_t>(shape.outputs()));
  for (std::size_t i = 0; i < samples.size(); ++i) {
    network.network.evaluate(samples[i].data(), 1, own.data(), own.data() + shape.values,
                             workspace);
    const auto is_alike = [&](float a, float b) {
      return std::abs(a - b) <= terms.tolerance * std::max(1.0F, std::abs(a));
    };
    if (!std::ranges::equal(own, logits[i], is_alike)) {
      throw NetworkRefusal(
          "the evaluator computes other numbers than the network of that name here");
    }
  }
  return terms;
}

std::vector<std::vector<float>> Connection::evaluate(
    const LoadedNetwork& network, const std::vector<const std::vector<float>*>& positions,
    const ServerTerms& terms, TimePoint deadline) {
  const std::string id = std::to_string(++parts_->last_id);
  const NetworkShape& shape = network.network.shape();
  const auto request = request_for(network.name, shape, positions, id, terms.takes_bits);
  const auto reply = parts_->call(&Stub::ModelInfer, request, deadline);
  if (const auto told = reply.parameters().find("sha256");
      told != reply.parameters().end() && told->second.string_param() != network.sha256) {
    throw NetworkRefusal("the evaluator has exchanged the network for that of SHA-256 " +
                         told->second.string_param());
  }
  try {
    return logits_in(reply, shape, positions.size(), id);
  } catch (const std::runtime_error& error) {
    throw NetworkFailure(error.what());
  }
}

void Connection::cancel() {
  const std::scoped_lock lock(parts_->mutex);
  parts_->is_cancelled = true;
  for (grpc::ClientContext* const call : parts_->calls) call->TryCancel();
}

}  // namespace pitboss::engine
