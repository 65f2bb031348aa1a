#pragma once

#include <string_view>

#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// Reads a `.param` file by the authors of Novelty in Monte Carlo Tree Search (a network's blocks
/// as the Deep Java Library 0.31 writes them) as a network for this game with its parameters, which
/// must be one of the authors' six. The bytes may come from anywhere.
///
/// The result has our order of planes and values (the authors have white before black). The
/// authors' networks read the planes of an oblong board with rows and columns exchanged
/// (NetworkFile::rereads_planes). Throws engine::BadNetwork with a sentence.
[[nodiscard]] engine::NetworkFile read_djl(std::string_view bytes, const games::AnyGame& game);

}  // namespace pitboss::clients
