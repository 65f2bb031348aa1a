#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/growing/grow_settings.hpp"
#include "clients/growing/growing_policy.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "engine/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// A game of self-play: of each ply the move and the visits of all moves.
struct GameRecord {
  std::vector<std::string> moves;
  std::vector<std::map<std::string, double>> visits;
};
/// One line of JSON, and back. Throws UserError for what is none.
[[nodiscard]] std::string json_of(const GameRecord& record);
[[nodiscard]] GameRecord record_of(const std::string& line);
/// The positions of the game as samples.
[[nodiscard]] std::vector<Sample> samples_of(const GameRecord& record, const games::AnyGame& start);

/// Plays games in which a growing policy guides the searches and learns after each move. The
/// arguments must outlive it.
class GrowingPlayer {
 public:
  GrowingPlayer(const games::AnyGame& start, const GrowSettings& settings);

  /// One game, the same for the same policy and seed; nothing if `stop` became true meanwhile.
  [[nodiscard]] std::optional<GameRecord> play(GrowingPolicy& policy, std::uint64_t seed,
                                               const std::atomic<bool>& stop);

 private:
  [[nodiscard]] engine::Report searched(const games::AnyGame& position, int ply);

  const games::AnyGame& start_;
  const GrowSettings& settings_;
  std::shared_ptr<engine::FeatureSets> sets_;
  std::unique_ptr<engine::Search> search_;
  engine::Options options_;
};

}  // namespace pitboss::clients
