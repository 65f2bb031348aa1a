#include "server/session/game_history.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "games/letter_case.hpp"
#include "games/move_words.hpp"

namespace pitboss::server {

namespace {

bool is_pass(std::string_view move) { return games::same_ignoring_case(move, games::pass_text); }

}  // namespace

GameHistory::GameHistory(games::Record record, std::uint64_t number)
    : record_(std::move(record)), begun_with_(record_.start->parameters()), number_(number) {
  replay();
}

/// Plays the record's moves from its start.
void GameHistory::replay() {
  game_ = record_.start->clone();
  movers_.clear();
  for (const std::string& move : record_.moves) {
    if (game_->result().finished()) break;
    movers_.push_back(game_->to_move());
    game_->play(move);
  }
  steps_.clear();
}

void GameHistory::set_position(std::string_view text) {
  auto game = game_->clone();
  game->set_position(text);
  start_from(std::move(game));
}

void GameHistory::start_from(std::unique_ptr<games::AnyGame> position) {
  record_ = {position->clone(), {}};
  sides_changed_at_.reset();
  movers_.clear();
  ++number_;
  game_ = std::move(position);
  steps_.clear();
}

void GameHistory::go_on_as(games::Record record) {
  record_ = std::move(record);
  sides_changed_at_.reset();
  ++number_;
  replay();
}

void GameHistory::remember(const games::Parameters& begun_with,
                           std::optional<std::size_t> sides_changed_at) {
  if (sides_changed_at.value_or(0) > record_.moves.size())
    throw games::BadGame("the players change sides behind moves that there are not");
  begun_with_ = games::make_game(game_->name(), begun_with)->parameters();
  sides_changed_at_ = sides_changed_at;
}

void GameHistory::play(std::string_view move) {
  if (!steps_.chosen().empty()) {
    const std::string text = game_->canonical(move);
    if (!steps_.agrees({text, games::steps_of(*game_, text)})) {
      throw games::BadGame("a move of " + steps_.chosen().front() + " has begun, which '" + text +
                           "' does not go on with (undo takes it back)");
    }
  }
  play(game_->find(move));
}

void GameHistory::play(games::Move move) {
  record_.moves.push_back(game_->text(move));
  movers_.push_back(game_->to_move());
  game_->play(move);
  steps_.clear();
}

bool GameHistory::pass_after_end(std::string_view move) {
  constexpr std::ptrdiff_t most = 100;  // a few are useful; each makes `undo` slower
  if (!game_->result().finished() || !is_pass(move)) return false;
  if (std::ssize(record_.moves) >= most &&
      std::all_of(record_.moves.end() - most, record_.moves.end(), is_pass)) {
    return false;
  }
  record_.moves.emplace_back(games::pass_text);
  return true;
}

bool GameHistory::undo(std::size_t count) {
  if (sides_changed_at_ && count > record_.moves.size() - *sides_changed_at_) {
    const std::size_t others = count - 1;
    if (others > record_.moves.size()) return false;
    sides_changed_at_.reset();
    return undo(others);
  }
  if (count > record_.moves.size()) return false;
  if (count == 0) return true;
  record_.moves.resize(record_.moves.size() - count);
  replay();
  return true;
}

void GameHistory::play_step(std::string_view text) {
  const auto move = steps_.choose(*game_, text);
  if (!move) {
    play(text);
  } else if (!move->empty()) {
    play(*move);
  }
}

bool GameHistory::undo_steps(std::size_t count) {
  const std::size_t chosen = steps_.chosen().size();
  if (count <= chosen) {
    steps_.take_back(count);
    return true;
  }
  std::size_t rest = count - chosen;
  // Every move has at least one point, so moves before this one need not be looked at.
  const std::size_t first = record_.moves.size() - std::min(rest, record_.moves.size());
  std::vector<std::size_t> points;
  const auto game = record_.start->clone();
  for (std::size_t i = 0; i < record_.moves.size(); ++i) {
    const bool over = game->result().finished();
    if (i >= first) points.push_back(over ? 1 : games::steps_of(*game, record_.moves[i]).size());
    if (!over) game->play(record_.moves[i]);
  }
  std::size_t taken = 0;
  for (; rest > 0 && taken < points.size(); ++taken) {
    const std::size_t of_move = points[points.size() - 1 - taken];
    if (rest < of_move) {
      const std::string move = record_.moves[record_.moves.size() - 1 - taken];
      undo(taken + 1);
      steps_.choose_first(*game_, move, of_move - rest);
      return true;
    }
    rest -= of_move;
  }
  return rest == 0 && undo(taken);
}

std::string GameHistory::first_step(std::string_view move) const {
  return games::steps_of(*game_, move)[steps_.chosen().size()];
}

std::string GameHistory::play_first_step(std::string_view move) {
  steps_.plan(*game_, move);
  return play_planned_step().value();
}

std::optional<std::string> GameHistory::play_planned_step() {
  auto point = steps_.planned();
  if (point) play_step(*point);
  return point;
}

}  // namespace pitboss::server
