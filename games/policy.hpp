#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "games/game.hpp"

/// How the moves of a game index the policy of a network: docs/networks.md has all layouts.
namespace pitboss::games {

/// The one to three policy entries of a move, whose sum is the move's logit.
class PolicyParts {
 public:
  constexpr explicit PolicyParts(std::same_as<int> auto... entries) requires(
      1 <= sizeof...(entries) && sizeof...(entries) <= 3)
      : entries_{static_cast<std::uint16_t>(entries)...}, size_(sizeof...(entries)) {}

  [[nodiscard]] constexpr int size() const { return size_; }
  [[nodiscard]] constexpr const std::uint16_t* begin() const { return entries_.data(); }
  [[nodiscard]] constexpr const std::uint16_t* end() const { return begin() + size_; }
  friend constexpr bool operator==(const PolicyParts&, const PolicyParts&) = default;

 private:
  std::array<std::uint16_t, 3> entries_;
  std::uint8_t size_;
};

/// A legal move and its entries.
struct PolicyMove {
  Move move;
  PolicyParts parts;
};

/// A game whose moves index a policy of `policy_size()` entries. The size is the same throughout a
/// game. No two legal moves of a position have the same parts.
template <class G>
concept HasPolicy = requires(const G g, Move move) {
  { g.policy_size() } -> std::same_as<int>;
  { g.policy_parts(move) } -> std::same_as<PolicyParts>;
};

}  // namespace pitboss::games
