#include "games/records/move_steps.hpp"

#include <algorithm>

#include "games/letter_case.hpp"

namespace pitboss::games {

namespace {

bool begins_with(const std::vector<std::string>& steps, const std::vector<std::string>& beginning) {
  return steps.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), steps.begin());
}

}  // namespace

bool MoveSteps::agrees(const SteppedMove& move) const { return begins_with(move.steps, chosen_); }

std::vector<std::string> MoveSteps::next(const AnyGame& game) const {
  std::vector<std::string> points;
  for (const SteppedMove& move : game.stepped_moves()) {
    if (agrees(move)) points.push_back(move.steps[chosen_.size()]);
  }
  std::ranges::sort(points);
  points.erase(std::ranges::unique(points).begin(), points.end());
  return points;
}

std::string MoveSteps::first_agreeing(const AnyGame& game,
                                      const std::vector<std::string>& moves) const {
  std::vector<std::string> agreeing;
  for (const SteppedMove& move : game.stepped_moves()) {
    if (agrees(move)) agreeing.push_back(move.move);
  }
  const auto found = std::ranges::find_first_of(moves, agreeing);
  return found == moves.end() ? agreeing.front() : *found;
}

std::optional<std::string> MoveSteps::choose(const AnyGame& game, std::string_view point) {
  std::vector<std::string> wanted = chosen_;
  wanted.push_back(in_lower_case(point));
  for (const SteppedMove& move : game.stepped_moves()) {
    if (!begins_with(move.steps, wanted)) continue;
    const bool complete = move.steps.size() == wanted.size();
    chosen_ = std::move(wanted);
    if (!begins_with(plan_, chosen_)) plan_.clear();
    return complete ? move.move : std::string();
  }
  return std::nullopt;
}

void MoveSteps::take_back(std::size_t count) {
  chosen_.resize(chosen_.size() - count);
  if (count > 0) plan_.clear();
}

void MoveSteps::choose_first(const AnyGame& game, std::string_view move, std::size_t count) {
  chosen_ = steps_of(game, move);
  chosen_.resize(count);
  plan_.clear();
}

void MoveSteps::clear() {
  chosen_.clear();
  plan_.clear();
}

void MoveSteps::plan(const AnyGame& game, std::string_view move) { plan_ = steps_of(game, move); }

std::optional<std::string> MoveSteps::planned() const {
  if (plan_.size() <= chosen_.size()) return std::nullopt;
  return plan_[chosen_.size()];
}

std::vector<std::string> steps_of(const AnyGame& game, std::string_view move) {
  auto moves = game.stepped_moves();
  const auto found = std::ranges::find(moves, move, &SteppedMove::move);
  return found == moves.end() ? std::vector<std::string>{} : std::move(found->steps);
}

}  // namespace pitboss::games
