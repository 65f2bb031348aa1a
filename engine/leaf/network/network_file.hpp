#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// The game that a network plays.
struct NetworkGame {
  std::string game;        ///< "othello"
  std::string parameters;  ///< of the game, "size=8"; all that it has
  friend bool operator==(const NetworkGame&, const NetworkGame&) = default;
};

/// A network as it is kept in a file NAME.safetensors (docs/networks.md).
struct NetworkFile : NetworkGame {
  NetworkShape shape;
  /// Who made the weights and how, and of which network they were learned, for people.
  std::string trainer;
  std::string procedure;
  std::string parent;
  /// Whether the input of a board of R rows and C columns is read as C rows of R, as the novelty
  /// authors' network of connect4 does.
  bool rereads_planes = false;
  Tensors tensors;
};

/// All but the tensors as names and texts, the version of the format among them.
[[nodiscard]] std::map<std::string, std::string> network_metadata(const NetworkFile& file);
/// The network as a file's bytes, which depend on nothing else.
[[nodiscard]] std::string network_bytes(const NetworkFile& file);
/// Reads such bytes, which may come from anywhere. Throws BadNetwork. The tensors are not compared
/// with the shape: Network does that.
[[nodiscard]] NetworkFile parse_network(std::string_view bytes);

/// The bytes of a file of at most 1 GiB. Throws BadNetwork with a sentence that names the file.
[[nodiscard]] std::string read_network_bytes(const std::filesystem::path& path);
/// What the network in a file plays; reads the file's beginning only. Throws BadNetwork.
[[nodiscard]] NetworkGame read_network_game(const std::filesystem::path& path);

}  // namespace pitboss::engine
