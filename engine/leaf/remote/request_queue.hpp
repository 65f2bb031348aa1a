#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/remote/breaker.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "engine/leaf/remote/server_figures.hpp"
#include "engine/leaf/remote/server_terms.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::engine {

/// A position that waits for its evaluation.
struct WaitingLeaf {
  std::vector<float> planes;
  RemoteNetwork::Arrived arrived;
  environment::AwakeClock::time_point asked;
  std::uint64_t tried = 0;  ///< servers that have failed with it, a bit each
  std::string error{};      ///< of the last of them
};

/// What is known of a network on one server.
struct Offer {
  Breaker breaker;                                ///< of failures that are the network's alone
  ServerTerms terms{};                            ///< as the server has told them last
  environment::AwakeClock::time_point checked{};  ///< when the server has shown that it has it
  bool is_refused = false;
  bool is_out = false;  ///< whether it was told that the server is left out for the network

  [[nodiscard]] bool may_be_asked(environment::AwakeClock::time_point now) const {
    return !is_refused && (breaker.lets_through() || breaker.probe_at() <= now);
  }
};

/// A network and its positions that wait. The members below `samples` are guarded by the queue.
struct QueuedNetwork {
  std::shared_ptr<const LoadedNetwork> network;
  std::vector<std::vector<float>> samples;
  std::deque<WaitingLeaf> leaves{};
  std::vector<Offer> offers{};  ///< by server
  std::string refusal{};        ///< what the last server said that does not have it
};

/// Positions of one network on their way to one server.
struct Request {
  std::shared_ptr<QueuedNetwork> network;
  std::vector<WaitingLeaf> leaves;
  bool is_checked;    ///< whether the server is known to have the network
  ServerTerms terms;  ///< how the server takes it; a guess unless it is checked
  environment::AwakeClock::duration time_left;
};

/// The positions of all searches that wait for servers, and what is known of the servers: who is
/// asked next, when and by whom. It knows no connection. A position goes to a
/// server that has not failed with it yet; when there is none that could be asked, it is answered
/// with the error. Any thread may call the members.
class RequestQueue {
 public:
  using Clock = environment::AwakeClock;
  using TimePoint = Clock::time_point;
  static constexpr std::size_t most_servers = 64;
  /// A network that is in use is checked so often: a server may replace it at any time.
  static constexpr std::chrono::seconds recheck{2};

  RequestQueue(EvaluatorSettings settings, std::uint64_t seed);

  /// Servers that have refused the network are asked once more.
  void reconsider(QueuedNetwork& network);
  void add(const std::shared_ptr<QueuedNetwork>& network, WaitingLeaf leaf);

  /// What a server is to do next: nothing before `wake`, a probe, or a request.
  struct Task {
    std::optional<Request> request{};
    bool is_probe = false;
    TimePoint wake = TimePoint::max();
  };
  [[nodiscard]] Task next(std::size_t server, TimePoint now);
  /// Waits for `add`, `stop` or the time to come; false when stopped.
  bool wait_until(TimePoint time, std::uint64_t seen);
  /// Changes with whatever may give a server something to do.
  [[nodiscard]] std::uint64_t changes();
  void stop();

  // What came of a task. An error is a reason, to which server and network are added.
  void probed(std::size_t server);
  void checked(std::size_t server, const Request& request);  ///< with its terms
  void answered(std::size_t server, Request&& request,
                const std::vector<std::vector<float>>& logits, Clock::duration latency);
  void failed(std::size_t server, std::optional<Request>&& request, const std::string& error,
              bool was_late, TimePoint now);
  /// The fault is the network's: the server may be asked for others.
  void network_failed(std::size_t server, Request&& request, const std::string& error,
                      TimePoint now);
  void refused(std::size_t server, Request&& request, const std::string& error);

  struct ServerState {
    Breaker breaker;
    bool is_probing = false;
    ServerFigures figures{};
  };
  /// Of each server; and how many positions no server has answered.
  [[nodiscard]] std::pair<std::vector<ServerState>, std::int64_t> states();

 private:
  using Failed = std::vector<std::pair<WaitingLeaf, bool>>;  ///< and whether it was refused
  [[nodiscard]] bool can_be_asked(std::size_t server, const QueuedNetwork& network,
                                  const WaitingLeaf& leaf) const;
  [[nodiscard]] std::size_t servers_for(const QueuedNetwork& network,
                                        const WaitingLeaf& leaf) const;
  void find_request(std::size_t server, TimePoint now, Task& task);
  void fill(Request& request, std::size_t server, TimePoint now);
  /// The request's leaves wait again, for servers that have not failed with them.
  static void put_back(std::size_t server, Request&& request, const std::string& error);
  [[nodiscard]] TimePoint latest(const WaitingLeaf& leaf) const;
  /// Tells that a server is left out, or asked again if there is no reason; with a network, that it
  /// is for this one.
  void tell_change(std::size_t server, const QueuedNetwork* network, const std::string& why) const;
  /// The request's server has not evaluated the network as it should.
  void leave_out(std::unique_lock<std::mutex> lock, std::size_t server, Request&& request,
                 const std::string& why, TimePoint now);
  [[nodiscard]] std::string cause() const;
  [[nodiscard]] TimePoint take_hopeless(TimePoint now, Failed& failed);
  void end(std::unique_lock<std::mutex> lock, TimePoint now);
  void tell(Failed& failed);

  EvaluatorSettings settings_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ServerState> servers_;
  std::vector<std::weak_ptr<QueuedNetwork>> networks_;
  std::uint64_t changes_ = 0;
  bool is_stopped_ = false;
  std::int64_t unanswered_ = 0;
};

}  // namespace pitboss::engine
