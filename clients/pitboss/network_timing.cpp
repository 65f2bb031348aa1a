#include "clients/pitboss/network_timing.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>
#include <utility>

#include "clients/pitboss/search_timing.hpp"
#include "engine/leaf/network/fused_peak.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/search/slice.hpp"

namespace pitboss::clients {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr int least_rounds = 5;

/// Positions of which batches are made, and evaluations of a round.
constexpr int different = 32;
constexpr int evaluations = 10 * different;

double seconds_since(std::chrono::nanoseconds begin) {
  return Seconds(engine::thread_time() - begin).count();
}

/// Planes of positions of random games, one after the other.
std::vector<float> planes_of_games(const games::AnyGame& start) {
  games::Random random(1);
  std::vector<float> planes;
  auto position = start.clone();
  for (int i = 0; i < different; ++i) {
    if (position->result().finished()) position = start.clone();
    const auto more = position->planes();
    planes.insert(planes.end(), more.begin(), more.end());
    position->play(position->random_move(random));
  }
  return planes;
}

/// Evaluations in batches of one size.
class BatchTrial {
 public:
  BatchTrial(const engine::Network& network, const std::vector<float>& planes, int batch)
      : network_(network),
        planes_(planes),
        batch_(batch),
        workspace_(network, batch),
        values_(static_cast<std::size_t>(batch) * network.shape().values),
        policy_(static_cast<std::size_t>(batch) * network.shape().policy) {}

  void time_round(double peak) {
    const auto begin = engine::thread_time();
    evaluate({});
    times_.push_back(seconds_since(begin) / evaluations);
    time_parts();
    shares_.push_back(multiply_adds_ / times_.back() / peak);
  }
  [[nodiscard]] NetworkTiming::Batch timing() const {
    NetworkTiming::Batch batch{batch_, 1 / median(times_), multiply_adds_, median(shares_), parts_};
    for (std::size_t i = 0; i < parts_.size(); ++i) batch.parts[i].seconds = median(part_times_[i]);
    return batch;
  }

 private:
  void evaluate(const engine::Network::Observer& observer) {
    const int inputs = network_.shape().inputs();
    for (int i = 0; i < evaluations; i += batch_) {
      network_.evaluate(planes_.data() + i % different * inputs, batch_, values_.data(),
                        policy_.data(), workspace_, observer);
    }
  }
  /// By the clock, which is read much faster than processor time; medians leave out the rounds in
  /// which another program had the processor.
  void time_parts() {
    for (auto& part : parts_) part.seconds = part.multiply_adds = 0;
    auto last = SteadyClock::now();
    std::size_t i = 0;
    evaluate([&](std::string_view layer, std::string_view work, double multiply_adds) {
      const auto now = SteadyClock::now();
      NetworkTiming::Part& part = part_named(layer, work, i);
      part.seconds += Seconds(now - last).count() / evaluations;
      part.multiply_adds += multiply_adds / evaluations;
      last = SteadyClock::now();
    });
    multiply_adds_ = 0;
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      part_times_[p].push_back(parts_[p].seconds);
      multiply_adds_ += parts_[p].multiply_adds;
    }
  }
  /// The part with these names, which is mostly that at `place`; then `place` is the one after it.
  NetworkTiming::Part& part_named(std::string_view layer, std::string_view work,
                                  std::size_t& place) {
    const auto is_it = [&](const NetworkTiming::Part& part) {
      return part.layer == layer && part.work == work;
    };
    if (place >= parts_.size() || !is_it(parts_[place])) {
      place = std::ranges::find_if(parts_, is_it) - parts_.begin();
      if (place == parts_.size()) {
        parts_.push_back({std::string(layer), std::string(work)});
        part_times_.emplace_back();
      }
    }
    return parts_[place++];
  }

  const engine::Network& network_;
  const std::vector<float>& planes_;
  int batch_;
  engine::Network::Workspace workspace_;
  std::vector<float> values_;
  std::vector<float> policy_;
  std::vector<double> times_;
  std::vector<double> shares_;
  double multiply_adds_ = 0;
  std::vector<NetworkTiming::Part> parts_;
  std::vector<std::vector<double>> part_times_;
};

/// Multiply-adds a second in registers.
double measured_peak() {
  constexpr int steps = 20'000;
  const auto begin = engine::thread_time();
  const double made = engine::multiply_and_add(steps);
  return made / seconds_since(begin);
}

/// The peak and the sizes take turns, so that a machine that changes its speed changes it for all.
void time_batches(const engine::Network& network, const std::vector<float>& planes, double seconds,
                  NetworkTiming& timing) {
  std::vector<BatchTrial> trials;
  trials.reserve(3);
  for (const int batch : {1, 8, 32}) trials.emplace_back(network, planes, batch);
  std::vector<double> peaks;
  const auto end = SteadyClock::now() + Seconds(seconds);
  for (int round = 0; round < least_rounds || SteadyClock::now() < end; ++round) {
    for (BatchTrial& trial : trials) {
      peaks.push_back(measured_peak());
      trial.time_round(peaks.back());
    }
  }
  timing.instruction_set = engine::instruction_set();
  timing.peak = median(peaks);
  for (const BatchTrial& trial : trials) timing.batches.push_back(trial.timing());
}

/// One kind of search and the seconds that a simulation of it took in each round.
struct Timed {
  engine::Options options;
  std::vector<double> seconds;
};

std::vector<Timed> timed_measures(const games::AnyGame& game, const engine::Options& plain) {
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
  std::vector<Timed> list = timed_measures(game, plain);
  const auto search = engine::make_search(game, std::make_shared<engine::Networks>(network));
  const auto end = SteadyClock::now() + Seconds(seconds);
  for (int round = 0; round < least_rounds || SteadyClock::now() < end; ++round) {
    for (Timed& timed : list) {
      const engine::Report report = searched(*search, game, timed.options);
      timed.seconds.push_back(seconds_a_simulation(*search, report));
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

NetworkTiming time_network(const engine::NetworkFile& file, const NetworkTimingPlan& plan) {
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
  plain.simulations = plan.simulations;
  plain.selection = engine::Selection::puct;
  plain.evaluation = engine::EvaluatorKind::network;
  plain.network = bare->name;
  set_options(plain, plan.settings);
  engine::check_options(*game, plain);

  DisturbanceWatch watch;
  NetworkTiming timing{file.game, "", 0, {}, {}, {}};
  watch.during([&] {
    time_batches(bare->network, planes_of_games(*game), plan.seconds * 3 / 8, timing);
    time_searches(*game, bare, plain, false, plan.seconds / 2, timing);
    time_searches(*game, cached, plain, true, plan.seconds / 8, timing);
  });
  timing.disturbance = watch.seen();
  return timing;
}

NetworkTiming time_paper_network(const games::AnyGame& game, const NetworkTimingPlan& plan) {
  const auto [planes, rows, columns, policy, values] = engine::network_interface(game);
  const auto shape = engine::NetworkShape::paper(planes, rows, columns, policy, values);
  return time_network(engine::random_network(game, shape, 1), plan);
}

}  // namespace pitboss::clients
