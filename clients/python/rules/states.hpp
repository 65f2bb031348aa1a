#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "clients/python/rules/state.hpp"

namespace pitboss::rules {

/// Positions of one game that are stepped at once. Arrays have a row a position.
class States {
 public:
  /// Throws games::BadGame unless all are of one game and there is at least one.
  explicit States(const std::vector<const State*>& states);

  [[nodiscard]] std::size_t size() const { return positions_.size(); }
  /// That of one of them.
  [[nodiscard]] const games::AnyGame& game() const { return positions_[0].game(); }
  /// The position as a state with nothing before it. Throws std::out_of_range.
  [[nodiscard]] State at(std::size_t place) const;

  /// The player to move, or State::terminal_player.
  void write_players(std::span<std::int32_t> players) const;
  void write_returns(std::span<double> returns) const;
  /// 1 for each legal action.
  void write_mask(std::span<std::int8_t> mask) const;
  /// How many legal actions each has. Returns those of the first, of the second and so on, each
  /// sorted.
  [[nodiscard]] std::vector<std::int32_t> write_counts(std::span<std::int32_t> counts) const;
  template <class Number>
  void write_planes(std::span<Number> planes) const;

  /// An action for each; for one that is over it may be anything. Throws games::BadGame, and then
  /// changes nothing, if one is not legal.
  void apply(std::span<const std::int32_t> actions);
  /// Has those that are over begin anew.
  void restart();

 private:
  std::vector<Position> positions_;
  std::vector<Position> initial_;
};

template <class Number>
void States::write_planes(std::span<Number> planes) const {
  const std::size_t size = planes.size() / positions_.size();
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    positions_[i].game().fill_planes(&planes[i * size]);
  }
}

}  // namespace pitboss::rules
