#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

/// A game to be played.
struct GameTask {
  int match;
  int game;  ///< number in the match, from 0
  auto operator<=>(const GameTask&) const = default;
};

/// Says of a round that it ends now, and began at `since`: the time of day may have been set
/// meanwhile.
void note_times(PlayedRound& round, std::chrono::steady_clock::time_point since);

/// How many games a referee wants to have at hand.
struct Supply {
  int idle = 0;   ///< that would begin at once where there is room
  int ahead = 1;  ///< beside these, to begin while the ledger is asked
};

/// The games that are left to play, of which a referee plays those whose rounds the ledger has
/// granted. The order is: games that must be played again; games of rounds that have begun; the
/// granted round with the lowest number. Not thread-safe; nothing blocks.
class Schedule {
 public:
  Schedule(const Experiment& experiment, const std::vector<PlayedRound>& played);

  /// The next game of a match for which `fits(match)` holds, if there is one.
  template <class Fits>
  [[nodiscard]] std::optional<GameTask> next(const Fits& fits);
  /// Puts a game back that must be played again.
  void again(GameTask task);
  /// Adds the record of a game, unless there is one already; returns its round if that was the
  /// round's last game. The round is then to be written, and `learn` or `lose` to be called.
  [[nodiscard]] std::optional<PlayedRound> add(GameTask task, PlayedGame record);
  /// The round is another referee's.
  void lose(int match, int round);

  /// What to ask the ledger: about each match that is not over, and for rounds. `room(match)` tells
  /// how many games of a match can begin now; of those that can none, some are kept ahead, too,
  /// unless `is_down(match)`.
  template <class RoomFor, class IsDown>
  [[nodiscard]] std::vector<Request> requests(const RoomFor& room, const IsDown& is_down,
                                              Supply supply) const;
  /// Whether the round is the referee's: to be played, in play, or to be written.
  [[nodiscard]] bool has(int match, int round) const { return is_mine(state(match, round)); }
  /// How many games can begin as soon as their servers have room.
  [[nodiscard]] int stock() const;
  /// The ledger has granted a round. Returns false if it is not to be played: its match is over, or
  /// no round is to begin any more.
  [[nodiscard]] bool grant(int match, int round);
  /// Others play these rounds, and no others of the matches that are asked about; returns whether
  /// some were the referee's own.
  bool hold(const std::vector<std::pair<int, int>>& rounds);
  /// A round is finished and in the ledger, whoever has played it; false if that was known.
  bool learn(int match, int round);

  /// Drops all games of the match that are left.
  void drop(int match);
  /// Others may play the rounds of the match that are the referee's and not finished; returns them.
  /// Games of theirs in play come to nothing.
  std::vector<std::pair<int, int>> give_up(int match);
  /// While it is paused no round begins.
  void pause(bool is_paused) { is_paused_ = is_paused; }
  /// From then on no new round begins; returns the rounds that were granted and have not begun.
  std::vector<std::pair<int, int>> begin_no_more();

  /// Whether `next` can still return a game: now, after `again`, or when a round of another
  /// referee's is free again.
  [[nodiscard]] bool has_more() const;
  /// Whether there is a game to play, but for what other referees play.
  [[nodiscard]] bool can_play() const;
  /// Calls `use(match)` for each match with games that have not begun and that nobody else plays.
  template <class Use>
  void for_each_left(const Use& use) const;

 private:
  /// Of a round. `held`: by another referee; `played`: to be written.
  enum class State : std::uint8_t { free, held, granted, begun, played, finished };
  struct Rounds {
    std::vector<State> states;
    std::array<int, 6> counts{};  ///< by state
    int first = 0;                ///< all before it are finished
    int end = 0;                  ///< all from it on were never anything but free
    bool is_dropped = false;

    [[nodiscard]] int count(State state) const { return counts[static_cast<std::size_t>(state)]; }
    [[nodiscard]] bool is_left() const {
      return !is_dropped && count(State::finished) < static_cast<int>(states.size());
    }
  };
  struct Round {
    std::vector<std::optional<PlayedGame>> games;
    int begun = 0;
    int left;
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  /// A match that rounds may be asked of.
  struct Choice {
    std::size_t request;
    int round;  ///< the next one that is free; the number of rounds if there is none
  };
  void choose(std::vector<Choice>& choices, int games, std::vector<Request>& requests) const;
  void set(int match, int round, State state);
  [[nodiscard]] State state(int match, int round) const {
    return matches_[match].states[static_cast<std::size_t>(round)];
  }
  [[nodiscard]] static bool is_mine(State state) {
    return state == State::granted || state == State::begun || state == State::played;
  }
  void forget(int match, int round);
  [[nodiscard]] int free_from(int match, int round) const;
  [[nodiscard]] int size_of(int match) const { return experiment_.matches[match].round(); }

  const Experiment& experiment_;
  std::vector<Rounds> matches_;
  std::set<std::pair<int, int>> granted_;      // by round and match
  std::map<std::pair<int, int>, Round> open_;  // by match and round
  std::vector<GameTask> again_;
  bool is_paused_ = false;
  bool is_closing_ = false;
};

template <class Fits>
std::optional<GameTask> Schedule::next(const Fits& fits) {
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
  if (is_paused_) return std::nullopt;
  for (const auto& [number, match] : granted_) {
    if (!fits(match)) continue;
    const GameTask found{match, number * size_of(match)};
    Round round{.games = {}, .begun = 1, .left = size_of(match)};
    round.games.resize(static_cast<std::size_t>(size_of(match)));
    open_.emplace(std::pair(match, number), std::move(round));
    set(match, found.game / size_of(match), State::begun);
    granted_.erase({found.game / size_of(match), found.match});
    return found;
  }
  return std::nullopt;
}

template <class RoomFor, class IsDown>
std::vector<Request> Schedule::requests(const RoomFor& room, const IsDown& is_down,
                                        Supply supply) const {
  std::vector<Request> out;
  std::vector<Choice> now;    // matches that have room
  std::vector<Choice> later;  // and others
  int most = 0;               // games that can begin now
  for (int match = 0; match < static_cast<int>(matches_.size()); ++match) {
    const Rounds& rounds = matches_[match];
    if (!rounds.is_left()) continue;
    Request request{.match = match, .first = rounds.first, .known = {}, .mine = {}, .rounds = 0};
    for (int round = rounds.first; round < rounds.end; ++round) {
      if (state(match, round) == State::finished) request.known.insert(round);
      if (has(match, round)) request.mine.insert(round);
    }
    const int games = room(match);
    most = std::max(most, games);
    if (games > 0 || !is_down(match)) {
      (games > 0 ? now : later).push_back({out.size(), free_from(match, rounds.first)});
    }
    out.push_back(std::move(request));
  }
  if (is_closing_ || is_paused_) return out;
  choose(now, std::min(supply.idle, most) + supply.ahead, out);
  choose(later, supply.ahead, out);
  return out;
}

template <class Use>
void Schedule::for_each_left(const Use& use) const {
  for (const GameTask& task : again_) use(task.match);
  for (const auto& [key, round] : open_) {
    if (round.begun < static_cast<int>(round.games.size())) use(key.first);
  }
  if (is_closing_) return;
  for (int match = 0; match < static_cast<int>(matches_.size()); ++match) {
    const Rounds& rounds = matches_[match];
    if (rounds.is_dropped) continue;
    if (rounds.count(State::free) + rounds.count(State::granted) > 0) use(match);
  }
}

}  // namespace pitboss::clients
