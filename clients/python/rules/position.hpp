#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "games/any_game.hpp"

/// The rules for Python: games by actions instead of moves.
namespace pitboss::rules {

/// A position that is played by actions, entries of a network's policy (docs/networks.md). A move
/// of several parts is several actions of the same player, each of which leaves fewer moves open.
class Position {
 public:
  explicit Position(const games::AnyGame& game) : game_(game.clone()) {}
  Position(const Position& other);
  Position(Position&&) noexcept = default;
  Position& operator=(const Position& other) { return *this = Position(other); }
  Position& operator=(Position&&) noexcept = default;
  ~Position() = default;

  [[nodiscard]] const games::AnyGame& game() const { return *game_; }
  [[nodiscard]] bool is_over() const { return game_->result().finished(); }
  /// The actions of a move that is not complete.
  [[nodiscard]] std::span<const int> chosen() const { return chosen_; }
  /// The legal moves that begin with the chosen actions; in no order.
  [[nodiscard]] const std::vector<games::PolicyMove>& open_moves() const;
  /// What a move that is open goes on with.
  [[nodiscard]] int next_action(const games::PolicyMove& move) const {
    return move.parts.begin()[chosen_.size()];
  }
  /// Makes `actions` the legal ones, sorted.
  void legal_actions(std::vector<int>& actions) const;
  [[nodiscard]] bool is_legal(int action) const;

  /// Plays a legal action. Returns the move that is complete by it.
  std::optional<games::Move> apply(int action);
  /// Plays a legal move; none may be under way.
  void play(games::Move move);

 private:
  std::unique_ptr<games::AnyGame> game_;
  std::vector<int> chosen_;
  mutable std::vector<games::PolicyMove> open_;
  mutable bool is_listed_ = false;  ///< whether `open_` is known
  mutable std::vector<std::uint64_t> bits_;
};

/// -1, 0 or 1 for each of two players; (n s - 1) / (n - 1) for the share s of each of n; 0 before
/// the end.
[[nodiscard]] std::vector<double> returns_of(games::Result result, int players);

}  // namespace pitboss::rules
