#include <string>

#include "clients/networks/djl.hpp"
#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A network's file, in safetensors; or, after the letters "DJL", as the novelty papers' authors
/// have it (tests/clients/networks/write_djl.py writes such files). What is read makes a network or
/// is refused, and is written as the same bytes each time.
namespace pitboss::fuzzing {

namespace {

engine::NetworkFile parse(std::string_view bytes) {
  static const auto connect4 = games::make_game("connect4");
  if (bytes.starts_with("DJL")) return clients::read_djl(bytes.substr(3), *connect4);
  return engine::parse_network(bytes);
}

}  // namespace

void read_bytes(std::string_view bytes) {
  try {
    const auto file = parse(bytes);
    const std::string written = engine::network_bytes(file);
    require(engine::network_bytes(engine::parse_network(written)) == written,
            "a network is written as it was read");
    const engine::Network network(file.shape, file.tensors);
    require(network.bytes() > 0, "a network has weights");
  } catch (const engine::BadNetwork& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace pitboss::fuzzing
