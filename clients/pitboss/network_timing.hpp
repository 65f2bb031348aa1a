#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "clients/experiments/statistics/median.hpp"
#include "clients/pitboss/disturbance.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// How fast one thread evaluates a network, alone and in a search, in processor time.
struct NetworkTiming {
  /// A part of an evaluation (Network::Observer).
  struct Part {
    std::string layer;
    std::string work;
    double seconds = 0;        ///< for a position, median of the rounds
    double multiply_adds = 0;  ///< for a position, mean
  };
  struct Batch {
    int positions;
    double evaluations_per_second;
    double multiply_adds;  ///< for a position, mean
    double share_of_peak;  ///< made of those that the processor can make, median of the rounds
    std::vector<Part> parts;
  };
  struct Search {
    std::string novelty;
    bool is_cached;  ///< the searches share a cache of evaluations
    std::int64_t simulations;
    double simulations_per_second;
    MedianEstimate overhead;  ///< time over the same search without novelty, of the rounds
  };
  std::string game;
  std::string instruction_set;
  double peak;  ///< multiply-adds a second in registers alone, median of the rounds
  std::vector<Batch> batches;
  std::vector<Search> searches;
  Disturbance disturbance;
};

/// What is timed.
struct NetworkTimingPlan {
  std::int64_t simulations = 500;              ///< of each search
  double seconds = 8;                          ///< in all, about
  std::vector<engine::Assignment> settings{};  ///< of the searches
};

/// Times a network: evaluations in batches of different positions, from random games, and searches
/// by PUCT from the initial position. Blocks. Throws BadNetwork and BadOption.
[[nodiscard]] NetworkTiming time_network(const engine::NetworkFile& file,
                                         const NetworkTimingPlan& plan);
/// The same for a network of the novelty papers' shape with random weights. A trained one may be
/// faster: more of what its heads read is zero.
[[nodiscard]] NetworkTiming time_paper_network(const games::AnyGame& game,
                                               const NetworkTimingPlan& plan);

}  // namespace pitboss::clients
