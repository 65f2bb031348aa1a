#include "engine/policy/features/feature_activity.hpp"

#include <memory>
#include <span>

#include "engine/policy/features/linear_policy.hpp"
#include "games/random.hpp"
#include "games/unboxed.hpp"

namespace pitboss::engine {

std::vector<double> activity_of(const FeatureSet& set, const games::AnyGame& game, int games,
                                std::uint64_t seed) {
  const auto plan = std::make_shared<const FeaturePlan>(set, feature_game(game));
  std::vector<double> active(set.features.size());
  double cases = 0;
  games::Random random(seed);
  games::unboxed(game, [&]<class G>(const G& initial) {
    LinearPolicy<G> policy(plan);
    for (int i = 0; i < games; ++i) {
      G position = initial;
      while (!position.result().finished()) {
        games::MoveList<G::max_moves> moves;
        position.legal_moves(moves);
        cases += moves.size();
        for (const auto& features : policy.active(position, {moves.begin(), moves.end()})) {
          for (const std::uint32_t feature : features) ++active[feature];
        }
        position.play(games::random_move(position, random));
      }
    }
  });
  for (double& share : active) share /= cases;
  return active;
}

}  // namespace pitboss::engine
