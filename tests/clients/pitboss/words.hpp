#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/folders.hpp"

namespace pitboss::clients {

/// Of a command line.
using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The command line of `pitboss VERB`.
inline Words command(const std::string& verb, const Words& words) {
  return Words{tests::bin_folder() + "/pitboss", verb} + words;
}

/// A match of two short searches at connect4.
inline Words referee_words(const std::string& server, const std::filesystem::path& out, int games,
                           const Words& more = {}) {
  return command("referee",
                 {"--server", server, "--game", "connect4", "--player",
                  "name=A simulations=50 novelty=pseudocount", "--player", "name=B simulations=50",
                  "--games", std::to_string(games), "--seed", "3", "--out", out.string()}) +
         more;
}

}  // namespace pitboss::clients
