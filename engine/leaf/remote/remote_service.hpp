#pragma once

#include <array>
#include <cstdint>
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
        reservation(local->budget, MemoryBudget::Kind::networks, local->cache_bytes),
        cache(key_words(local->network.shape()),
              static_cast<std::size_t>(local->network.shape().outputs()), local->cache_bytes) {}
  virtual ~RemoteNetwork() = default;
  RemoteNetwork(const RemoteNetwork&) = delete;
  RemoteNetwork& operator=(const RemoteNetwork&) = delete;

  /// Has a position evaluated. Calls `arrived` once, at the latest when the deadline of the service
  /// is over: from any thread, perhaps within this call. It must not block.
  virtual void ask(std::vector<float> planes, Arrived arrived) = 0;

  const std::shared_ptr<const LoadedNetwork> local;  ///< that the servers have to agree with
  const Reservation reservation;                     ///< for the cache
  EvaluationCache cache;  ///< what servers have answered, apart from the evaluations of `local`
};

/// A server that evaluates networks, and what it was asked.
struct RemoteServer {
  std::string url;
  std::string breaker;        ///< closed: it is asked; open: it is not; trial: it is tried again
  std::int64_t requests = 0;  ///< that were answered
  std::int64_t positions = 0;
  int largest_batch = 0;
  std::int64_t failures = 0;
  std::int64_t deadline_misses = 0;  ///< of the failures
  /// Milliseconds of the last 1024 answers, by the share of answers that took no longer.
  std::array<std::pair<double, double>, 3> latency_ms{};
  std::string last_error{};  ///< a sentence; also of a network that it does not have
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
  /// The state of each server, in the order in which they were given.
  [[nodiscard]] virtual std::vector<RemoteServer> servers() const = 0;
  /// Positions that no server has answered.
  [[nodiscard]] virtual std::int64_t unanswered() const = 0;
  /// One line of JSON: the state of each server, and what it was asked.
  [[nodiscard]] virtual std::string report() const = 0;
};

}  // namespace pitboss::engine
