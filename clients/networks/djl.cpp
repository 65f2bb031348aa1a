#include "clients/networks/djl.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clients/networks/djl_blocks.hpp"
#include "engine/leaf/network/folded_layer.hpp"
#include "engine/leaf/network/network_interface.hpp"

namespace pitboss::clients {

using engine::BadNetwork;
using engine::NetworkFile;
using engine::NetworkShape;
using engine::Tensor;
using engine::Tensors;

namespace {

/// A game for which the authors have networks.
struct AuthorsGame {
  std::string_view name;
  bool white_begins;  ///< in the authors' game; in ours black begins
};
constexpr std::array authors_games{
    AuthorsGame{"connect4", true},     AuthorsGame{"othello", false},
    AuthorsGame{"breakthrough", true}, AuthorsGame{"knightthrough", true},
    AuthorsGame{"atarigo", false},     AuthorsGame{"gomoku", false},
};

const AuthorsGame& authors_game(const games::AnyGame& game) {
  const auto* const found = std::ranges::find(authors_games, game.name(), &AuthorsGame::name);
  if (found == authors_games.end()) {
    throw BadNetwork("the novelty authors have no networks, planes and policy for " +
                     std::string(game.name()));
  }
  return *found;
}

const std::vector<int>& sizes_of(const Tensors& tensors, const std::string& name) {
  return tensors.find(name)->second.shape;
}

/// The filters of the residual blocks.
std::vector<int> filters_of(const Tensors& tensors) {
  std::vector<int> filters;
  for (int i = 0;; ++i) {
    const std::string block = "blocks." + std::to_string(i);
    if (!tensors.contains(block + ".conv1.weight")) return filters;
    const int inside = sizes_of(tensors, block + ".conv1.weight")[0];
    const int behind = sizes_of(tensors, block + ".conv2.weight")[0];
    if (inside != behind) {
      throw BadNetwork("a residual block of the file has " + std::to_string(inside) +
                       " filters inside and " + std::to_string(behind) +
                       " behind: blocks here have as many inside as behind");
    }
    filters.push_back(inside);
  }
}

/// Throws BadNetwork unless the file's network has what the authors' for this game have.
void expect(const std::string& found, const std::string& wanted, const games::AnyGame& game) {
  if (found == wanted) return;
  const std::string parameters = game.parameters().line();
  throw BadNetwork("the file's network has " + found + ", but the authors' networks for " +
                   std::string(game.name()) + (parameters.empty() ? "" : " ") + parameters +
                   " have " + wanted);
}

/// In words; the shape has positions, planes, rows and columns.
std::string input_of(const std::vector<std::int64_t>& shape) {
  return std::to_string(shape[1]) + " planes of " + std::to_string(shape[2]) + " x " +
         std::to_string(shape[3]);
}

/// The network's shape, which must fit the game.
NetworkShape shape_of(const DjlBlocks& blocks, const games::AnyGame& game) {
  const auto [planes, rows, columns, policy, values] = engine::network_interface(game);
  // A plane is stored as `rows` rows; the authors' networks read it as `columns` rows.
  NetworkShape shape = NetworkShape::paper(planes, columns, rows, policy, values);
  shape.filters = filters_of(blocks.tensors);
  if (shape.filters.empty()) throw BadNetwork("the file's network has no residual blocks");
  shape.value_hidden = sizes_of(blocks.tensors, "value.fc1.weight")[0];
  shape.policy_hidden = sizes_of(blocks.tensors, "policy.fc1.weight")[0];
  expect(std::to_string(sizes_of(blocks.tensors, "policy.fc2.weight")[0]) + " policy outputs",
         std::to_string(policy) + " policy outputs", game);
  expect(input_of(blocks.input), input_of({1, planes, shape.rows, shape.columns}), game);
  return shape;
}

/// Swaps the places 0 and 1, 2 and 3 ... of a tensor's dimension: the two colours.
void exchange_colours(Tensor& tensor, std::size_t dimension) {
  std::size_t each = 1;
  for (std::size_t d = dimension + 1; d < tensor.shape.size(); ++d) each *= tensor.shape[d];
  for (std::size_t at = 0; at < tensor.data.size(); at += 2 * each) {
    const auto first = tensor.data.begin() + static_cast<std::ptrdiff_t>(at);
    std::swap_ranges(first, first + static_cast<std::ptrdiff_t>(each),
                     first + static_cast<std::ptrdiff_t>(each));
  }
}

}  // namespace

NetworkFile read_djl(std::string_view bytes, const games::AnyGame& game) {
  const AuthorsGame& theirs = authors_game(game);
  NetworkFile file;
  file.game = game.name();
  file.parameters = game.parameters().line();
  DjlBlocks blocks = read_djl_blocks(bytes);
  file.shape = shape_of(blocks, game);
  file.tensors = std::move(blocks.tensors);
  file.procedure = "imported from a .param file (Deep Java Library)";
  file.rereads_planes = file.shape.rows != file.shape.columns;
  check(file.shape, file.tensors);
  if (theirs.white_begins) return file;
  // The planes are stones and side to move, each white before black; then come the values.
  for (const char* name : {"blocks.0.conv1.weight", "blocks.0.skip.weight"}) {
    exchange_colours(file.tensors[name], 1);
  }
  for (const char* name : {"value.fc2.weight", "value.fc2.bias"}) {
    exchange_colours(file.tensors[name], 0);
  }
  return file;
}

}  // namespace pitboss::clients
