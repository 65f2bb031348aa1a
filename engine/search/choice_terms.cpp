#include "engine/search/choice_terms.hpp"

#include <algorithm>
#include <cmath>

#include "engine/formulas.hpp"
#include "games/all_games.hpp"
#include "games/halves.hpp"

namespace pitboss::engine {

namespace {

/// Whether a search with these options chooses halves of moves.
bool by_halves(const Report& report) {
  bool has_halves = false;
  games::with_game(report.game,
                   [&]<class G>(std::type_identity<G>) { has_halves = games::HasHalves<G>; });
  return has_halves && report.options.split_moves;
}

/// The exploration term for n samples of all moves and n_a > 0 of this one (engine/tree/rules/).
double exploration_of(const MoveReport& move, const Options& options, double n, double n_a) {
  switch (options.selection) {
    case Selection::puct:
      return options.c_puct * move.prior.value_or(0) * std::sqrt(n) / (1 + n_a);
    case Selection::ucb1:
      return ucb1_bonus(options.k, n, n_a);
    case Selection::ucb1_tuned:
      break;
  }
  const double range = 1 + 2 * reward_excess(options);
  return ucb1_tuned_bonus(options.k, n, n_a, move.variance, range * range / 4);
}

ChoiceTerms terms_of(const MoveReport& move, const Options& options, int players, double n,
                     double n_a) {
  ChoiceTerms terms;
  if (move.proven != Proven::no) return terms;
  const bool is_novel = options.novelty != Novelty::none;
  if (is_novel) terms.b = novelty_weight(options.beta, n_a);
  // PUCT's term needs no sample but a prior, which a position without a block has not told yet.
  const bool has_term = options.selection == Selection::puct ? move.prior.has_value() : n_a > 0;
  if (!has_term) return terms;
  terms.exploration = exploration_of(move, options, n, n_a);
  if (n_a == 0) return terms;
  const double mean = move.visits == 0 ? options.virtual_value : move.value;
  terms.bound =
      *terms.exploration + (is_novel ? novelty_mix(options.novelty_mix, *terms.b, options.alpha,
                                                   move.novelty, mean, players)
                                     : mean);
  return terms;
}

}  // namespace

std::vector<ChoiceTerms> choice_terms(const Report& report) {
  const Options& options = report.options;
  std::vector<ChoiceTerms> all(report.moves.size());
  if (!options.estimators.empty() || by_halves(report)) return all;
  // A move may have a virtual sample before its first visit.
  const double virtual_sample = options.virtual_samples ? 1 : 0;
  double n = 0;
  for (const MoveReport& move : report.moves)
    n += static_cast<double>(move.visits) + virtual_sample;
  std::ranges::transform(report.moves, all.begin(), [&](const MoveReport& move) {
    return terms_of(move, options, report.players, std::max(n, 1.0),
                    static_cast<double>(move.visits) + virtual_sample);
  });
  return all;
}

}  // namespace pitboss::engine
