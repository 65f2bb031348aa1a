#pragma once

#include <string_view>

#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// Reads a `.param` file of the program by the authors of Novelty in Monte Carlo Tree Search (the
/// blocks of a network as the Deep Java Library 0.31 writes them), which may come from anywhere, as
/// a network for this game with its parameters: one of the six that the authors have networks for.
///
/// What is theirs becomes ours: the order of planes and values (they have white before black), and
/// the planes of an oblong board, which their networks read with rows and columns exchanged
/// (NetworkFile::rereads_planes). Throws engine::BadNetwork with a sentence.
[[nodiscard]] engine::NetworkFile read_djl(std::string_view bytes, const games::AnyGame& game);

}  // namespace pitboss::clients
