#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "clients/review/judgement.hpp"

namespace pitboss::clients {

/// A position to be searched. However many games it occurs in, it is one.
struct GamePosition {
  std::string rules;     ///< "othello size=8"
  std::string position;  ///< as AnyGame::position writes it
  friend auto operator<=>(const GamePosition&, const GamePosition&) = default;
};

/// A move that the search has found, and how the game may go on behind it.
struct FoundLine {
  std::int64_t visits = 0;
  double value = 0;                ///< for the side to move
  std::vector<std::string> moves;  ///< at least one
  friend bool operator==(const FoundLine&, const FoundLine&) = default;
};

/// What a search has found in a position. Depends on the position, the options and the seed alone,
/// if neither time nor several threads bound the search.
struct Finding {
  PositionValues values;  ///< by colour
  std::int64_t visits = 0;
  std::vector<FoundLine> lines;  ///< the chosen move's first, then by visits; at least one
  std::string exact{};           ///< "win", "draw", "loss": an exact solver has proven it
  std::optional<int> points{};   ///< and, in othello, by how much
  std::string network{};         ///< the SHA-256 of what evaluated; empty: no network
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// A value in [0, 1] with four digits, which is more than a search knows.
[[nodiscard]] double rounded(double value);

/// What `last_search` tells of a position, with so many moves, each alone in its line but the
/// first. Throws nlohmann::json::exception for anything else.
[[nodiscard]] Finding finding_in(const nlohmann::json& told, std::size_t lines,
                                 const std::vector<std::string>& colours);

[[nodiscard]] nlohmann::ordered_json json_of(const Finding& finding);
/// Reads what `json_of` has made; throws nlohmann::json::exception for anything else.
[[nodiscard]] Finding finding_of(const nlohmann::json& json);

}  // namespace pitboss::clients
