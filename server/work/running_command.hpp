#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "server/work/search_helper.hpp"
#include "server/work/slices.hpp"

namespace pitboss::server {

/// What a conversation keeps of the command that takes time.
struct RunningCommand {
  enum class End : std::uint8_t { none, answered, failed };

  // The I/O thread's.
  bool yields = false;                              ///< any line ends it
  bool is_short = false;                            ///< a line that is handled elsewhere
  std::chrono::steady_clock::time_point arrived{};  ///< its line
  std::vector<std::shared_ptr<SearchHelper>> helpers;
  std::string answers_after;  ///< to lines that were obeyed while it runs

  // The pool's; `submit` and the posted end hand it over.
  Slices slices;
  std::string text;  ///< of its answer
  End end = End::none;
};

}  // namespace pitboss::server
