/// What the kernels make of positions, in full digits: pitboss_network_outputs NETWORK PLANES OUT.
/// PLANES and OUT are raw 32-bit floats; OUT has for each position the logits of the policy, then
/// those of the value.

#include <cstddef>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/network_file.hpp"

namespace {

namespace engine = pitboss::engine;

void run(const std::string& network_path, const std::string& planes_path, const std::string& out) {
  const engine::NetworkFile file = engine::parse_network(engine::read_network_bytes(network_path));
  const engine::NetworkShape& shape = file.shape;
  const std::string bytes = engine::read_network_bytes(planes_path);
  const auto* const planes = reinterpret_cast<const float*>(bytes.data());
  const std::size_t position_bytes = static_cast<std::size_t>(shape.inputs()) * sizeof(float);
  if (bytes.size() % position_bytes != 0) throw std::runtime_error("half a position");

  const engine::Network network(shape, file.tensors);
  engine::Network::Workspace workspace(network, 1);
  std::vector<float> policy(static_cast<std::size_t>(shape.policy));
  std::vector<float> values(static_cast<std::size_t>(shape.values));
  std::ofstream stream(out, std::ios::binary);
  const auto write = [&](const std::vector<float>& numbers) {
    stream.write(reinterpret_cast<const char*>(numbers.data()),
                 static_cast<std::streamsize>(numbers.size() * sizeof(float)));
  };
  for (std::size_t i = 0; i < bytes.size() / position_bytes; ++i) {
    network.evaluate(planes + i * shape.inputs(), 1, values.data(), policy.data(), workspace);
    write(policy);
    write(values);
  }
  if (!stream.flush()) throw std::runtime_error("cannot write " + out);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: pitboss_network_outputs NETWORK PLANES OUT\n";
    return 2;
  }
  try {
    run(argv[1], argv[2], argv[3]);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
