#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// A game to be played.
struct GameTask {
  int match;
  int game;  ///< number in the match, from 0
};

/// The games that are left to play. The order is: games that must be played again; games of rounds
/// that have begun; a new round of the match with the fewest rounds begun. Not thread-safe; nothing
/// blocks.
class Schedule {
 public:
  Schedule(const Experiment& experiment, const std::vector<PlayedRound>& played);

  /// The next game of a match for which `fits(match)` holds, if there is one. `is_new` tells
  /// whether it is the first of its round.
  template <class Fits>
  [[nodiscard]] std::optional<GameTask> next(const Fits& fits, bool& is_new);

  /// Puts a game back that must be played again.
  void again(GameTask task);
  /// Adds the record of a game; returns its round if that was the round's last game.
  [[nodiscard]] std::optional<PlayedRound> add(GameTask task, PlayedGame record);

  /// Drops all games of the match that are left.
  void drop(int match);
  /// From then on no new round begins.
  void begin_no_more() { is_closing_ = true; }

  /// Whether `next` can still return a game, now or after `again`.
  [[nodiscard]] bool has_more() const;
  /// Calls `use(match)` for each match with games that have not begun.
  template <class Use>
  void for_each_left(const Use& use) const;

 private:
  struct Round {
    std::vector<std::optional<PlayedGame>> games;
    int begun = 0;
    int left;
    std::int64_t since = now_in_seconds();
  };
  [[nodiscard]] bool has_rounds(int match) const;
  void skip_played(int match);

  const Experiment& experiment_;
  std::vector<std::vector<bool>> played_;  // by match and round
  std::vector<int> next_round_;            // by match
  std::map<std::pair<int, int>, Round> open_;
  std::vector<GameTask> again_;
  bool is_closing_ = false;
};

template <class Fits>
std::optional<GameTask> Schedule::next(const Fits& fits, bool& is_new) {
  is_new = false;
  for (auto task = again_.begin(); task != again_.end(); ++task) {
    if (!fits(task->match)) continue;
    const GameTask found = *task;
    again_.erase(task);
    return found;
  }
  for (auto& [key, round] : open_) {
    const auto [match, number] = key;
    const auto size = static_cast<int>(round.games.size());
    if (round.begun < size && fits(match)) return GameTask{match, number * size + round.begun++};
  }
  if (is_closing_) return std::nullopt;
  int best = -1;
  for (int match = 0; match < static_cast<int>(next_round_.size()); ++match) {
    const bool is_better = best < 0 || next_round_[match] < next_round_[best];
    if (is_better && has_rounds(match) && fits(match)) best = match;
  }
  if (best < 0) return std::nullopt;
  is_new = true;
  const int size = experiment_.matches[best].round();
  const int number = next_round_[best]++;
  skip_played(best);
  Round round{.games = {}, .begun = 1, .left = size};
  round.games.resize(static_cast<std::size_t>(size));
  open_.emplace(std::pair(best, number), std::move(round));
  return GameTask{best, number * size};
}

template <class Use>
void Schedule::for_each_left(const Use& use) const {
  for (const GameTask& task : again_) use(task.match);
  for (const auto& [key, round] : open_) {
    if (round.begun < static_cast<int>(round.games.size())) use(key.first);
  }
  if (is_closing_) return;
  for (int match = 0; match < static_cast<int>(next_round_.size()); ++match) {
    if (has_rounds(match)) use(match);
  }
}

}  // namespace pitboss::clients
