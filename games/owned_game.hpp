#pragma once

#include <memory>
#include <utility>

#include "games/any_game.hpp"

namespace pitboss::games {

/// A game that is copied with its owner. Holds none until it is given one.
class OwnedGame {
 public:
  OwnedGame() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): what makes a game makes what owns it
  OwnedGame(std::unique_ptr<AnyGame> game) : game_(std::move(game)) {}
  OwnedGame(const OwnedGame& other) : game_(other.game_ ? other.game_->clone() : nullptr) {}
  OwnedGame(OwnedGame&&) noexcept = default;
  OwnedGame& operator=(const OwnedGame& other) { return *this = OwnedGame(other); }
  OwnedGame& operator=(OwnedGame&&) noexcept = default;
  ~OwnedGame() = default;

  [[nodiscard]] AnyGame& operator*() { return *game_; }
  [[nodiscard]] const AnyGame& operator*() const { return *game_; }
  [[nodiscard]] AnyGame* operator->() { return game_.get(); }
  [[nodiscard]] const AnyGame* operator->() const { return game_.get(); }

 private:
  std::unique_ptr<AnyGame> game_;
};

}  // namespace pitboss::games
