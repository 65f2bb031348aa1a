#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/planes.hpp"
#include "games/any_game.hpp"
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
  return {plane_count(game), board.height, board.width, game.policy_size(), games::seats_of(game)};
}
[[nodiscard]] NetworkInterface network_interface(const games::AnyGame& game);

/// That of a network; `rereads_planes` as in its file (NetworkFile).
[[nodiscard]] NetworkInterface interface_of(const NetworkShape& shape, bool rereads_planes);

/// The planes of a position, as Network::evaluate reads them.
[[nodiscard]] std::vector<float> planes_of(const games::AnyGame& position);
/// The legal moves of a position, in no order, each with the parts of its logit.
[[nodiscard]] std::vector<std::pair<std::string, games::PolicyParts>> policy_moves(
    const games::AnyGame& position);

}  // namespace pitboss::engine
