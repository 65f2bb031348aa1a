#include "engine/policy/features/walk.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace pitboss::engine {

namespace {

/// Rounds turn * arity / full_turn to the nearest integer; halves are rounded down.
int index_of(int turn, int arity) {
  const int doubled = 2 * turn * arity - full_turn;  // ceil(doubled / (2 * full_turn))
  const int divisor = 2 * full_turn;
  return doubled >= 0 ? (doubled + divisor - 1) / divisor : -(-doubled / divisor);
}

/// The rank of turns in the order of walks.
int rank(int turn) { return turn > 0 ? 2 * turn - 1 : -2 * turn; }

/// The directions of a walk's steps; 0 is the anchor's north.
std::vector<int> headings(const Walk& walk) {
  std::vector<int> all;
  int heading = 0;
  for (const int turn : walk.turns) all.push_back(heading = normal_turn(heading + turn));
  return all;
}

Walk from_headings(const std::vector<int>& headings) {
  Walk walk;
  int before = 0;
  for (const int heading : headings) {
    walk.turns.push_back(static_cast<std::int8_t>(normal_turn(heading - before)));
    before = heading;
  }
  return walk;
}

}  // namespace

int normal_turn(int turn) {
  const int part = ((turn % full_turn) + full_turn) % full_turn;
  return part > full_turn / 2 ? part - full_turn : part;
}

std::string turn_text(int turn) {
  const int divisor = std::gcd(turn, full_turn);
  const std::string above = std::to_string(turn / divisor);
  return turn % full_turn == 0 ? std::to_string(turn / full_turn)
                               : above + "/" + std::to_string(full_turn / divisor);
}

std::strong_ordering operator<=>(const Walk& a, const Walk& b) {
  if (const auto order = a.turns.size() <=> b.turns.size(); order != nullptr) return order;
  for (std::size_t i = 0; i < a.turns.size(); ++i) {
    if (const auto order = rank(a.turns[i]) <=> rank(b.turns[i]); order != nullptr) return order;
  }
  return std::strong_ordering::equal;
}

std::string text_of(const Walk& walk) {
  std::string text = "{";
  for (const int turn : walk.turns) text += (text.size() > 1 ? ", " : "") + turn_text(turn);
  return text + "}";
}

int destination(const games::BoardGraph& graph, int anchor, const Walk& walk,
                const Placement& placement) {
  const int sign = placement.mirrored ? -1 : 1;
  int before = games::BoardGraph::off;
  int here = anchor;
  for (const int turn : walk.turns) {
    const int arity = graph.arity(here);
    const int ahead =
        before == games::BoardGraph::off ? 0 : graph.index_of(here, before) + arity / 2;
    const int turned = before == games::BoardGraph::off ? turn + placement.rotation : turn;
    const int next = graph.neighbour(here, ahead + index_of(turned * sign, arity));
    if (next == games::BoardGraph::off) return next;
    before = here;
    here = next;
  }
  return here;
}

Walk placed(const Walk& walk, const Placement& placement) {
  Walk result = walk;
  if (!result.turns.empty()) {
    result.turns[0] = static_cast<std::int8_t>(normal_turn(result.turns[0] + placement.rotation));
  }
  if (!placement.mirrored) return result;
  for (auto& turn : result.turns) turn = static_cast<std::int8_t>(normal_turn(-turn));
  return result;
}

Walk seen_from(const Walk& origin, const Walk& walk) {
  const std::vector<int> back = headings(origin);
  const std::vector<int> forth = headings(walk);
  const auto [parting, on] = std::ranges::mismatch(back, forth);
  std::vector<int> all;
  for (auto i = back.end(); i != parting;) all.push_back(*--i + full_turn / 2);
  all.insert(all.end(), on, forth.end());
  return from_headings(all);
}

Walk joined(const Walk& first, const Walk& next) {
  std::vector<int> all = headings(first);
  for (const int heading : headings(next)) {
    const bool is_back = !all.empty() && normal_turn(all.back() + full_turn / 2 - heading) == 0;
    if (is_back) {
      all.pop_back();
    } else {
      all.push_back(heading);
    }
  }
  return from_headings(all);
}

Walk shortest_walk(const games::BoardGraph& graph, int from, int to) {
  // Breadth first from the end, so that the walk is read from its beginning.
  std::map<int, int> steps{{to, 0}};
  std::vector<int> reached{to};
  for (std::size_t i = 0; i < reached.size() && !steps.contains(from); ++i) {
    for (int n = 0; n < graph.arity(reached[i]); ++n) {
      const int next = graph.neighbour(reached[i], n);
      if (next == games::BoardGraph::off) continue;
      if (steps.try_emplace(next, steps.at(reached[i]) + 1).second) reached.push_back(next);
    }
  }
  std::vector<int> all;
  for (int here = from; here != to;) {
    for (int n = 0; n < graph.arity(here); ++n) {
      const int next = graph.neighbour(here, n);
      const auto found = steps.find(next);
      if (found == steps.end() || found->second != steps.at(here) - 1) continue;
      all.push_back(normal_turn(n * full_turn / graph.arity(here)));
      here = next;
      break;
    }
  }
  return from_headings(all);
}

std::vector<int> rotations_of(int arity) {
  std::vector<int> rotations;
  for (int i = 0; i < arity; ++i) rotations.push_back(i * full_turn / arity);
  return rotations;
}

std::vector<Walk> walks_up_to(int longest, int arity) {
  std::vector<Walk> walks(1);
  std::size_t begin = 0;
  for (int steps = 1; steps <= longest; ++steps) {
    const std::size_t end = walks.size();
    for (; begin < end; ++begin) {
      for (const int turn : rotations_of(arity)) {
        if (steps > 1 && turn == full_turn / 2) continue;
        Walk walk = walks[begin];
        walk.turns.push_back(static_cast<std::int8_t>(normal_turn(turn)));
        walks.push_back(std::move(walk));
      }
    }
  }
  return walks;
}

}  // namespace pitboss::engine
