#include "clients/python/rules/state.hpp"

#include <algorithm>
#include <utility>

#include "games/in_words.hpp"
#include "games/parameters.hpp"
#include "games/rules_text.hpp"
#include "protocol/geometry_json.hpp"

namespace pitboss::rules {

namespace {

std::shared_ptr<const games::AnyGame> game_of(std::string_view rules) {
  const auto begin = std::min(rules.find_first_not_of(' '), rules.size());
  const auto end = std::min(rules.find(' ', begin), rules.size());
  return games::make_game(rules.substr(begin, end - begin),
                          games::parse_parameters(rules.substr(end)));
}

std::shared_ptr<const games::AnyGame> at_position(const games::AnyGame& game,
                                                  std::string_view position) {
  auto start = game.clone();
  start->set_position(position);
  return start;
}

}  // namespace

State::State(std::string_view rules) : start_(game_of(rules)), now_(*start_) {}
State::State(const State& other, std::string_view position)
    : start_(at_position(other.game(), position)), now_(*start_) {}
State::State(const Position& position) : start_(position.game().clone()), now_(position) {
  for (const int action : now_.chosen()) note(action);
}

std::string State::rules() const { return games::rules_text(game()); }

std::vector<std::string> State::colours() const {
  return {game().colours().begin(), game().colours().end()};
}

std::vector<int> State::planes_shape() const {
  return {game().plane_count(), game().shape().height, game().shape().width};
}

std::string State::geometry() const { return protocol::geometry_json(game()); }

int State::current_player() const {
  return is_terminal() ? terminal_player : games::index(game().to_move());
}

std::vector<double> State::returns() const { return returns_of(game().result(), game().players()); }

std::string State::result() const { return is_terminal() ? games::result_in_words(game()) : ""; }

const std::vector<int>& State::legal_actions() const {
  now_.legal_actions(actions_);
  return actions_;
}

std::vector<std::string> State::legal_moves() const {
  std::vector<std::string> texts;
  for (const games::PolicyMove& move : now_.open_moves()) texts.push_back(game().text(move.move));
  std::ranges::sort(texts);
  return texts;
}

std::string State::action_to_string(int action) const {
  std::optional<std::string> shared;
  for (const games::PolicyMove& move : now_.open_moves()) {
    if (now_.next_action(move) != action) continue;
    const std::string text = game().text(move.move);
    if (!shared) shared = text;
    const auto differs = std::ranges::mismatch(*shared, text).in1;
    shared->erase(differs, shared->end());
  }
  if (!shared) throw games::BadGame(not_legal(action));
  return *shared;
}

std::vector<int> State::move_to_actions(const std::string& move) const {
  check_between_moves();
  return actions_of(game().find(move));
}

/// The actions that make a legal move; no other is under way.
std::vector<int> State::actions_of(games::Move move) const {
  const auto moves = now_.open_moves();
  const auto found = std::ranges::find(moves, move, &games::PolicyMove::move);
  return {found->parts.begin(), found->parts.end()};
}

void State::apply_action(int action) {
  if (!now_.is_legal(action)) throw games::BadGame(not_legal(action));
  note(action);
  if (const auto move = now_.apply(action)) moves_.push_back(*move);
}

void State::apply_move(const std::string& move) {
  check_between_moves();
  const games::Move found = game().find(move);
  for (const int action : actions_of(found)) note(action);
  now_.play(found);
  moves_.push_back(found);
}

void State::undo_action() {
  if (history_.empty()) throw games::BadGame("nothing has been played that could be taken back");
  State before(*this);
  before.moves_.clear();
  before.history_.clear();
  before.now_ = Position(*start_);
  for (std::size_t i = 1; i + 2 < history_.size(); i += 2) before.apply_action(history_[i]);
  *this = std::move(before);
}

std::vector<std::string> State::moves() const {
  std::vector<std::string> texts;
  const auto game = start_->clone();
  for (const games::Move move : moves_) {
    texts.push_back(game->text(move));
    game->play(move);
  }
  return texts;
}

std::vector<int> State::chosen() const { return {now_.chosen().begin(), now_.chosen().end()}; }

bool State::operator==(const State& other) const {
  return moves_ == other.moves_ && std::ranges::equal(now_.chosen(), other.now_.chosen()) &&
         rules() == other.rules() && start() == other.start();
}

std::vector<double> State::playouts(int games, games::Random& random) const {
  std::vector<double> sums(static_cast<std::size_t>(game().players()), 0);
  for (int i = 0; i < games; ++i) {
    games::Result result = game().result();
    if (now_.chosen().empty()) {
      result = game().random_playout(random).result;
    } else {
      const auto after = game().clone();
      const auto open = now_.open_moves();
      after->play(games::random_element(open, random).move);
      result = after->random_playout(random).result;
    }
    const std::vector<double> returns = returns_of(result, game().players());
    std::ranges::transform(sums, returns, sums.begin(), std::plus<>());
  }
  for (double& sum : sums) sum /= games;
  return sums;
}

void State::note(int action) {
  history_.push_back(games::index(game().to_move()));
  history_.push_back(action);
}

void State::check_between_moves() const {
  if (!now_.chosen().empty()) throw games::BadGame("this is the middle of another move");
}

std::string State::not_legal(int action) const {
  return std::to_string(action) + " is not among the legal actions of " + rules() + " in " +
         position();
}

}  // namespace pitboss::rules
