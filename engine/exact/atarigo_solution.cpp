#include "engine/exact/atarigo_solution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "engine/exact/proof_number_search.hpp"
#include "games/grid.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

namespace {

/// With more stones it does not pay to look for the images of a position.
constexpr int most_imaged = 8;

template <int Bits>
class AtariGoRules {
 public:
  using Board = games::Bitboard<Bits>;

  struct Position {
    Board own;  ///< of the side to move
    Board enemy;
    friend bool operator==(const Position&, const Position&) = default;
    [[nodiscard]] const Position& key() const { return *this; }
    [[nodiscard]] std::uint64_t hash() const {
      std::uint64_t hash = 0;
      for (const Board* board : {&own, &enemy}) {
        for (int i = 0; i < Board::words; ++i) hash = games::mix(hash ^ board->word(i));
      }
      return hash;
    }
  };

  explicit AtariGoRules(const games::AtariGo& position)
      : grid_(&games::rectangular_grid<Bits>(position.shape().width, position.shape().height)) {
    for (const games::Symmetry& symmetry : games::square_symmetries) {
      std::vector<std::uint8_t>& image = images_.emplace_back();
      for (int p = 0; p < most_moves(); ++p) {
        image.push_back(static_cast<std::uint8_t>(symmetry.point(position.shape(), p)));
      }
    }
  }

  [[nodiscard]] int most_moves() const { return grid_->points.count(); }
  [[nodiscard]] int most_plies() const { return most_moves(); }
  [[nodiscard]] Position position_of(const games::AtariGo& game) const {
    const auto mover = games::index(game.to_move());
    return lowest({game.pieces(mover).template resized<Bits>(),
                   game.pieces(1 - mover).template resized<Bits>()});
  }
  template <class Add>
  [[nodiscard]] std::optional<int> expand(const Position& position, Add&& add) const;

 private:
  /// The liberties of each group of a side.
  struct Groups {
    std::array<Board, Bits / 2> liberties;  // of two points beside each other one has a group
    int count = 0;
    [[nodiscard]] const Board* begin() const { return liberties.data(); }
    [[nodiscard]] const Board* end() const { return liberties.data() + count; }
  };

  [[nodiscard]] Groups groups(const Board& stones, const Board& empty) const {
    Groups groups;
    for (Board rest = stones; rest.any();) {
      const Board group = grid_->flood(Board::point(rest.first()), rest);
      groups.liberties[static_cast<std::size_t>(groups.count++)] = grid_->neighbours(group) & empty;
      rest = minus(rest, group);
    }
    return groups;
  }
  /// The liberties of the group of a stone at the point `p`, a liberty of the groups that it joins.
  [[nodiscard]] Board liberties_at(const Board& p, const Groups& groups, const Board& empty) const {
    Board all = grid_->neighbours(p) & empty;
    for (const Board& liberties : groups) {
      if ((liberties & p).any()) all |= liberties;
    }
    return minus(all, p);
  }
  /// Whether the side with these groups, of which the enemy has just taken the liberty `p`, loses a
  /// group.
  [[nodiscard]] bool is_caught(const Board& p, const Groups& groups, const Board& empty,
                               bool& is_in_atari) const {
    Board last;
    for (const Board& liberties : groups) {
      if ((liberties & p).any() && liberties.count() == 2) last |= minus(liberties, p);
    }
    is_in_atari = last.any();
    if (!is_in_atari) return false;
    if (last.count() > 1) return true;
    return minus(liberties_at(last, groups, empty), p).count() <= 1;
  }
  [[nodiscard]] Position image(const Position& position,
                               const std::vector<std::uint8_t>& to) const {
    Position image;
    position.own.for_each([&](int p) { image.own.add(to[static_cast<std::size_t>(p)]); });
    position.enemy.for_each([&](int p) { image.enemy.add(to[static_cast<std::size_t>(p)]); });
    return image;
  }
  /// Of the images of a position with few stones, the one whose words are lowest.
  [[nodiscard]] Position lowest(const Position& position) const {
    if ((position.own | position.enemy).count() > most_imaged) return position;
    const auto is_lower = [](const Position& a, const Position& b) {
      for (int i = 0; i < Board::words; ++i) {
        if (a.own.word(i) != b.own.word(i)) return a.own.word(i) < b.own.word(i);
        if (a.enemy.word(i) != b.enemy.word(i)) return a.enemy.word(i) < b.enemy.word(i);
      }
      return false;
    };
    Position lowest = position;
    for (const auto& to : images_) lowest = std::min(lowest, image(position, to), is_lower);
    return lowest;
  }

  const games::Grid<Bits>* grid_;
  std::vector<std::vector<std::uint8_t>> images_;  ///< of each point, by symmetry
};

template <int Bits>
template <class Add>
std::optional<int> AtariGoRules<Bits>::expand(const Position& position, Add&& add) const {
  const Board empty = minus(grid_->points, position.own | position.enemy);
  const Groups enemy = groups(position.enemy, empty);
  for (const Board& liberties : enemy) {
    if (liberties.count() == 1) return 1;
  }
  const Groups own = groups(position.own, empty);
  Board forced;
  for (const Board& liberties : own) {
    if (liberties.count() == 1) forced |= liberties;
  }
  if (forced.count() > 1) return -1;
  bool wins = false;
  (forced.any() ? forced : empty).for_each([&](int point) {
    const Board p = Board::point(point);
    if (wins || liberties_at(p, own, empty).count() <= 1) return;
    bool is_in_atari = false;
    wins = is_caught(p, enemy, empty, is_in_atari);
    if (wins) return;
    const Board left = minus(empty, p);
    const int lead = (grid_->neighbours(position.own | p) & left).count() -
                     (grid_->neighbours(position.enemy) & left).count();
    const int win = std::clamp(8 + 2 * lead, 1, 32);
    const int loss = std::clamp(8 - 2 * lead, 1, 32);
    add(lowest({position.enemy, position.own | p}),
        ProofNumbers{static_cast<std::uint32_t>(win),
                     static_cast<std::uint32_t>(is_in_atari ? std::max(loss / 4, 1) : loss)});
  });
  return wins ? std::optional(1) : std::nullopt;
}

template <int Bits>
class BoundedProver final : public AtariGoSolution::Prover {
 public:
  BoundedProver(const games::AtariGo& position, std::size_t table_bytes)
      : search_(AtariGoRules<Bits>(position), table_bytes) {}

  [[nodiscard]] std::optional<int> score(const games::AtariGo& position,
                                         Patience& patience) override {
    return search_.score(search_.rules().position_of(position), patience);
  }
  [[nodiscard]] std::optional<int> known(const games::AtariGo& position) const override {
    return search_.known(search_.rules().position_of(position));
  }

 private:
  ProofNumberSearch<AtariGoRules<Bits>> search_;
};

std::unique_ptr<AtariGoSolution::Prover> make_prover(const games::AtariGo& position,
                                                     std::size_t table_bytes) {
  if (position.points().count() <= 64) {
    return std::make_unique<BoundedProver<64>>(position, table_bytes);
  }
  return std::make_unique<BoundedProver<128>>(position, table_bytes);
}

}  // namespace

AtariGoSolution::AtariGoSolution(const Game& position, std::size_t table_bytes)
    : prover_(make_prover(position, table_bytes)) {}

std::optional<int> AtariGoSolution::score(const Game& position, Patience& patience) {
  if (position.result().finished()) return -1;  // who has moved last has won
  return prover_->score(position, patience);
}

int AtariGoSolution::most(const Game& position) const {
  if (position.result().finished()) return -1;
  return prover_->known(position).value_or(1);
}

/// Measured at the starts of 4x4 and 5x5 and after random moves on 5x5 to 9x9: the exponent grows
/// with the board's area, and falls with the part of it that has stones.
double AtariGoSolution::expected_positions(const Game& position) {
  const double area = position.points().count();
  const int stones = (position.pieces(0) | position.pieces(1)).count();
  return 10 * std::pow(10, 0.27 * area * std::exp(-4 * stones / area));
}

}  // namespace pitboss::engine
