#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "clients/referee/ledger/played_game.hpp"

namespace pitboss::clients {

/// The kinds of forfeit.
enum class Failure : std::uint8_t {
  time,
  crash,
  timeout,
  illegal_move,
  refused,
  garbage,
  unreachable
};
inline constexpr std::array all_failures = {
    Failure::time,    Failure::crash,   Failure::timeout,    Failure::illegal_move,
    Failure::refused, Failure::garbage, Failure::unreachable};
/// "illegal move".
[[nodiscard]] std::string_view name_of(Failure failure);
/// The kind of forfeit that a reason tells; a crash for any reason that is not listed.
[[nodiscard]] Failure failure_of(std::string_view reason);

/// How two players lost games by failures. Those other than a clock's, which is part of the match,
/// are breakdowns.
class Breakdowns {
 public:
  explicit Breakdowns(std::array<std::string, 2> players) : players_(std::move(players)) {}

  void add(const PlayedGame& game);

  [[nodiscard]] const std::array<std::string, 2>& players() const { return players_; }
  [[nodiscard]] int games() const { return games_; }
  /// The games that a player lost so.
  [[nodiscard]] int count(int player, Failure failure) const {
    return by_failure_[player][static_cast<std::size_t>(failure)];
  }
  [[nodiscard]] int count(int player) const;
  /// Whether a player has lost all games by breakdowns.
  [[nodiscard]] bool is_all_of(int player) const { return games_ > 0 && count(player) == games_; }
  [[nodiscard]] bool are_all() const { return is_all_of(0) || is_all_of(1); }
  /// All, and `enough` to end the match: others would end so, too.
  [[nodiscard]] bool are_enough() const { return are_all() && games_ >= enough; }
  static constexpr int enough = 3;
  /// Whether they could change who is ahead, had these games ended otherwise.
  [[nodiscard]] bool decide() const;

 private:
  std::array<std::string, 2> players_;
  int games_ = 0;
  int twelfths_ = 0;  ///< the first player's
  std::array<std::array<int, all_failures.size()>, 2> by_failure_{};
};

}  // namespace pitboss::clients
