#include "clients/pitboss/network_timing.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "clients/pitboss/search_timing.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"

namespace pitboss::clients {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int least_rounds = 5;

/// Evaluations in batches of one size.
class BatchTrial {
 public:
  BatchTrial(const engine::Network& network, const std::vector<float>& planes, int batch)
      : network_(network),
        batch_(batch),
        workspace_(network, batch),
        values_(static_cast<std::size_t>(batch) * network.shape().values),
        policy_(static_cast<std::size_t>(batch) * network.shape().policy) {
    for (int i = 0; i < batch; ++i) planes_.insert(planes_.end(), planes.begin(), planes.end());
  }

  void time_calls() {
    constexpr int positions = 320;
    const auto begin = SteadyClock::now();
    for (int i = 0; i < positions; i += batch_) {
      network_.evaluate(planes_.data(), batch_, values_.data(), policy_.data(), workspace_);
    }
    speeds_.push_back(positions / Seconds(SteadyClock::now() - begin).count());
  }
  [[nodiscard]] NetworkTiming::Batch timing() const { return {batch_, median(speeds_)}; }

 private:
  const engine::Network& network_;
  int batch_;
  engine::Network::Workspace workspace_;
  std::vector<float> planes_;
  std::vector<float> values_;
  std::vector<float> policy_;
  std::vector<double> speeds_;
};

/// The sizes take turns, so that a machine that changes its speed changes it for all.
std::vector<NetworkTiming::Batch> time_batches(const engine::Network& network,
                                               const std::vector<float>& planes, double seconds) {
  std::vector<BatchTrial> trials;
  for (const int batch : {1, 8, 32}) trials.emplace_back(network, planes, batch);
  const auto end = SteadyClock::now() + Seconds(seconds);
  for (int round = 0; round < least_rounds || SteadyClock::now() < end; ++round) {
    for (BatchTrial& trial : trials) trial.time_calls();
  }
  std::vector<NetworkTiming::Batch> batches;
  for (const BatchTrial& trial : trials) batches.push_back(trial.timing());
  return batches;
}

/// One kind of search and the seconds that a simulation of it took in each round.
struct Timed {
  engine::Options options;
  std::vector<double> seconds;
};

std::vector<Timed> variants(const games::AnyGame& game, const engine::Options& plain) {
  std::vector<engine::Options> list;
  add_measures(list, game, plain);
  std::vector<Timed> timed;
  for (const engine::Options& options : list) timed.push_back({options, {}});
  return timed;
}

void time_searches(const games::AnyGame& game,
                   const std::shared_ptr<const engine::LoadedNetwork>& network,
                   const engine::Options& plain, bool is_cached, double seconds,
                   NetworkTiming& timing) {
  std::vector<Timed> list = variants(game, plain);
  const auto search = engine::make_search(game, std::make_shared<engine::Networks>(network));
  const auto end = SteadyClock::now() + Seconds(seconds);
  for (int round = 0; round < least_rounds || SteadyClock::now() < end; ++round) {
    for (Timed& timed : list) {
      const engine::Report report = searched(*search, game, timed.options);
      timed.seconds.push_back(report.seconds / static_cast<double>(report.simulations));
    }
  }
  for (const Timed& timed : list) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < timed.seconds.size(); ++i) {
      ratios.push_back(timed.seconds[i] / list[0].seconds[i]);
    }
    timing.searches.push_back({engine::get_option(timed.options, "novelty"), is_cached,
                               engine::simulation_bound(timed.options, false),
                               1 / median(timed.seconds), estimate_median(std::move(ratios))});
  }
}

}  // namespace

NetworkTiming time_network(const engine::NetworkFile& file, std::int64_t simulations,
                           double seconds) {
  const auto loaded = [&](std::size_t cache_bytes) {
    return std::make_shared<const engine::LoadedNetwork>("under test", file, "", cache_bytes);
  };
  const auto bare = loaded(0);
  const auto cached = loaded(engine::Networks::default_cache_bytes);
  const auto game = games::make_game(file.game, games::parse_parameters(file.parameters));
  engine::check_network(*bare, file.game, game->parameters().line(),
                        engine::network_interface(*game));

  engine::Options plain;
  plain.seed = 1;
  plain.simulations = simulations;
  plain.selection = engine::Selection::puct;
  plain.evaluation = engine::EvaluatorKind::network;
  plain.network = bare->name;

  NetworkTiming timing{file.game, {}, {}};
  timing.batches = time_batches(bare->network, engine::planes_of(*game), seconds * 3 / 8);
  time_searches(*game, bare, plain, false, seconds / 2, timing);
  time_searches(*game, cached, plain, true, seconds / 8, timing);
  return timing;
}

NetworkTiming time_paper_network(const games::AnyGame& game, std::int64_t simulations,
                                 double seconds) {
  const auto [planes, rows, columns, policy, values] = engine::network_interface(game);
  const auto shape = engine::NetworkShape::paper(planes, rows, columns, policy, values);
  return time_network(engine::random_network(game, shape, 1), simulations, seconds);
}

}  // namespace pitboss::clients
