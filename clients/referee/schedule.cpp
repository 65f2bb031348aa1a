#include "clients/referee/schedule.hpp"

#include <algorithm>

namespace pitboss::clients {

namespace {

int rounds_of(const Match& match) { return match.games / match.round(); }

}  // namespace

Schedule::Schedule(const Experiment& experiment, const std::vector<PlayedRound>& played)
    : experiment_(experiment), next_round_(experiment.matches.size()) {
  for (const Match& match : experiment.matches) {
    played_.emplace_back(static_cast<std::size_t>(rounds_of(match)));
  }
  for (const PlayedRound& round : played) played_[round.match][round.round] = true;
  for (int match = 0; match < static_cast<int>(next_round_.size()); ++match) skip_played(match);
}

void Schedule::again(GameTask task) {
  const int round = task.game / experiment_.matches[task.match].round();
  if (open_.contains({task.match, round})) again_.push_back(task);
}

std::optional<PlayedRound> Schedule::add(GameTask task, PlayedGame record) {
  const int size = experiment_.matches[task.match].round();
  const auto found = open_.find({task.match, task.game / size});
  if (found == open_.end()) return std::nullopt;  // its match was dropped meanwhile
  Round& round = found->second;
  round.games[task.game % size] = std::move(record);
  if (--round.left > 0) return std::nullopt;
  PlayedRound out{task.match, task.game / size, {}, round.since, now_in_seconds()};
  for (auto& game : round.games) out.games.push_back(std::move(*game));
  open_.erase(found);
  return out;
}

void Schedule::drop(int match) {
  next_round_[match] = rounds_of(experiment_.matches[match]);
  std::erase_if(open_, [&](const auto& entry) { return entry.first.first == match; });
  std::erase_if(again_, [&](const GameTask& task) { return task.match == match; });
}

bool Schedule::has_more() const {
  bool has = !open_.empty() || !again_.empty();
  for_each_left([&](int) { has = true; });
  return has;
}

bool Schedule::has_rounds(int match) const {
  return next_round_[match] < static_cast<int>(played_[match].size());
}

void Schedule::skip_played(int match) {
  while (has_rounds(match) && played_[match][next_round_[match]]) ++next_round_[match];
}

}  // namespace pitboss::clients
