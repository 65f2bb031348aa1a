#include "clients/python/rules/position.hpp"

#include <algorithm>
#include <bit>
#include <functional>
#include <type_traits>

#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "games/halves.hpp"

namespace pitboss::rules {

namespace {

using Moves = std::vector<games::PolicyMove>;

/// Calls `visit` with the game if its moves have two halves. Returns whether they have.
template <class Visit>
bool with_halves(const games::AnyGame& game, Visit visit) {
  bool has_halves = false;
  games::AllGames::for_each([&]<class G>(std::type_identity<G>) {
    if constexpr (games::HasHalves<G>) {
      if (game.name() != G::name) return;
      has_halves = true;
      visit(dynamic_cast<const games::BoxedGame<G>&>(game).game());
    }
  });
  return has_halves;
}

/// Makes `moves` the first halves of the legal moves, if these have halves. Returns whether they
/// have.
bool list_first_halves(const games::AnyGame& game, Moves& moves) {
  return with_halves(game, [&]<class G>(const G& now) {
    games::MoveList<G::max_halves> halves;
    now.first_halves(halves);
    moves.clear();
    for (const games::Move half : halves) moves.push_back({half, now.first_parts(half)});
  });
}

/// Makes `moves` the legal moves that begin with this half.
void list_second_halves(const games::AnyGame& game, games::PolicyMove first, Moves& moves) {
  with_halves(game, [&]<class G>(G between) {
    between.play_first(first.move);
    games::MoveList<G::max_halves> halves;
    between.second_halves(first.move, halves);
    moves.clear();
    const std::uint16_t* const parts = first.parts.begin();
    for (const games::Move half : halves) {
      const int last = *between.second_parts(half).begin();
      moves.push_back({games::Move{code(first.move) + code(half)},
                       games::PolicyParts(int{parts[0]}, int{parts[1]}, last)});
    }
  });
}

}  // namespace

Position::Position(const Position& other) : game_(other.game_->clone()), chosen_(other.chosen_) {
  if (chosen_.empty()) return;
  open_ = other.open_;
  is_listed_ = true;
  are_halves_ = other.are_halves_;
}

void Position::list() const {
  if (is_listed_) return;
  are_halves_ = list_first_halves(*game_, open_);
  if (!are_halves_) game_->policy_moves(open_);
  is_listed_ = true;
}

std::vector<games::PolicyMove> Position::open_moves() const {
  Moves moves;
  game_->policy_moves(moves);
  std::erase_if(moves, [&](const games::PolicyMove& move) {
    return !std::ranges::equal(chosen_, std::span(move.parts.begin(), chosen_.size()));
  });
  return moves;
}

void Position::legal_actions(std::vector<int>& actions) const {
  constexpr int word_bits = 64;
  bits_.assign(static_cast<std::size_t>(game_->policy_size() / word_bits + 1), 0);
  for_each_action([&](int action) {
    bits_[static_cast<std::size_t>(action / word_bits)] |= std::uint64_t{1} << action % word_bits;
  });
  actions.clear();
  for (std::size_t i = 0; i < bits_.size(); ++i) {
    for (std::uint64_t word = bits_[i]; word != 0; word &= word - 1) {
      actions.push_back(static_cast<int>(i) * word_bits + std::countr_zero(word));
    }
  }
}

bool Position::is_legal(int action) const {
  list();
  return std::ranges::any_of(open_, [&](const auto& move) { return next_action(move) == action; });
}

std::optional<games::Move> Position::apply(int action) {
  list();
  const auto goes_on = [&](const games::PolicyMove& move) { return next_action(move) == action; };
  const games::PolicyMove first = *std::ranges::find_if(open_, goes_on);
  const bool is_complete = first.parts.size() == static_cast<int>(chosen_.size()) + 1;
  if (is_complete && !are_halves_) {
    chosen_.clear();
    play(first.move);
    return first.move;
  }
  if (is_complete) {
    list_second_halves(*game_, first, open_);
    are_halves_ = false;
  } else {
    std::erase_if(open_, std::not_fn(goes_on));
  }
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
