#include "engine/policy/features/matching_time.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "engine/policy/features/linear_policy.hpp"
#include "games/random.hpp"
#include "games/unboxed.hpp"

namespace pitboss::engine {

namespace {

using SteadyClock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

template <class G>
struct KnownPosition {
  G game;
  std::vector<games::Move> moves;
};

/// Every third position of some random games.
template <class G>
std::vector<KnownPosition<G>> random_positions(const G& initial) {
  constexpr std::size_t enough = 60;
  constexpr int every = 3;
  games::Random random(1);
  std::vector<KnownPosition<G>> positions;
  while (positions.size() < enough) {
    G game = initial;
    for (int ply = 0; !game.result().finished() && positions.size() < enough; ++ply) {
      if (ply % every == 0) {
        games::MoveList<G::max_moves> moves;
        game.legal_moves(moves);
        positions.push_back({game, {moves.begin(), moves.end()}});
      }
      game.play(games::random_move(game, random));
    }
  }
  return positions;
}

}  // namespace

MatchingTime time_matching(const FeatureSet& set, const games::AnyGame& game, double seconds) {
  const auto plan = std::make_shared<const FeaturePlan>(set, feature_game(game));
  MatchingTime time{set.features.size(), plan->instances(), 0, 0};
  games::unboxed(game, [&]<class G>(const G& initial) {
    const auto positions = random_positions(initial);
    const auto count = static_cast<double>(positions.size());
    for (const auto& position : positions) {
      time.moves += static_cast<double>(position.moves.size()) / count;
    }
    LinearPolicy<G> policy(plan);
    std::vector<double> rounds;
    const auto end = SteadyClock::now() + Seconds(seconds);
    do {
      const auto begin = SteadyClock::now();
      for (const auto& position : positions) {
        static_cast<void>(policy.logits(position.game, position.moves));
      }
      rounds.push_back(Seconds(SteadyClock::now() - begin).count() / count);
    } while (SteadyClock::now() < end);
    std::ranges::nth_element(rounds,
                             rounds.begin() + static_cast<std::ptrdiff_t>(rounds.size() / 2));
    time.seconds = rounds[rounds.size() / 2];
  });
  return time;
}

}  // namespace pitboss::engine
