#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "clients/python/rules/position.hpp"

namespace pitboss::rules {

/// A position and how it came about: what the class State of Python asks. Failures are
/// games::BadGame.
class State {
 public:
  /// The initial position of a game, such as "hex size=7".
  explicit State(std::string_view rules);
  /// A position of `other`'s game in the form of `AnyGame::position`.
  State(const State& other, std::string_view position);
  /// The position, with nothing before it.
  explicit State(const Position& position);

  [[nodiscard]] const Position& now() const { return now_; }
  [[nodiscard]] const games::AnyGame& game() const { return now_.game(); }

  // Of the game.
  [[nodiscard]] std::string rules() const;
  [[nodiscard]] std::vector<std::string> colours() const;
  [[nodiscard]] int num_actions() const { return game().policy_size(); }
  [[nodiscard]] int max_plies() const { return game().max_plies(); }
  [[nodiscard]] std::vector<int> planes_shape() const;
  /// The answer of the command `geometry`.
  [[nodiscard]] std::string geometry() const;

  // Of the position.
  [[nodiscard]] std::string start() const { return start_->position(); }
  [[nodiscard]] std::string position() const { return game().position(); }
  [[nodiscard]] bool is_terminal() const { return now_.is_over(); }
  /// The place of the colour to move in turn order, or `terminal_player`.
  [[nodiscard]] int current_player() const;
  static constexpr int terminal_player = -4;  ///< as in OpenSpiel
  [[nodiscard]] std::vector<double> returns() const;
  /// Who has won, in words; empty before the end.
  [[nodiscard]] std::string result() const;

  /// Sorted.
  [[nodiscard]] const std::vector<int>& legal_actions() const;
  /// The legal moves that go on with the actions chosen so far, as text, sorted.
  [[nodiscard]] std::vector<std::string> legal_moves() const;
  /// The move that a legal action makes, or the beginning that all moves with it share.
  [[nodiscard]] std::string action_to_string(int action) const;
  /// The actions that make a legal move. Throws BadGame.
  [[nodiscard]] std::vector<int> move_to_actions(const std::string& move) const;
  void apply_action(int action);
  void apply_move(const std::string& move);
  /// Takes the last action back.
  void undo_action();

  /// The moves played since the start, as text.
  [[nodiscard]] std::vector<std::string> moves() const;
  /// Who has chosen which action since the start: player and action in turn.
  [[nodiscard]] const std::vector<int>& history() const { return history_; }
  [[nodiscard]] int move_number() const { return static_cast<int>(history_.size() / 2); }
  /// The actions chosen of a move that is not complete.
  [[nodiscard]] std::vector<int> chosen() const;
  [[nodiscard]] bool operator==(const State& other) const;

  /// The mean of the returns of so many random games from here.
  [[nodiscard]] std::vector<double> playouts(int games, games::Random& random) const;

 private:
  void note(int action);
  [[nodiscard]] std::vector<int> actions_of(games::Move move) const;
  void check_between_moves() const;
  [[nodiscard]] std::string not_legal(int action) const;

  std::shared_ptr<const games::AnyGame> start_;
  std::vector<games::Move> moves_;
  std::vector<int> history_;
  Position now_;
  mutable std::vector<int> actions_;  ///< room for `legal_actions`
};

}  // namespace pitboss::rules
