#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/growing/grow_settings.hpp"
#include "clients/growing/growing_policy.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// The search of the paper (eq. 4, sec. V), as options; its values are in [-1, 1], and its c
/// is 2.5.
inline constexpr std::string_view biased_search =
    "evaluation=playout selection=puct c_puct=1.25 fpu_reduction=0 virtual_samples=false "
    "prior=features playout=features feature_moves=1 reuse_tree=true tree_mb=64";

/// A game of self-play: for each ply the move, and the visits of all moves.
struct GameRecord {
  std::vector<std::string> moves;
  std::vector<std::map<std::string, double>> visits;
};
/// One line of JSON, and back. Throws UserError for any other text.
[[nodiscard]] std::string json_of(const GameRecord& record);
[[nodiscard]] GameRecord record_of(const std::string& line);
/// Has the policy remember the positions of games played at once, in the order in which it learned
/// from them.
void remember(GrowingPolicy& policy, std::span<const GameRecord> records,
              const games::AnyGame& start);

/// Plays games in which a growing policy guides the searches and learns after each move. Games at
/// once advance move by move: their searches run in threads, then the policy learns from each
/// game's move in turn. So the number of threads changes nothing. The arguments must outlive this
/// object.
class GrowingPlayer {
 public:
  GrowingPlayer(const games::AnyGame& start, const GrowSettings& settings);
  ~GrowingPlayer();
  GrowingPlayer(const GrowingPlayer&) = delete;
  GrowingPlayer& operator=(const GrowingPlayer&) = delete;

  /// One game for each seed, the same for the same policy and seeds; none if `stop` became true
  /// meanwhile.
  [[nodiscard]] std::vector<GameRecord> play(GrowingPolicy& policy,
                                             const std::vector<std::uint64_t>& seeds,
                                             const std::atomic<bool>& stop);

 private:
  class Seat;
  static void search_all(const std::vector<Seat*>& seats);

  const games::AnyGame& start_;
  const GrowSettings& settings_;
  std::shared_ptr<engine::FeatureSets> sets_;
  std::vector<std::unique_ptr<Seat>> seats_;  ///< of the games at once
};

}  // namespace pitboss::clients
