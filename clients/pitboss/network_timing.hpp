#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/experiments/statistics/median.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// How fast one thread evaluates a network, alone and in a search.
struct NetworkTiming {
  struct Batch {
    int positions;
    double evaluations_per_second;
  };
  struct Search {
    std::string novelty;
    bool is_cached;  ///< the searches share a cache of evaluations
    std::int64_t simulations;
    double simulations_per_second;
    MedianEstimate overhead;  ///< time over the same search without novelty, of the rounds
  };
  std::string game;
  std::vector<Batch> batches;
  std::vector<Search> searches;
};

/// Times a network from its game's initial position for about `seconds`: evaluations in batches,
/// and searches by PUCT of `simulations` simulations each. Blocks. Throws BadNetwork and BadOption.
[[nodiscard]] NetworkTiming time_network(const engine::NetworkFile& file, std::int64_t simulations,
                                         double seconds);
/// The same for a network of the novelty papers' shape with random weights. A trained one may be
/// faster: more of what its heads read is zero.
[[nodiscard]] NetworkTiming time_paper_network(const games::AnyGame& game, std::int64_t simulations,
                                               double seconds);

}  // namespace pitboss::clients
