#pragma once

#include <cstdint>
#include <vector>

#include "games/game.hpp"

namespace pitboss::engine {

/// Mean results of moves wherever they were played, by the colour that played them: 1 MiB. When it
/// is crowded, moves that are new go uncounted.
class ActionTable {
 public:
  struct Mean {
    float value = 0;
    std::uint32_t count = 0;
  };

  ActionTable();
  void clear();
  /// The mean result of a move for `mover`; count 0 if it is not known.
  [[nodiscard]] Mean of(games::Move move, games::Colour mover) const;
  void add(games::Move move, games::Colour mover, double value);

 private:
  static constexpr std::size_t size = 65536;
  static constexpr int most_probes = 8;
  struct Entry {
    std::uint64_t key = 0;  ///< 0: free
    Mean mean;
  };
  static_assert(sizeof(Entry) == 16);

  [[nodiscard]] static std::uint64_t key_of(games::Move move, games::Colour mover);
  /// The move's entry, or the free one where it belongs; null if there is neither.
  [[nodiscard]] const Entry* find(std::uint64_t key) const;

  std::vector<Entry> entries_;
};

}  // namespace pitboss::engine
