#pragma once

#include <span>
#include <vector>

#include "engine/root_rule.hpp"

/// What a network learns from a full search: the target of its policy, by the way in which the
/// search has begun its simulations (root_rules.hpp). A target is a weight for each move.
/// Independent of the game.
namespace pitboss::clients {

/// PUCT as a search has scored its root: value + c sqrt(n) prior / (1 + n_a), where n_a are a
/// move's visits and virtual samples, n those of all moves.
struct PuctRule {
  double c = 1;
  int virtual_samples = 0;  ///< of each move
};

/// The visits without those that only forced playouts have brought (Wu 2019, sec. 3.2): of each
/// move but the most visited one as many are left out as were forced, or fewer, if its PUCT score,
/// with the visits that remain, would not stay below that of the most visited move. One last visit
/// is left out, too.
[[nodiscard]] std::vector<double> without_forced(std::span<const engine::RootMove> moves, double k,
                                                 PuctRule rule);

/// The improved policy (Danihelka et al. 2022, eq. 11 and appendix D): the softmax of log prior +
/// value_logit of the completed values. The completed value of a move without visits is
/// (v + n q) / (1 + n), v the network's value of the position, n the visits of all moves and q the
/// mean of the tried moves' values by their priors.
[[nodiscard]] std::vector<double> improved_policy(std::span<const engine::RootMove> moves,
                                                  double network_value, double scale);

/// Kullback-Leibler divergence of a target, whose weights need not sum to 1, from a policy, in
/// nats.
[[nodiscard]] double divergence(std::span<const double> target, std::span<const double> policy);

/// Policy surprise weighting (KataGo): a share of the rows' weight is distributed anew among them,
/// in proportion to weight and surprise (`divergence`). The sum stays.
[[nodiscard]] std::vector<double> surprise_weights(std::span<const double> weights,
                                                   std::span<const double> surprises, double share);

}  // namespace pitboss::clients
