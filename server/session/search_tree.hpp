#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/search/choice_terms.hpp"
#include "server/session/table_search.hpp"

namespace pitboss::server {

/// A move of a search's tree.
struct TreeMove {
  std::vector<std::string> path;  ///< the moves from the position searched to the one before it
  engine::MoveReport report;
  engine::ChoiceTerms terms;
};

/// The `most` most visited moves of the tree of a table's last search, or of the one that runs by
/// one thread, between two slices: most visited first, and each behind the one that leads to it. Of
/// games with thousands of moves in a position there may be fewer, so that it takes some
/// milliseconds at most. Nothing if there is no tree.
[[nodiscard]] std::vector<TreeMove> most_visited(const TableSearch& search, std::size_t most);

}  // namespace pitboss::server
