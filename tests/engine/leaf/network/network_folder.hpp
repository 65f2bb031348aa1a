#pragma once

#include <string>

#include "engine/leaf/network/network_file.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::tests {

/// A small network for a game, as `pitboss network init` makes one.
inline engine::NetworkFile network_for(const games::AnyGame& game, std::uint64_t seed) {
  const auto [planes, rows, columns, policy, values] = engine::network_interface(game);
  const auto shape = engine::NetworkShape::paper(planes, rows, columns, policy, values);
  return engine::random_network(game, shape, seed);
}

inline void write_network(const clients::ScratchFolder& folder, const std::string& name,
                          const engine::NetworkFile& file) {
  clients::write_text(folder / (name + ".safetensors"), engine::network_bytes(file));
}

}  // namespace pitboss::tests
