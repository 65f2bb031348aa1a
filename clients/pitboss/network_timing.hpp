#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace pitboss::clients {

/// How fast a network is alone and in a search, by one thread.
struct NetworkTiming {
  struct Batch {
    int positions;
    double evaluations_per_second;
  };
  struct Search {
    std::string novelty;
    bool is_cached;  ///< the searches share a cache of evaluations
    double simulations_per_second;
    double overhead;  ///< time over that of the same search without novelty, median of the rounds
  };
  std::vector<Batch> batches;
  std::vector<Search> searches;
};

/// Times the network of a file from its game's initial position for about `seconds`: evaluations in
/// batches, and searches by PUCT of `simulations` simulations each. Blocks. Throws BadNetwork and
/// BadOption.
[[nodiscard]] NetworkTiming time_network(const std::filesystem::path& file,
                                         std::int64_t simulations, double seconds);

}  // namespace pitboss::clients
