#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/remote/server_terms.hpp"

namespace pitboss::engine {

/// A server has not answered as it should; perhaps it will.
class ServerFailure : public std::runtime_error {
 public:
  ServerFailure(const std::string& text, bool was_late) : runtime_error(text), is_late(was_late) {}
  bool is_late;  ///< the deadline was over
};
/// The same of one network: others may be well on that server.
class NetworkFailure : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};
/// A server does not have the network, or has another one: asking again is of no use.
class NetworkRefusal : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

/// What holds for the connections to all servers.
struct ConnectionTerms {
  std::string ca_file{};  ///< see EvaluatorSettings
  std::string token{};    ///< shown with every call, unless it is empty
  std::string proxy{};    ///< see EvaluatorSettings
};

/// A connection to one server. Any thread may call the members; each call blocks until the answer
/// is there or the deadline is over, and throws ServerFailure, NetworkFailure or NetworkRefusal,
/// whose text may be what the server has sent. Only what the server says of the network itself is a
/// refusal.
class Connection {
 public:
  using TimePoint = std::chrono::system_clock::time_point;

  /// Throws std::runtime_error for what is no URL of an evaluator or of a proxy, and for a token
  /// that would go to another machine without TLS.
  Connection(const std::string& url, const ConnectionTerms& terms);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Whether the server says that it is ready.
  void probe(TimePoint deadline);
  /// Whether it has this network: what it tells of the model, and the logits that it gives the
  /// samples, are those of the local network. Returns how it takes positions.
  [[nodiscard]] ServerTerms check(const LoadedNetwork& network,
                                  const std::vector<std::vector<float>>& samples,
                                  TimePoint deadline);
  /// The logits of each position, values before policy. The terms are those of `check`.
  [[nodiscard]] std::vector<std::vector<float>> evaluate(
      const LoadedNetwork& network, const std::vector<const std::vector<float>*>& positions,
      const ServerTerms& terms, TimePoint deadline);
  /// Ends all calls, now and later.
  void cancel();

 private:
  struct Parts;
  const std::unique_ptr<Parts> parts_;
};

}  // namespace pitboss::engine
