#include "engine/exact/race_solution.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace pitboss::engine {

namespace {

constexpr std::uint64_t left_column = 0x0101010101010101U;
constexpr std::uint64_t lowest_row = 0xffU;

/// Where the step (dx, dy) leads from `men`, on a board of 8x8 points.
template <int Dx, int Dy>
constexpr std::uint64_t stepped(std::uint64_t men) {
  constexpr std::uint64_t sources =
      left_column * ((Dx >= 0 ? lowest_row >> Dx : lowest_row << -Dx) & lowest_row);
  constexpr int up = 8 * Dy + Dx;
  return up >= 0 ? (men & sources) << (up & 63) : (men & sources) >> (-up & 63);
}

/// Calls `call` with dx, dy and whether it must lead onto an empty point, for each step of the
/// rules.
template <class Rules, class Call>
constexpr void for_each_step(Call&& call) {
  [&]<std::size_t... S>(std::index_sequence<S...>) {
    (call.template operator()<Rules::steps[S].dx, Rules::steps[S].dy, Rules::steps[S].to_empty>(),
     ...);
  }
  (std::make_index_sequence<Rules::steps.size()>{});
}

/// Where men that go up the board get by a step that may capture.
template <class Rules>
constexpr std::uint64_t captures_up(std::uint64_t men) {
  std::uint64_t reached = 0;
  for_each_step<Rules>([&]<int Dx, int Dy, bool ToEmpty>() {
    if (!ToEmpty) reached |= stepped<Dx, Dy>(men);
  });
  return reached;
}
template <class Rules>
constexpr std::uint64_t captures_down(std::uint64_t men) {
  std::uint64_t reached = 0;
  for_each_step<Rules>([&]<int Dx, int Dy, bool ToEmpty>() {
    if (!ToEmpty) reached |= stepped<-Dx, -Dy>(men);
  });
  return reached;
}
/// By a step onto empty points only.
template <class Rules>
constexpr std::uint64_t quiet_up(std::uint64_t men) {
  std::uint64_t reached = 0;
  for_each_step<Rules>([&]<int Dx, int Dy, bool ToEmpty>() {
    if (ToEmpty) reached |= stepped<Dx, Dy>(men);
  });
  return reached;
}
template <class Rules>
constexpr std::uint64_t quiet_down(std::uint64_t men) {
  std::uint64_t reached = 0;
  for_each_step<Rules>([&]<int Dx, int Dy, bool ToEmpty>() {
    if (ToEmpty) reached |= stepped<-Dx, -Dy>(men);
  });
  return reached;
}

/// The points of `by_step` by how many steps, 1 at first, lead to them at least.
template <std::size_t N>
constexpr std::array<std::uint64_t, N> at_least(const std::array<std::uint64_t, N>& by_step) {
  std::array<std::uint64_t, N> points{};
  for (const std::uint64_t reached : by_step) {
    for (std::size_t k = N - 1; k > 0; --k) points[k] |= points[k - 1] & reached;
    points[0] |= reached;
  }
  return points;
}

}  // namespace

template <class GameRules>
RaceRules<GameRules>::RaceRules(const games::Race<GameRules>& position)
    : size_(position.shape().width),
      points_(position.points().word(0)),
      home_(points_ & lowest_row),
      goal_(points_ & lowest_row << 8 * (size_ - 1)) {}

/// The rows in the other order.
template <class GameRules>
std::uint64_t RaceRules<GameRules>::turned(std::uint64_t men) const {
  return __builtin_bswap64(men) >> 8 * (8 - size_);
}

template <class GameRules>
auto RaceRules<GameRules>::lower(std::uint64_t own, std::uint64_t enemy) const -> Position {
  const auto mirrored = [&](std::uint64_t men) {
    men = (men >> 1 & 0x5555555555555555U) | (men & 0x5555555555555555U) << 1;
    men = (men >> 2 & 0x3333333333333333U) | (men & 0x3333333333333333U) << 2;
    men = (men >> 4 & 0x0f0f0f0f0f0f0f0fU) | (men & 0x0f0f0f0f0f0f0f0fU) << 4;
    return men >> (8 - size_);
  };
  const Position image{mirrored(own), mirrored(enemy)};
  const bool is_lower = image.own != own ? image.own < own : image.enemy < enemy;
  return is_lower ? image : Position{own, enemy};
}

template <class GameRules>
auto RaceRules<GameRules>::position_of(const games::Race<GameRules>& game) const -> Position {
  const auto mover = games::index(game.to_move());
  const std::uint64_t own = game.pieces(mover).word(0);
  const std::uint64_t enemy = game.pieces(1 - mover).word(0);
  return mover == 0 ? lower(own, enemy) : lower(turned(own), turned(enemy));
}

/// Whether one of the men `own`, which go up, reaches the goal before an enemy man can, on points
/// where no enemy man that moves every time could stop it.
template <class GameRules>
bool RaceRules<GameRules>::outruns(std::uint64_t own, std::uint64_t enemy, bool moves_first) const {
  std::uint64_t running = own;
  std::uint64_t reached = enemy;  // where enemy men may be
  const auto enemy_moves = [&] {
    const std::uint64_t captured = captures_down<GameRules>(reached);
    running &= ~captured;
    reached |= captured | quiet_down<GameRules>(reached);
    return (reached & home_) == 0;
  };
  if (!moves_first && !enemy_moves()) return false;
  while (running != 0) {
    running = (captures_up<GameRules>(running) | (quiet_up<GameRules>(running) & ~reached)) &
              points_ & ~own;
    if ((running & goal_) != 0) return true;
    if (!enemy_moves()) return false;
  }
  return false;
}

/// Whether more men can step to a point from which the next step wins than enemy men can capture
/// there: then one of them stays, if the enemy does not threaten to win at once.
template <class GameRules>
bool RaceRules<GameRules>::breaks_through(std::uint64_t own, std::uint64_t enemy) const {
  std::array<std::uint64_t, steps> attacks{};
  std::array<std::uint64_t, steps> defences{};
  std::size_t s = 0;
  for_each_step<GameRules>([&]<int Dx, int Dy, bool ToEmpty>() {
    attacks[s] = stepped<Dx, Dy>(own) & ~own & (ToEmpty ? ~enemy : ~std::uint64_t{0});
    if (!ToEmpty) defences[s] = stepped<-Dx, -Dy>(enemy);
    ++s;
  });
  const std::uint64_t last = captures_down<GameRules>(goal_) & points_;
  const auto attackers = at_least(attacks);
  const auto defenders = at_least(defences);
  for (std::size_t k = 0; k < attackers.size(); ++k) {
    if ((attackers[k] & ~defenders[k] & last) != 0) return true;
  }
  return false;
}

template <class GameRules>
std::optional<int> RaceRules<GameRules>::judged(std::uint64_t own, std::uint64_t enemy) const {
  if (own == 0) return -1;
  if (outruns(own, enemy, /*moves_first=*/true)) return 1;
  if (const std::uint64_t threats = enemy & captures_up<GameRules>(home_); threats != 0) {
    const bool is_capture =
        std::has_single_bit(threats) && (captures_up<GameRules>(own) & threats) != 0;
    return is_capture ? std::nullopt : std::optional(-1);
  }
  if (breaks_through(own, enemy)) return 1;
  if (outruns(turned(enemy), turned(own), /*moves_first=*/false)) return -1;
  return std::nullopt;
}

template <class GameRules>
template <class Add>
std::optional<int> RaceRules<GameRules>::expand(const Position& position, Add&& add) const {
  const auto& [own, enemy] = position;
  if (const auto score = judged(own, enemy)) return score;
  const std::uint64_t threats = enemy & captures_up<GameRules>(home_);
  const std::uint64_t allowed = threats != 0 ? threats : points_ & ~own;
  bool wins = false;
  for_each_step<GameRules>([&]<int Dx, int Dy, bool ToEmpty>() {
    std::uint64_t to = stepped<Dx, Dy>(own) & allowed & (ToEmpty ? ~enemy : ~std::uint64_t{0});
    for (; to != 0 && !wins; to &= to - 1) {
      const std::uint64_t point = to & -to;
      const std::uint64_t after_own = (own ^ point >> (8 * Dy + Dx)) | point;
      const std::uint64_t after_enemy = enemy & ~point;
      const auto score = judged(turned(after_enemy), turned(after_own));
      wins = score == -1;
      if (!score) add(lower(turned(after_enemy), turned(after_own)), ProofNumbers{1, 1});
    }
  });
  return wins ? std::optional(1) : std::nullopt;
}

template <class GameRules>
RaceSolution<GameRules>::RaceSolution(const Game& position, std::size_t table_bytes)
    : search_(RaceRules<GameRules>(position), table_bytes) {}

template <class GameRules>
std::optional<int> RaceSolution<GameRules>::score(const Game& position, Patience& patience) {
  if (position.result().finished()) return -1;  // who has moved last has won
  return search_.score(search_.rules().position_of(position), patience);
}

template <class GameRules>
int RaceSolution<GameRules>::most(const Game& position) const {
  if (position.result().finished()) return -1;
  return search_.known(search_.rules().position_of(position)).value_or(1);
}

/// Measured at the starts of 5x5 and 6x6 and after random moves on 5x5 to 8x8: the exponent grows
/// with the rows that all men have to go, and falls with the part of them that they have gone or,
/// captured, do not go any more.
template <class GameRules>
double RaceSolution<GameRules>::expected_positions(const Game& position) {
  const int size = position.shape().width;
  int left = 0;
  for (const int colour : {0, 1}) {
    position.pieces(colour).for_each([&](int point) {
      const int y = point / position.shape().stride;
      left += colour == 0 ? size - 1 - y : y;
    });
  }
  const int at_start = 2 * size * (2 * size - 3);
  const double growth = Game::steps == 3 ? 0.1 : 0.05;  // knights soon meet
  const double part = static_cast<double>(left) / at_start;
  return 3 * std::pow(10, growth * left * part * part);
}

template class RaceSolution<games::BreakthroughRules>;
template class RaceSolution<games::KnightthroughRules>;

}  // namespace pitboss::engine
