#include "clients/growing/samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/policy/features/linear_policy.hpp"
#include "games/unboxed.hpp"

namespace pitboss::clients {

Sample sample_of(const games::AnyGame& position, const std::map<std::string, double>& visits) {
  Sample sample;
  double sum = 0;
  for (const auto& [text, count] : visits) sum += count;
  games::unboxed(position, [&]<class G>(const G& game) {
    sample.mover = index(game.to_move());
    sample.contents = engine::contents_of(game);
    const int words = engine::feature_game(game).graph.points().back() / 64 + 1;
    engine::copy_pieces(game, words, sample.pieces);
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    for (const games::Move move : moves) {
      const auto found = visits.find(game.text(move));
      sample.moves.push_back(engine::points_of(game, move));
      sample.target.push_back(found == visits.end() ? 0.F
                                                    : static_cast<float>(found->second / sum));
    }
  });
  return sample;
}

void match(Sample& sample, engine::FeatureMatcher& matcher) {
  matcher.see(sample.pieces, sample.mover);
  sample.active.assign(sample.moves.size(), {});
  for (std::size_t i = 0; i < sample.moves.size(); ++i) {
    matcher.add_active(sample.moves[i], sample.active[i]);
    std::ranges::sort(sample.active[i]);
  }
}

std::vector<double> probabilities(const Sample& sample, std::span<const double> weights) {
  std::vector<double> all;
  for (const auto& active : sample.active) {
    all.push_back(std::accumulate(active.begin(), active.end(), 0., [&](double sum, auto feature) {
      return sum + weights[feature];
    }));
  }
  const double largest = *std::ranges::max_element(all);
  double sum = 0;
  for (double& p : all) sum += p = std::exp(p - largest);
  for (double& p : all) p /= sum;
  return all;
}

double loss_of(const Sample& sample, std::span<const double> weights, double lambda) {
  const std::vector<double> all = probabilities(sample, weights);
  double loss = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (sample.target[i] > 0) loss -= static_cast<double>(sample.target[i]) * std::log(all[i]);
  }
  for (const double weight : weights) loss += lambda * weight * weight;
  return loss;
}

void add_gradient(const Sample& sample, std::span<const double> weights,
                  std::span<double> gradient) {
  const std::vector<double> all = probabilities(sample, weights);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double error = all[i] - static_cast<double>(sample.target[i]);
    for (const std::uint32_t feature : sample.active[i]) gradient[feature] += error;
  }
}

}  // namespace pitboss::clients
