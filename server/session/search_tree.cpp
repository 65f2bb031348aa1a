#include "server/session/search_tree.hpp"

#include <algorithm>
#include <queue>
#include <utility>

namespace pitboss::server {

namespace {

struct Candidate {
  TreeMove move;
  std::vector<games::Move> line;  ///< up to the move, which is its last

  /// Of equal ones the first found is the more visited one.
  std::size_t found;
  friend bool operator<(const Candidate& a, const Candidate& b) {
    const auto key = [](const Candidate& each) {
      return std::pair(each.move.report.visits, ~each.found);
    };
    return key(a) < key(b);
  }
};

}  // namespace

std::vector<TreeMove> most_visited(const TableSearch& search, std::size_t most) {
  constexpr std::size_t most_looked_at = 20'000;  // moves, also those without visits
  std::vector<TreeMove> told;
  std::priority_queue<Candidate> candidates;
  std::size_t looked_at = 0;
  std::size_t found = 0;
  const auto look_below = [&](const std::vector<games::Move>& line) {
    auto report = looked_at < most_looked_at ? search.last_below(line) : std::nullopt;
    if (!report) return;
    looked_at += report->moves.size();
    const auto terms = engine::choice_terms(*report);
    for (std::size_t i = 0; i < report->moves.size(); ++i) {
      engine::MoveReport& move = report->moves[i];
      if (move.visits == 0) continue;
      auto longer = line;
      longer.push_back(move.code);
      candidates.push({{report->path, std::move(move), terms[i]}, std::move(longer), found++});
    }
  };
  look_below({});
  while (!candidates.empty() && told.size() < most) {
    Candidate next = candidates.top();
    candidates.pop();
    // A position has moves from its second visit on.
    if (next.move.report.visits > 1) look_below(next.line);
    told.push_back(std::move(next.move));
  }
  return told;
}

}  // namespace pitboss::server
