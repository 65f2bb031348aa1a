#include "games/suggestion.hpp"

#include <algorithm>
#include <vector>

#include "games/letter_case.hpp"

namespace pitboss::games {

namespace {

/// Longer than every known word.
constexpr std::size_t longest = 64;

/// The fewest letters that may stand for a longer word.
constexpr std::size_t shortest_part = 3;

bool same(char a, char b) { return lower(a) == lower(b); }

/// The number of letters to change, add, leave out or exchange with a neighbour (Damerau).
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> cost(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int changed = cost[i - 1][j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1);
      cost[i][j] = std::min({changed, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

bool contains(std::string_view whole, std::string_view part) {
  return !std::ranges::search(whole, part, same).empty();
}

}  // namespace

std::string did_you_mean(std::string_view word, std::span<const std::string_view> known) {
  if (known.empty() || word.size() > longest) return {};
  const auto far = [&](std::string_view other) { return edit_distance(word, other); };
  std::string_view nearest = *std::ranges::min_element(known, {}, far);
  if (far(nearest) > static_cast<int>(nearest.size() + 1) / 3) {
    if (word.size() < shortest_part) return {};
    nearest = {};
    for (const std::string_view other : known) {
      const bool is_shorter = nearest.empty() || other.size() < nearest.size();
      if (is_shorter && contains(other, word)) nearest = other;
    }
    if (nearest.empty()) return {};
  }
  return "; did you mean '" + std::string(nearest) + "'?";
}

std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
  std::string similar = did_you_mean(word, known);
  if (!similar.empty() || known.empty()) return similar;
  std::string all;
  for (const std::string_view other : known) {
    all += (all.empty() ? "" : ", ") + std::string(other);
  }
  return "; known: " + all;
}

}  // namespace pitboss::games
