#include "clients/python/rules/states.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace pitboss::rules {

States::States(const std::vector<const State*>& states) {
  if (states.empty()) throw games::BadGame("at least one state is needed");
  for (const State* state : states) {
    if (state->rules() != states[0]->rules()) {
      throw games::BadGame("states of " + states[0]->rules() + " and of " + state->rules() +
                           " cannot be stepped together");
    }
    positions_.push_back(state->now());
  }
  initial_ = positions_;
}

State States::at(std::size_t place) const { return State(positions_.at(place)); }

void States::write_players(std::span<std::int32_t> players) const {
  std::ranges::transform(positions_, players.begin(), [](const Position& position) {
    return position.is_over() ? State::terminal_player : games::index(position.game().to_move());
  });
}

void States::write_returns(std::span<double> returns) const {
  auto out = returns.begin();
  for (const Position& position : positions_) {
    const games::AnyGame& game = position.game();
    out = std::ranges::copy(returns_of(game.result(), game.players()), out).out;
  }
}

void States::write_mask(std::span<std::int8_t> mask) const {
  std::ranges::fill(mask, std::int8_t{0});
  const std::size_t size = mask.size() / positions_.size();
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    const auto row = mask.subspan(i * size, size);
    positions_[i].for_each_action([&](int action) { row[static_cast<std::size_t>(action)] = 1; });
  }
}

std::vector<std::int32_t> States::write_counts(std::span<std::int32_t> counts) const {
  std::vector<std::int32_t> all;
  std::vector<int> actions;
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    positions_[i].legal_actions(actions);
    counts[i] = static_cast<std::int32_t>(actions.size());
    all.insert(all.end(), actions.begin(), actions.end());
  }
  return all;
}

void States::apply(std::span<const std::int32_t> actions) {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (positions_[i].is_over() || positions_[i].is_legal(actions[i])) continue;
    throw games::BadGame("state " + std::to_string(i) + ": " + std::to_string(actions[i]) +
                         " is not among the legal actions of " + at(i).rules() + " in " +
                         positions_[i].game().position());
  }
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (!positions_[i].is_over()) positions_[i].apply(actions[i]);
  }
}

void States::restart() {
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    if (positions_[i].is_over()) positions_[i] = initial_[i];
  }
}

}  // namespace pitboss::rules
