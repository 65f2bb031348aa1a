#pragma once

#include "engine/leaf/network/network_shape.hpp"
#include "games/any_game.hpp"

namespace pitboss::engine {

/// What a network for a game takes and gives (docs/networks.md).
struct NetworkInterface {
  int planes;
  int rows;
  int columns;
  int policy;
  int values;

  friend bool operator==(const NetworkInterface&, const NetworkInterface&) = default;
};

[[nodiscard]] NetworkInterface network_interface(const games::AnyGame& game);

/// The planes of a position, as Network::evaluate reads them.
[[nodiscard]] std::vector<float> planes_of(const games::AnyGame& position);

}  // namespace pitboss::engine
