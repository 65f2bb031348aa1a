#include "engine/leaf/network/network_interface.hpp"

namespace pitboss::engine {

NetworkInterface network_interface(const games::AnyGame& game) {
  const games::BoardShape board = game.shape();
  return {game.plane_count(), board.height, board.width, game.policy_size(), game.players()};
}

NetworkInterface interface_of(const NetworkShape& shape, bool rereads_planes) {
  const int rows = rereads_planes ? shape.columns : shape.rows;
  const int columns = rereads_planes ? shape.rows : shape.columns;
  return {shape.planes, rows, columns, shape.policy, shape.values};
}

}  // namespace pitboss::engine
