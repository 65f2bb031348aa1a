#include "clients/referee/schedule.hpp"

#include <algorithm>
#include <utility>

namespace pitboss::clients {

Schedule::Schedule(const Experiment& experiment, const std::vector<PlayedRound>& played)
    : experiment_(experiment), matches_(experiment.matches.size()) {
  for (std::size_t match = 0; match < matches_.size(); ++match) {
    const Match& planned = experiment.matches[match];
    matches_[match].states.resize(static_cast<std::size_t>(planned.games / planned.round()));
    matches_[match].counts[0] = static_cast<int>(matches_[match].states.size());
  }
  for (const PlayedRound& round : played) set(round.match, round.round, State::finished);
}

void note_times(PlayedRound& round, std::chrono::steady_clock::time_point since) {
  // The seconds in which it began and ended, so that rounds that follow each other leave no gap.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto took = std::chrono::steady_clock::now() - since;
  round.ended = std::chrono::floor<std::chrono::seconds>(now).count();
  round.begun = std::chrono::floor<std::chrono::seconds>(now - took).count();
}

void Schedule::set(int match, int round, State state) {
  Rounds& rounds = matches_[match];
  State& now = rounds.states[static_cast<std::size_t>(round)];
  --rounds.counts[static_cast<std::size_t>(now)];
  ++rounds.counts[static_cast<std::size_t>(state)];
  now = state;
  rounds.end = std::max(rounds.end, round + 1);
  const auto size = static_cast<int>(rounds.states.size());
  while (rounds.first < size && this->state(match, rounds.first) == State::finished) ++rounds.first;
}

/// The first free round of a match from this one on; their number if there is none.
int Schedule::free_from(int match, int round) const {
  const auto& states = matches_[match].states;
  return static_cast<int>(std::find(states.begin() + round, states.end(), State::free) -
                          states.begin());
}

/// Raises the requests until so many games of these matches are granted or asked for: one round
/// after the other, of the match with the fewest rounds before it.
void Schedule::choose(std::vector<Choice>& choices, int games,
                      std::vector<Request>& requests) const {
  for (const Choice& choice : choices) {
    const int match = requests[choice.request].match;
    games -= matches_[match].count(State::granted) * size_of(match);
  }
  const auto has_free = [&](const Choice& choice) {
    const auto& states = matches_[requests[choice.request].match].states;
    return choice.round < static_cast<int>(states.size());
  };
  while (games > 0) {
    Choice* best = nullptr;
    for (Choice& choice : choices) {
      if (!has_free(choice)) continue;
      if (best == nullptr || choice.round < best->round) best = &choice;
    }
    if (best == nullptr) break;
    Request& request = requests[best->request];
    ++request.rounds;
    games -= size_of(request.match);
    best->round = free_from(request.match, best->round + 1);
  }
}

void Schedule::again(GameTask task) {
  const int size = size_of(task.match);
  const auto found = open_.find({task.match, task.game / size});
  if (found == open_.end() || found->second.games[task.game % size]) return;
  again_.push_back(task);
}

std::optional<PlayedRound> Schedule::add(GameTask task, PlayedGame record) {
  const int size = size_of(task.match);
  const auto found = open_.find({task.match, task.game / size});
  if (found == open_.end()) return std::nullopt;  // its match was dropped, or the round was lost
  Round& round = found->second;
  auto& game = round.games[task.game % size];
  if (game) return std::nullopt;  // the round was lost and granted again while the game was played
  game = std::move(record);
  if (--round.left > 0) return std::nullopt;
  PlayedRound out{.match = task.match, .round = task.game / size, .games = {}};
  note_times(out, round.since);
  for (auto& each : round.games) out.games.push_back(std::move(*each));
  open_.erase(found);
  set(out.match, out.round, State::played);
  return out;
}

/// Takes a round out of the referee's hands.
void Schedule::forget(int match, int round) {
  granted_.erase({round, match});
  open_.erase({match, round});
  std::erase_if(again_, [&](const GameTask& task) {
    return task.match == match && task.game / size_of(match) == round;
  });
}

void Schedule::lose(int match, int round) {
  forget(match, round);
  if (state(match, round) != State::finished) set(match, round, State::held);
}

int Schedule::stock() const {
  int games = static_cast<int>(again_.size());
  for (const auto& [key, round] : open_)
    games += static_cast<int>(round.games.size()) - round.begun;
  if (is_paused_) return games;
  for (int match = 0; match < static_cast<int>(matches_.size()); ++match) {
    const Rounds& rounds = matches_[match];
    if (!rounds.is_dropped) games += rounds.count(State::granted) * size_of(match);
  }
  return games;
}

bool Schedule::grant(int match, int round) {
  const State before = state(match, round);
  if (is_mine(before)) return true;  // it was another's for a while, and nobody noticed
  if (is_closing_ || matches_[match].is_dropped || before == State::finished) return false;
  set(match, round, State::granted);
  granted_.insert({round, match});
  return true;
}

bool Schedule::hold(const std::vector<std::pair<int, int>>& rounds) {
  for (Rounds& match : matches_) {
    if (match.count(State::held) == 0) continue;
    const auto number = static_cast<int>(&match - matches_.data());
    for (int round = match.first; round < match.end; ++round) {
      if (state(number, round) == State::held) set(number, round, State::free);
    }
  }
  bool is_loss = false;
  for (const auto& [match, round] : rounds) {
    const State before = state(match, round);
    if (before == State::finished || before == State::played) continue;
    is_loss = is_loss || before == State::granted || before == State::begun;
    lose(match, round);
  }
  return is_loss;
}

bool Schedule::learn(int match, int round) {
  if (state(match, round) == State::finished) return false;
  forget(match, round);
  set(match, round, State::finished);
  return true;
}

void Schedule::drop(int match) {
  matches_[match].is_dropped = true;
  std::erase_if(granted_, [&](const auto& entry) { return entry.second == match; });
  std::erase_if(open_, [&](const auto& entry) { return entry.first.first == match; });
  std::erase_if(again_, [&](const GameTask& task) { return task.match == match; });
}

std::vector<std::pair<int, int>> Schedule::give_up(int match) {
  std::vector<std::pair<int, int>> out;
  const Rounds& rounds = matches_[match];
  if (rounds.count(State::granted) + rounds.count(State::begun) == 0) return out;
  for (int round = rounds.first; round < rounds.end; ++round) {
    const State before = state(match, round);
    if (before != State::granted && before != State::begun) continue;
    forget(match, round);
    set(match, round, State::free);
    out.emplace_back(match, round);
  }
  return out;
}

std::vector<std::pair<int, int>> Schedule::begin_no_more() {
  is_closing_ = true;
  std::vector<std::pair<int, int>> out;
  for (const auto& [round, match] : std::exchange(granted_, {})) {
    set(match, round, State::free);
    out.emplace_back(match, round);
  }
  return out;
}

bool Schedule::has_more() const {
  if (!open_.empty() || !again_.empty()) return true;
  return !is_closing_ && std::ranges::any_of(matches_, &Rounds::is_left);
}

bool Schedule::can_play() const {
  bool can = !open_.empty();
  for_each_left([&](int) { can = true; });
  return can;
}

}  // namespace pitboss::clients
