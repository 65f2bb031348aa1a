#include "engine/exact/teeko_table.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/sha256.hpp"
#include "games/teeko.hpp"

namespace pitboss::engine {

namespace {

using Markers = TeekoTable::Markers;
using Points = std::uint32_t;

constexpr std::string_view sha256_of_table =
    "e61d345921c3cc016ecc09917451ea9c4e775b93555d77b27e364a59979ac49d";
constexpr int board_side = 5;
constexpr int board_points = board_side * board_side;
constexpr Points whole_board = (Points{1} << board_points) - 1;
constexpr int side_markers = 4;
constexpr int all_markers = 2 * side_markers;

Points lowest_point(Points set) { return set & (~set + 1); }

/// How many sets of k points there are among n, by n and k.
constexpr auto choose = [] {
  std::array<std::array<std::uint32_t, side_markers + 1>, board_points + 1> table{};
  for (int n = 0; n <= board_points; ++n) {
    table[n][0] = 1;
    for (int k = 1; n > 0 && k <= side_markers; ++k) {
      table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
    }
  }
  return table;
}();

/// The number of a set of points among those of its size, in the order of the words, as if
/// there were no points in `without`.
std::uint32_t rank(Points set, Points without = 0) {
  std::uint32_t rank = 0;
  for (int k = 1; set != 0; ++k, set &= set - 1) {
    rank += choose[std::countr_zero(set) - std::popcount(without & (lowest_point(set) - 1))][k];
  }
  return rank;
}

/// The sets of so many points, in the order of their ranks.
std::vector<Points> sets_of(int size) {
  if (size == 0) return {0};
  std::vector<Points> sets;
  for (Points set = (Points{1} << size) - 1; set <= whole_board;) {
    sets.push_back(set);
    const Points carried = set + lowest_point(set);
    set = carried | (set ^ carried) / lowest_point(set) >> 2;
  }
  return sets;
}

/// By point: its neighbours.
constexpr auto around = [] {
  std::array<Points, board_points> table{};
  for (int p = 0; p < board_points; ++p) {
    for (int q = 0; q < board_points; ++q) {
      const int dx = p % board_side - q % board_side;
      const int dy = p / board_side - q / board_side;
      if (p != q && dx * dx <= 1 && dy * dy <= 1) table[p] |= Points{1} << q;
    }
  }
  return table;
}();

constexpr int symmetry_count = static_cast<int>(games::square_symmetries.size());

Points image(int symmetry, Points set) {
  static constexpr auto images = [] {
    std::array<std::array<Points, board_points>, symmetry_count> table{};
    for (int s = 0; s < symmetry_count; ++s) {
      for (int p = 0; p < board_points; ++p) {
        table[s][p] =
            Points{1} << games::square_symmetries[s].point({board_side, board_side, board_side}, p);
      }
    }
    return table;
  }();
  Points image = 0;
  for (; set != 0; set &= set - 1) image |= images[symmetry][std::countr_zero(set)];
  return image;
}

/// Where the entry of each placement is. Of the sets that are images of each other the lowest
/// stands for all; entries are by the number of markers, then by the set that stands for the own
/// markers, then by the enemy's markers among the other points.
class Places {
 public:
  Places() {
    for (int size = 0; size <= side_markers; ++size) {
      std::vector<Points>& standing = standing_[size];
      for (const Points set : sets_of(size)) {
        Standing one{0, 0};
        for (int s = 1; s < symmetry_count; ++s) {
          if (image(s, set) < image(one.symmetry, set))
            one.symmetry = static_cast<std::uint16_t>(s);
        }
        const Points lowest = image(one.symmetry, set);
        if (lowest == set) standing.push_back(set);
        one.number = lowest == set ? static_cast<std::uint16_t>(standing.size() - 1)
                                   : of_set_[size][rank(lowest)].number;
        of_set_[size].push_back(one);
      }
    }
    for (int count = 0; count <= all_markers; ++count) {
      begin_[count + 1] = begin_[count] + standing_[count / 2].size() * enemies(count);
    }
  }

  [[nodiscard]] std::size_t size() const { return begin_.back(); }
  /// The sets that stand for all of their size.
  [[nodiscard]] const std::vector<Points>& standing(int size) const { return standing_[size]; }
  [[nodiscard]] std::size_t of(Markers markers) const {
    const Standing standing = standing_for(markers.own);
    return place(markers, standing.number, standing.symmetry);
  }
  /// Calls `call` with each place at which a placement may be looked up: there are several if
  /// symmetry_count keep the own markers.
  void each(Markers markers, const auto& call) const {
    const Standing standing = standing_for(markers.own);
    const Points lowest = image(standing.symmetry, markers.own);
    for (int s = 0; s < symmetry_count; ++s) {
      if (image(s, markers.own) == lowest) call(place(markers, standing.number, s));
    }
  }

 private:
  /// The set that stands for another one, and the symmetry that brings that onto it.
  struct Standing {
    std::uint16_t number;
    std::uint16_t symmetry;
  };

  /// How many sets the enemy's markers may be if there are so many in all.
  [[nodiscard]] static std::size_t enemies(int count) {
    return choose[board_points - count / 2][count - count / 2];
  }
  [[nodiscard]] Standing standing_for(Points set) const {
    return of_set_[std::popcount(set)][rank(set)];
  }
  [[nodiscard]] std::size_t place(Markers markers, std::size_t number, int symmetry) const {
    const int own = std::popcount(markers.own);
    const int count = own + std::popcount(markers.enemy);
    return begin_[count] + number * enemies(count) +
           rank(image(symmetry, markers.enemy), standing_[own][number]);
  }

  std::array<std::vector<Points>, side_markers + 1> standing_;
  std::array<std::vector<Standing>, side_markers + 1> of_set_;  ///< by rank
  std::array<std::size_t, all_markers + 2> begin_{};            ///< by the number of markers
};

const Places& places() {
  static const Places places;
  return places;
}

/// Calls `call` with what becomes of `men` by each move of one of them, or each move back.
void each_slide(Points men, Points empty, const auto& call) {
  for (Points left = men; left != 0; left &= left - 1) {
    const Points from = lowest_point(left);
    Points to = around[std::countr_zero(left)] & empty;
    for (; to != 0; to &= to - 1) call((men ^ from) | lowest_point(to));
  }
}

Points empty_of(Markers markers) { return whole_board & ~(markers.own | markers.enemy); }

/// What the table has of a placement: 0 without a forced win, else the plies and one more.
int entry(const std::string& entries, Markers markers) {
  return static_cast<unsigned char>(entries[places().of(markers)]);
}
constexpr int most_entry = 255;
/// Whether an entry is a win of the side to move.
bool is_win(int entry) { return entry > 0 && entry % 2 == 0; }

}  // namespace

/// Fills the table from the last plies to the first.
class TeekoTable::Retrograde {
 public:
  explicit Retrograde(std::string& entries) : entries_(entries) {
    for (const games::TeekoFigure& figure : games::teeko_figures) {
      for (auto starts = static_cast<Points>(figure.starts); starts != 0; starts &= starts - 1) {
        figures_.push_back(static_cast<Points>(figure.markers << std::countr_zero(starts)));
        is_figure_[rank(figures_.back())] = true;
      }
    }
  }

  /// All markers are on the board: ply by ply from the won placements back.
  void slides() {
    std::vector<Markers> ends;
    for (const Points own : sets_of(side_markers)) {
      for (const Points figure : figures_) {
        if ((own & figure) == 0 && !is_figure(own)) set(ends.emplace_back(Markers{own, figure}), 1);
      }
    }
    for (int entry = 2; !ends.empty(); ++entry) {
      std::vector<Markers> found;
      for (const Markers& after : ends) {
        each_slide(after.enemy, empty_of(after), [&](Points own) {
          const Markers before{own, after.own};
          if (entry_of(before) != 0 || is_figure(own)) return;
          if (is_win(entry) || loses_by_all_slides(before)) set(found.emplace_back(before), entry);
        });
      }
      ends = std::move(found);
    }
  }

  /// So many markers are on the board, fewer than all.
  void drops(int count) {
    const int own_count = count / 2;
    const auto enemies = sets_of(count - own_count);
    for (const Points own : places().standing(own_count)) {
      for (const Points enemy : enemies) {
        if ((own & enemy) == 0) set({own, enemy}, entry_by_drops({own, enemy}));
      }
    }
  }

 private:
  [[nodiscard]] bool is_figure(Points set) const {
    return std::popcount(set) == side_markers && is_figure_[rank(set)];
  }
  [[nodiscard]] int entry_of(Markers markers) const { return entry(entries_, markers); }
  void set(Markers markers, int entry) {
    places().each(markers, [&](std::size_t place) { entries_[place] = static_cast<char>(entry); });
  }
  [[nodiscard]] bool loses_by_all_slides(Markers markers) const {
    bool loses = true;
    each_slide(markers.own, empty_of(markers), [&](Points own) {
      loses = loses && is_win(entry_of({markers.enemy, own}));
    });
    return loses;
  }
  [[nodiscard]] int entry_by_drops(Markers markers) const {
    if (is_figure(markers.enemy)) return 1;
    int soonest_loss = most_entry;  // of the enemy
    int latest_win = 0;
    bool is_endless = false;
    for (Points left = empty_of(markers); left != 0; left &= left - 1) {
      const int after = entry_of({markers.enemy, markers.own | lowest_point(left)});
      if (after == 0) {
        is_endless = true;
      } else if (is_win(after)) {
        latest_win = std::max(latest_win, after);
      } else {
        soonest_loss = std::min(soonest_loss, after);
      }
    }
    if (soonest_loss < most_entry) return soonest_loss + 1;
    return is_endless ? 0 : latest_win + 1;
  }

  std::string& entries_;
  std::vector<Points> figures_;
  std::array<bool, choose[board_points][side_markers]> is_figure_{};
};

TeekoTable TeekoTable::made() {
  std::string entries(places().size(), 0);
  Retrograde retrograde(entries);
  retrograde.slides();
  for (int count = all_markers - 1; count >= 0; --count) retrograde.drops(count);
  return TeekoTable(std::move(entries));
}

std::optional<TeekoTable> TeekoTable::of(std::string bytes) {
  if (sha256(bytes) != sha256_of_table) return std::nullopt;
  return TeekoTable(std::move(bytes));
}

std::optional<int> TeekoTable::plies(Markers markers) const {
  const int found = entry(bytes_, markers);
  return found == 0 ? std::nullopt : std::optional(found - 1);
}

}  // namespace pitboss::engine
