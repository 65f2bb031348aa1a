#pragma once

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

}  // namespace pitboss::clients
