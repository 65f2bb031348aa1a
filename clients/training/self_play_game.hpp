#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/training/rows.hpp"
#include "clients/training/training_settings.hpp"
#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/search/search.hpp"
#include "engine/wakeup.hpp"
#include "games/any_game.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

/// A game that a network has played against itself.
struct SelfPlayGame {
  std::vector<Row> rows;
  int plies = 0;
  std::int64_t simulations = 0;
  std::int64_t evaluations = 0;  ///< by the network, without those answered from the cache
  std::int64_t remote = 0;       ///< of these evaluations, those by other machines
  bool is_draw = false;
  std::uint64_t opening = 0;  ///< the same for games whose first ten plies are the same
};

/// Plays games of self-play, one after the other; one thread may have several players, whose leaves
/// the network evaluates together.
///
/// A game begins with random moves and with moves drawn from the policy. Then each move is drawn by
/// a search's visits of the root's moves, or by the improved policy: full searches have root noise,
/// or begin by Sequential Halving, and the network learns from them; if there are others, they have
/// fewer simulations.
class SelfPlayer {
 public:
  /// `network` is a name in `networks`; `settings` must outlive this object. Throws BadOption.
  SelfPlayer(const games::AnyGame& start, const std::shared_ptr<engine::Networks>& networks,
             const std::string& network, const SelfPlaySettings& settings, SearchStage stage);

  /// Begins a game, which depends on the seed alone; one that is being played is given up. Throws
  /// BadOption if the options contradict each other, or the network cannot be used.
  void begin(std::uint64_t seed);
  /// Plays on until there is a leaf to evaluate and leaves it in the batch, which is to be
  /// evaluated before the next `step`, or until the game is over, and returns it. If leaves are
  /// evaluated elsewhere, or by several threads, plays one move, for whose search it blocks. Throws
  /// as `begin`.
  [[nodiscard]] std::optional<SelfPlayGame> step(engine::LeafBatch& batch);

 private:
  [[nodiscard]] bool open_game();
  [[nodiscard]] std::string policy_move();
  void begin_search();
  [[nodiscard]] engine::Progress search(engine::LeafBatch& batch);
  [[nodiscard]] std::string searched_move();
  [[nodiscard]] bool is_decided() const;
  [[nodiscard]] engine::RootRule root_rule(int simulations);
  [[nodiscard]] bool needs_assessment() const;
  [[nodiscard]] std::vector<double> target_of(const engine::Report& report,
                                              const engine::Assessment& raw) const;
  void add_row(const engine::Report& report, const std::vector<double>& target, double value);
  [[nodiscard]] double temperature() const;
  void move(const std::string& text);
  void note_end();
  void weight_by_surprise();

  std::unique_ptr<games::AnyGame> start_;
  std::unique_ptr<games::AnyGame> position_;
  engine::Wakeup wakeup_;
  std::unique_ptr<engine::Search> search_;
  const SelfPlaySettings& settings_;
  SearchStage stage_;
  engine::Options options_;
  games::Random random_{0};
  SelfPlayGame game_;
  int opening_plies_ = 0;     ///< before the first search
  bool is_full_ = false;      ///< the search under way
  std::vector<int> winning_;  ///< by colour: for how many of its turns in a row it has been winning
  std::vector<double> surprises_;  ///< of the game's rows, if the settings ask for them
};

}  // namespace pitboss::clients
