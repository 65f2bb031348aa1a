#pragma once

#include "engine/leaf/network/network_shape.hpp"
#include "games/any_game.hpp"
#include "games/planes.hpp"
#include "games/policy.hpp"

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

/// That of a game with its parameters.
template <games::HasPolicy G>
[[nodiscard]] NetworkInterface interface_of(const G& game) {
  const games::BoardShape board = game.shape();
  return {games::plane_count(game), board.height, board.width, game.policy_size(),
          games::seats_of(game)};
}
[[nodiscard]] NetworkInterface network_interface(const games::AnyGame& game);

/// That of a network; `rereads_planes` as in its file (NetworkFile).
[[nodiscard]] NetworkInterface interface_of(const NetworkShape& shape, bool rereads_planes);

}  // namespace pitboss::engine
