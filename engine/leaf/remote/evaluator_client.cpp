#include "engine/leaf/remote/evaluator_client.hpp"

#include <algorithm>
#include <csignal>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "engine/leaf/remote/connection.hpp"
#include "engine/leaf/remote/request_queue.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace {

/// A network of a client, as searches see it.
class ClientNetwork final : public RemoteNetwork {
 public:
  ClientNetwork(std::shared_ptr<RequestQueue> queue, std::shared_ptr<const LoadedNetwork> network,
                std::vector<std::vector<float>> samples)
      : RemoteNetwork(network),
        queue_(std::move(queue)),
        queued_(std::make_shared<QueuedNetwork>(std::move(network), std::move(samples))) {}

  void ask(std::vector<float> planes, Arrived arrived) override {
    queue_->add(queued_, {std::move(planes), std::move(arrived), RequestQueue::Clock::now()});
  }
  void reconsider() { queue_->reconsider(*queued_); }

 private:
  std::shared_ptr<RequestQueue> queue_;
  std::shared_ptr<QueuedNetwork> queued_;
};

/// The threads made meanwhile, gRPC's among them, get no signals: those are for threads that wait
/// for them.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_{};
};

/// The word in a file; none without a file.
std::string token_in(const std::string& name) {
  if (name.empty()) return "";
  std::istringstream text(games::read_text_file(name));
  const std::vector<std::string> words{std::istream_iterator<std::string>(text), {}};
  const auto is_printable = [](char c) { return c > ' ' && c <= '~'; };
  if (words.size() != 1 || !std::ranges::all_of(words[0], is_printable)) {
    throw std::runtime_error(name + " must hold a token, which is one word, and nothing else");
  }
  return words[0];
}

/// Asks each server from some threads of its own, each of which waits for one request at a time.
class EvaluatorClient final : public RemoteService {
 public:
  explicit EvaluatorClient(const EvaluatorSettings& settings)
      : settings_(settings),
        queue_(std::make_shared<RequestQueue>(settings, std::random_device{}())) {
    const SignalsBlocked guard;
    const ConnectionTerms terms{settings.ca_file, token_in(settings.token_file), settings.proxy};
    for (const std::string& url : settings.urls) {
      connections_.push_back(std::make_unique<Connection>(url, terms));
    }
    try {
      for (std::size_t server = 0; server < connections_.size(); ++server) {
        for (int i = 0; i < settings.requests; ++i) {
          threads_.emplace_back([this, server] { serve(server); });
        }
      }
    } catch (...) {
      queue_->stop();  // or those that were made would wait for ever
      throw;
    }
  }
  ~EvaluatorClient() override {
    queue_->stop();
    for (const auto& connection : connections_) connection->cancel();
  }
  EvaluatorClient(const EvaluatorClient&) = delete;
  EvaluatorClient& operator=(const EvaluatorClient&) = delete;

  [[nodiscard]] std::shared_ptr<RemoteNetwork> open(
      std::shared_ptr<const LoadedNetwork> network,
      std::vector<std::vector<float>> samples) override {
    const std::scoped_lock lock(mutex_);
    auto& known = networks_[network->name + ' ' + network->sha256];
    auto opened = known.lock();
    if (opened) {
      opened->reconsider();
    } else {
      opened = std::make_shared<ClientNetwork>(queue_, std::move(network), std::move(samples));
      known = opened;
    }
    return opened;
  }
  [[nodiscard]] bool falls_back() const override { return settings_.falls_back; }
  [[nodiscard]] std::vector<RemoteServer> servers() const override;
  [[nodiscard]] std::int64_t unanswered() const override { return queue_->states().second; }
  [[nodiscard]] std::string report() const override;

 private:
  using Clock = RequestQueue::Clock;
  [[nodiscard]] static Connection::TimePoint deadline(Clock::duration time) {
    return std::chrono::system_clock::now() + time;
  }

  void serve(std::size_t server);
  void probe(std::size_t server);
  void handle(std::size_t server, Request request);

  const EvaluatorSettings settings_;
  const std::shared_ptr<RequestQueue> queue_;
  std::mutex mutex_;
  std::map<std::string, std::weak_ptr<ClientNetwork>> networks_;  ///< by name and hash
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::jthread> threads_;
};

void EvaluatorClient::serve(std::size_t server) {
  for (;;) {
    const std::uint64_t seen = queue_->changes();
    RequestQueue::Task task = queue_->next(server, Clock::now());
    if (task.is_probe) {
      probe(server);
    } else if (task.request) {
      handle(server, std::move(*task.request));
    } else if (!queue_->wait_until(task.wake, seen)) {
      return;
    }
  }
}

void EvaluatorClient::probe(std::size_t server) {
  try {
    connections_[server]->probe(deadline(settings_.deadline));
    queue_->probed(server);
  } catch (const std::runtime_error& error) {
    queue_->failed(server, std::nullopt, error.what(), false, Clock::now());
  }
}

void EvaluatorClient::handle(std::size_t server, Request request) {
  Connection& connection = *connections_[server];
  const LoadedNetwork& network = *request.network->network;
  const auto end = deadline(request.time_left);
  const auto begin = Clock::now();
  std::vector<std::vector<float>> logits;
  try {
    if (!request.is_checked) {
      request.terms = connection.check(network, request.network->samples, end);
      queue_->checked(server, request);
    }
    std::vector<const std::vector<float>*> positions;
    for (const WaitingLeaf& leaf : request.leaves) positions.push_back(&leaf.planes);
    logits = connection.evaluate(network, positions, request.terms, end);
  } catch (const NetworkRefusal& error) {
    return queue_->refused(server, std::move(request), error.what());
  } catch (const NetworkFailure& error) {
    return queue_->network_failed(server, std::move(request), error.what(), Clock::now());
  } catch (const ServerFailure& error) {
    return queue_->failed(server, std::move(request), error.what(), error.is_late, Clock::now());
  } catch (const std::exception& error) {  // no memory
    return queue_->network_failed(server, std::move(request), error.what(), Clock::now());
  }
  queue_->answered(server, std::move(request), logits, Clock::now() - begin);
}

std::vector<RemoteServer> EvaluatorClient::servers() const {
  std::vector<RemoteServer> list;
  const auto states = queue_->states().first;
  for (std::size_t i = 0; i < states.size(); ++i) {
    const auto state = states[i].breaker.state();
    const ServerFigures& figures = states[i].figures;
    list.push_back({settings_.urls[i],
                    state == Breaker::State::closed ? "closed"
                    : state == Breaker::State::open ? "open"
                                                    : "trial",
                    figures.requests,
                    figures.positions,
                    figures.largest_batch,
                    figures.failures,
                    figures.deadline_misses,
                    {{{0.5, figures.latency_ms(0.5)},
                      {0.9, figures.latency_ms(0.9)},
                      {0.99, figures.latency_ms(0.99)}}},
                    figures.last_error});
  }
  return list;
}

std::string EvaluatorClient::report() const {
  using Json = nlohmann::ordered_json;
  Json list = Json::array();
  for (const RemoteServer& server : servers()) {
    const auto requests = static_cast<double>(std::max<std::int64_t>(server.requests, 1));
    list.push_back({{"url", server.url},
                    {"breaker", server.breaker},
                    {"requests", server.requests},
                    {"positions", server.positions},
                    {"mean_batch", static_cast<double>(server.positions) / requests},
                    {"largest_batch", server.largest_batch},
                    {"latency_ms",
                     {{"p50", server.latency_ms[0].second},
                      {"p90", server.latency_ms[1].second},
                      {"p99", server.latency_ms[2].second}}},
                    {"last_error", server.last_error.empty() ? Json() : Json(server.last_error)},
                    {"failures", server.failures},
                    {"deadline_misses", server.deadline_misses}});
  }
  return Json{{"servers", std::move(list)},
              {"fallback", settings_.falls_back ? "local" : "fail"},
              {"unanswered", unanswered()}}
      .dump();
}

}  // namespace

bool has_evaluator_client() { return true; }

std::shared_ptr<RemoteService> make_evaluator_client(const EvaluatorSettings& settings) {
  if (settings.urls.size() > RequestQueue::most_servers) {
    throw std::runtime_error("pitbossd takes at most 64 evaluators");
  }
  for (auto url = settings.urls.begin(); url != settings.urls.end(); ++url) {
    if (std::find(settings.urls.begin(), url, *url) != url) {
      throw std::runtime_error("the evaluator " + *url + " is given twice");
    }
  }
  return std::make_shared<EvaluatorClient>(settings);
}

}  // namespace pitboss::engine
