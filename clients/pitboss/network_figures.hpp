#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "clients/pitboss/network_timing.hpp"

namespace pitboss::clients {

/// The measured times of a network, without its game's name.
[[nodiscard]] nlohmann::ordered_json json_of(const NetworkTiming& timing);

/// Prints a table of evaluations a second and one of searches, a line for each batch and for each
/// search of every network.
void print_tables(std::span<const NetworkTiming> timings);

}  // namespace pitboss::clients
