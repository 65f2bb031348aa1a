#include "clients/python/rules/position.hpp"

#include <algorithm>
#include <bit>
#include <functional>

namespace pitboss::rules {

Position::Position(const Position& other) : game_(other.game_->clone()), chosen_(other.chosen_) {
  if (chosen_.empty()) return;
  open_ = other.open_;
  is_listed_ = true;
}

const std::vector<games::PolicyMove>& Position::open_moves() const {
  if (!is_listed_) game_->policy_moves(open_);
  is_listed_ = true;
  return open_;
}

void Position::legal_actions(std::vector<int>& actions) const {
  constexpr int word_bits = 64;
  bits_.assign(static_cast<std::size_t>(game_->policy_size() / word_bits + 1), 0);
  int last = -1;
  for (const games::PolicyMove& move : open_moves()) {
    const int action = next_action(move);
    if (action == last) continue;  // as are most in a row of moves with several parts
    last = action;
    bits_[static_cast<std::size_t>(action / word_bits)] |= std::uint64_t{1} << action % word_bits;
  }
  actions.clear();
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    for (std::uint64_t word = bits_[i]; word != 0; word &= word - 1) {
      actions.push_back(static_cast<int>(i) * word_bits + std::countr_zero(word));
    }
  }
}

bool Position::is_legal(int action) const {
  return std::ranges::any_of(open_moves(), [&](const auto& m) { return next_action(m) == action; });
}

std::optional<games::Move> Position::apply(int action) {
  const auto goes_on = [&](const games::PolicyMove& move) { return next_action(move) == action; };
  const auto first = std::ranges::find_if(open_moves(), goes_on);
  if (first->parts.size() == static_cast<int>(chosen_.size()) + 1) {
    const games::Move move = first->move;
    chosen_.clear();
    play(move);
    return move;
  }
  std::erase_if(open_, std::not_fn(goes_on));
  chosen_.push_back(action);
  return std::nullopt;
}

void Position::play(games::Move move) {
  game_->play(move);
  is_listed_ = false;
}

std::vector<double> returns_of(games::Result result, int players) {
  std::vector<double> returns(static_cast<std::size_t>(players), 0);
  if (!result.finished()) return returns;
  for (int player = 0; player < players; ++player) {
    const double share = result.share(static_cast<games::Colour>(player));
    returns[static_cast<std::size_t>(player)] = (players * share - 1) / (players - 1);
  }
  return returns;
}

}  // namespace pitboss::rules
