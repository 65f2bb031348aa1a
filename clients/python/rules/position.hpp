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
  [[nodiscard]] std::vector<games::PolicyMove> open_moves() const;
  /// What an open move goes on with.
  [[nodiscard]] int next_action(const games::PolicyMove& move) const {
    return move.parts.begin()[chosen_.size()];
  }
  /// Calls `visit` with every legal action, with some more than once; in no order.
  template <class Visit>
  void for_each_action(Visit visit) const {
    list();
    for (const games::PolicyMove& move : open_) visit(next_action(move));
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
  void list() const;

  /// The open moves; of a game whose moves have two halves (halves.hpp) only the first halves, as
  /// long as none is chosen.
  mutable std::vector<games::PolicyMove> open_;
  mutable bool is_listed_ = false;   ///< whether `open_` is known
  mutable bool are_halves_ = false;  ///< whether `open_` has first halves
  mutable std::vector<std::uint64_t> bits_;
};

/// -1, 0 or 1 for each of two players; (n s - 1) / (n - 1) for the share s of each of n; 0 before
/// the end.
[[nodiscard]] std::vector<double> returns_of(games::Result result, int players);

}  // namespace pitboss::rules
