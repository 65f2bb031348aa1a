#include "engine/search/choice_terms.hpp"

#include <algorithm>

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

ChoiceTerms terms_of(const MoveReport& move, const Options& options, int players, double n,
                     double n_a) {
  ChoiceTerms terms;
  if (move.proven != Proven::no) return terms;
  const bool is_novel = options.novelty != Novelty::none;
  if (is_novel) terms.b = novelty_weight(options.beta, n_a);
  const SelectionRow& rule = selection_row(options.selection);
  // By priors a term needs no sample; a position without a block has not told its priors yet.
  if (rule.has_priors ? !move.prior : n_a == 0) return terms;
  terms.exploration = rule.bonus(options, {n, n_a, move.variance, move.prior.value_or(0)});
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
