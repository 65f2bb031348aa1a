#include "engine/leaf/network/network_interface.hpp"

#include "games/unboxed.hpp"

namespace pitboss::engine {

NetworkInterface network_interface(const games::AnyGame& game) {
  NetworkInterface sizes{};
  games::unboxed(game, [&](const auto& g) { sizes = interface_of(g); });
  return sizes;
}

NetworkInterface interface_of(const NetworkShape& shape, bool rereads_planes) {
  const int rows = rereads_planes ? shape.columns : shape.rows;
  const int columns = rereads_planes ? shape.rows : shape.columns;
  return {shape.planes, rows, columns, shape.policy, shape.values};
}

std::vector<float> planes_of(const games::AnyGame& position) {
  const NetworkInterface sizes = network_interface(position);
  std::vector<float> planes(static_cast<std::size_t>(sizes.planes) * sizes.rows * sizes.columns);
  games::unboxed(position, [&](const auto& g) { fill_planes(g, planes.data()); });
  return planes;
}

std::vector<std::pair<std::string, games::PolicyParts>> policy_moves(
    const games::AnyGame& position) {
  std::vector<std::pair<std::string, games::PolicyParts>> all;
  games::unboxed(position, [&]<class G>(const G& g) {
    games::MoveList<G::max_moves> moves;
    g.legal_moves(moves);
    for (const games::Move move : moves) all.emplace_back(g.text(move), g.policy_parts(move));
  });
  return all;
}

}  // namespace pitboss::engine
