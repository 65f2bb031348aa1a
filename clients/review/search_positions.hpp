#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "clients/experiments/address.hpp"
#include "clients/review/finding.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

/// How positions are searched.
struct ReviewSearch {
  std::vector<Address> servers = {};
  /// Sent in this order. Without a preset among them, each game has the best that it is known to
  /// have at the first server that answers.
  std::vector<engine::Assignment> options;
  std::int64_t seed = 1;  ///< of which that of each position derives
  std::size_t lines = 3;  ///< how many moves are told of each
  /// Connections to each server; 0: four for each of its workers, so that these are never idle and
  /// networks evaluate the leaves of several searches together.
  int connections = 0;
  /// How long a server that is lost is looked for.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
};

/// What is told while positions are searched, on the caller's thread.
struct ReviewEvents {
  std::function<void(const GamePosition&, Finding)> found = [](const GamePosition&,
                                                               const Finding&) {};
  /// Which preset is the best for a game, if the options have none; before any finding.
  std::function<void(const std::string& rules, const std::string& preset)> chose =
      [](const std::string&, const std::string&) {};
  /// Servers that do not answer, while others search.
  std::function<void(const std::string& sentence)> note = [](const std::string&) {};
  /// Why positions are left that no server searches.
  std::function<void(const std::string& sentence)> gave_up = [](const std::string&) {};
  /// Called ten times a second; true ends the search at once.
  std::function<bool()> is_stopped = [] { return false; };
};

/// Searches each of the positions once, by all workers of all servers, and blocks meanwhile. A
/// position whose server is lost is searched by another one, with the same result. Returns why
/// positions of some rules cannot be searched, since each server that is left has refused them, a
/// sentence for each of these; positions are also left out if it was stopped, or if no server is
/// left, which `gave_up` tells. Throws UserError if no server answers at first, or one does not let
/// us in any more, and what the events throw.
std::vector<std::string> search_positions(std::span<const GamePosition> questions,
                                          const ReviewSearch& search, const ReviewEvents& events);

/// The seed of a position's search.
[[nodiscard]] std::int64_t seed_of(const GamePosition& question, std::int64_t seed);

}  // namespace pitboss::clients
