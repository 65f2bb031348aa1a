#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/network/networks.hpp"

namespace pitboss::engine {

/// What became of a position that another machine was to evaluate.
struct RemoteAnswer {
  std::span<const float> logits;  ///< values, then policy; empty if no server has answered
  std::string error;              ///< a sentence: why none has
  /// Every server there is has refused the network: it has none of that name, or another one.
  bool is_refused = false;
};

/// A network that servers evaluate. Any thread may call the members.
class RemoteNetwork {
 public:
  using Arrived = std::function<void(const RemoteAnswer&)>;

  explicit RemoteNetwork(std::shared_ptr<const LoadedNetwork> network)
      : local(std::move(network)),
        cache(key_words(local->network.shape()),
              static_cast<std::size_t>(local->network.shape().outputs()), local->cache_bytes) {}
  virtual ~RemoteNetwork() = default;
  RemoteNetwork(const RemoteNetwork&) = delete;
  RemoteNetwork& operator=(const RemoteNetwork&) = delete;

  /// Has a position evaluated. Calls `arrived` once, at the latest when the deadline of the service
  /// is over: from any thread, perhaps within this call. It must not block.
  virtual void ask(std::vector<float> planes, Arrived arrived) = 0;

  const std::shared_ptr<const LoadedNetwork> local;  ///< that the servers have to agree with
  EvaluationCache cache;  ///< what servers have answered, apart from the evaluations of `local`
};

/// Servers that evaluate networks. Any thread may call the members.
class RemoteService {
 public:
  virtual ~RemoteService() = default;
  /// The network as the servers have it, for a search that begins. `samples` are the planes of
  /// positions: a server has to give them the logits of the local network before it is asked for
  /// others.
  [[nodiscard]] virtual std::shared_ptr<RemoteNetwork> open(
      std::shared_ptr<const LoadedNetwork> network, std::vector<std::vector<float>> samples) = 0;
  /// Whether a search evaluates by itself what no server answers; else it fails.
  [[nodiscard]] virtual bool falls_back() const = 0;
  /// One line of JSON: the state of each server, and what it was asked.
  [[nodiscard]] virtual std::string report() const = 0;
};

}  // namespace pitboss::engine
