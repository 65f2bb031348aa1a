#include "clients/pitboss/network_figures.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "clients/pitboss/overhead_json.hpp"

namespace pitboss::clients {

using Json = nlohmann::ordered_json;

Json json_of(const NetworkTiming& timing) {
  Json json{{"batches", Json::array()}, {"searches", Json::array()}};
  for (const auto& [positions, speed] : timing.batches) {
    json["batches"].push_back({{"positions", positions}, {"evaluations_per_second", speed}});
  }
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
  std::printf("%-15s %-10s %14s\n", "network", "positions", "evaluations/s");
  for (const NetworkTiming& timing : timings) {
    for (const auto& [positions, speed] : timing.batches) {
      std::printf("%-15s %-10d %14.0f\n", timing.game.c_str(), positions, speed);
    }
  }
  std::printf("\n%-15s %-22s %-6s %14s %9s %12s\n", "network", "novelty", "cache", "simulations/s",
              "overhead", "of batch 1");
  for (const NetworkTiming& timing : timings) {
    for (const NetworkTiming::Search& s : timing.searches) {
      std::printf("%-15s %-22s %-6s %14.0f %9.3f %12.3f\n", timing.game.c_str(), s.novelty.c_str(),
                  s.is_cached ? "on" : "off", s.simulations_per_second, s.overhead.value,
                  s.simulations_per_second / timing.batches[0].evaluations_per_second);
    }
  }
}

}  // namespace pitboss::clients
