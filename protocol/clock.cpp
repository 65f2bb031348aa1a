#include "protocol/clock.hpp"

#include <algorithm>

namespace pitboss::protocol {

void Clock::set(Seconds main, Seconds byo_yomi, int stones) {
  limited_ = !(byo_yomi > Seconds{} && stones == 0);
  main_ = main;
  byo_yomi_ = byo_yomi;
  stones_ = stones;
  restart();
}

Clock::Hand Clock::fresh_hand() const {
  return main_ > Seconds{} ? Hand{main_, 0} : Hand{byo_yomi_, stones_};
}

void Clock::restart() { hands_.fill(fresh_hand()); }

void Clock::set_left(games::Colour colour, Seconds left, int stones) {
  limited_ = true;
  hands_[games::index(colour)] = {left, stones};
}

std::optional<std::chrono::milliseconds> Clock::for_move(games::Colour colour) const {
  if (!limited_) return std::nullopt;
  // Kept back for the way to the client, and the number of moves that main time should last for.
  constexpr Seconds lag{0.05};
  constexpr double moves_in_main_time = 25;
  const Hand& hand = hands_[games::index(colour)];
  Seconds time = std::max(hand.left - lag, Seconds{});
  if (hand.stones > 0) {
    time /= hand.stones;
  } else if (stones_ > 0) {
    time = std::max(time / moves_in_main_time, std::min(time, byo_yomi_ / stones_));
  } else {
    time /= moves_in_main_time;
  }
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(time),
                  std::chrono::milliseconds{1});
}

void Clock::spend(games::Colour colour, Seconds used) {
  if (!limited_) return;
  Hand& hand = hands_[games::index(colour)];
  hand.left -= used;
  const bool period_over = hand.stones > 0 && --hand.stones == 0;
  const bool main_time_over = hand.stones == 0 && hand.left <= Seconds{} && stones_ > 0;
  if (period_over || main_time_over) hand = {byo_yomi_, stones_};
}

}  // namespace pitboss::protocol
