// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_TREE_PUCT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_TREE_PUCT_INL
#undef PITBOSS_ENGINE_TREE_PUCT_INL
#else
#define PITBOSS_ENGINE_TREE_PUCT_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/formulas.hpp"
#include "engine/tree/scoring.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// PUCT (Silver et al. 2017; Novelty in MCTS, sec. IV-B): base + c P sqrt(n) / (1 + n_a), n the
/// samples of all moves, n_a those of the move, P its prior probability. The inverse root of a move
/// without samples is infinite; the first-play urgency is added to its base, which is 0.
struct Puct {
  static constexpr Selection selection = Selection::puct;
  static constexpr SelectionRow row{.name = "puct",
                                    .help = "by priors, which are all equal without a network",
                                    .source = "Novelty in MCTS, sec. IV-B",
                                    .has_priors = true,
                                    .values_untried = true,
                                    .bonus = [](const Options& options, const MoveSamples& move) {
                                      return puct_bonus(options.c_puct, move.prior, move.n,
                                                        move.n_a);
                                    }};

  struct Shared {
    float root;        ///< c sqrt(n)
    float first_play;  ///< value of a move without samples
  };
  static Shared shared(const RuleFactors& factors, NodeTerms node) {
    const float root = std::sqrt(static_cast<float>(std::max(node.samples, 1U)));
    return {factors.c_puct * root, node.mean - factors.fpu_reduction};
  }
  /// The scores of the moves from the i-th on, as many as `d` has lanes.
  template <class D>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> scores(D d, MoveTerms moves, int i, Shared x) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto one = hn::Set(d, 1.0F);
    const auto inverse_root = hn::Load(d, moves.inverse_root() + i);
    const auto is_new = hn::Eq(inverse_root, hn::Set(d, std::numeric_limits<float>::infinity()));
    const auto samples = hn::Div(one, hn::Mul(inverse_root, inverse_root));
    const auto urgency = hn::IfThenElseZero(is_new, hn::Set(d, x.first_play));
    const auto weight = hn::Mul(hn::Set(d, x.root), hn::Load(d, moves.prior() + i));
    const auto bonus = hn::Div(weight, hn::Add(one, samples));
    return hn::Add(hn::Add(hn::Load(d, moves.base() + i), urgency), bonus);
  }
};

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
