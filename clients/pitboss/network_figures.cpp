#include "clients/pitboss/network_figures.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "clients/pitboss/overhead_json.hpp"

namespace pitboss::clients {

using Json = nlohmann::ordered_json;

namespace {

Json json_of(const NetworkTiming::Batch& batch) {
  Json json{{"positions", batch.positions},
            {"evaluations_per_second", batch.evaluations_per_second},
            {"multiply_adds", batch.multiply_adds},
            {"share_of_peak", batch.share_of_peak},
            {"parts", Json::array()}};
  for (const NetworkTiming::Part& part : batch.parts) {
    json["parts"].push_back({{"layer", part.layer},
                             {"work", part.work},
                             {"seconds", part.seconds},
                             {"multiply_adds", part.multiply_adds}});
  }
  return json;
}

/// Two floating-point operations each.
double gflops(double multiply_adds_a_second) { return 2e-9 * multiply_adds_a_second; }

/// Of each part the nanoseconds for a position and the share of the peak, for each size of a batch.
void print_parts(const NetworkTiming& timing) {
  std::printf("\n%-24s %-9s", "layer", "work");
  for (const auto& batch : timing.batches) std::printf("   ns, %2d  peak", batch.positions);
  std::printf("\n");
  for (std::size_t i = 0; i < timing.batches[0].parts.size(); ++i) {
    const NetworkTiming::Part& named = timing.batches[0].parts[i];
    std::printf("%-24s %-9s", named.layer.empty() ? "-" : named.layer.c_str(), named.work.c_str());
    for (const auto& batch : timing.batches) {
      const NetworkTiming::Part& part = batch.parts[i];
      std::printf(" %8.0f", 1e9 * part.seconds);
      if (part.multiply_adds == 0) {
        std::printf("     -");
      } else {
        std::printf(" %3.0f %%", 100 * part.multiply_adds / part.seconds / timing.peak);
      }
    }
    std::printf("\n");
  }
}

}  // namespace

Json json_of(const NetworkTiming& timing) {
  Json json{{"instruction_set", timing.instruction_set},
            {"peak_gflops", gflops(timing.peak)},
            {"load", timing.disturbance.load},
            {"time_lost", timing.disturbance.lost},
            {"batches", Json::array()},
            {"searches", Json::array()}};
  for (const NetworkTiming::Batch& batch : timing.batches)
    json["batches"].push_back(json_of(batch));
  for (const NetworkTiming::Search& s : timing.searches) {
    json["searches"].push_back({{"novelty", s.novelty},
                                {"cache", s.is_cached},
                                {"simulations", s.simulations},
                                {"simulations_per_second", s.simulations_per_second}});
    put_overhead(json["searches"].back(), s.overhead);
  }
  return json;
}

void print_tables(std::span<const NetworkTiming> timings) {
  std::printf("%-15s %-10s %14s %8s %8s %8s\n", "network", "positions", "evaluations/s", "GFLOPS",
              "peak", "of peak");
  for (const NetworkTiming& timing : timings) {
    for (const NetworkTiming::Batch& batch : timing.batches) {
      std::printf("%-15s %-10d %14.0f %8.1f %8.1f %6.0f %%\n", timing.game.c_str(), batch.positions,
                  batch.evaluations_per_second,
                  gflops(batch.multiply_adds * batch.evaluations_per_second), gflops(timing.peak),
                  100 * batch.share_of_peak);
    }
  }
  if (timings.size() == 1) print_parts(timings[0]);
  std::printf("\n%-15s %-22s %-6s %14s %9s %12s\n", "network", "novelty", "cache", "simulations/s",
              "overhead", "of batch 1");
  for (const NetworkTiming& timing : timings) {
    for (const NetworkTiming::Search& s : timing.searches) {
      std::printf("%-15s %-22s %-6s %14.0f %9.3f %12.3f\n", timing.game.c_str(), s.novelty.c_str(),
                  s.is_cached ? "on" : "off", s.simulations_per_second, s.overhead.value,
                  s.simulations_per_second / timing.batches[0].evaluations_per_second);
    }
  }
  for (const NetworkTiming& timing : timings) print_if_disturbed(timing.disturbance);
}

}  // namespace pitboss::clients
