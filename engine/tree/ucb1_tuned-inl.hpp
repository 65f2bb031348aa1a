// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_TREE_UCB1_TUNED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_TREE_UCB1_TUNED_INL
#undef PITBOSS_ENGINE_TREE_UCB1_TUNED_INL
#else
#define PITBOSS_ENGINE_TREE_UCB1_TUNED_INL
#endif

#include <hwy/highway.h>

#include "engine/formulas.hpp"
#include "engine/tree/exploration.hpp"
#include "engine/tree/scoring.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// UCB1-Tuned (Auer, Cesa-Bianchi, Fischer 2002, with the factor k): base + k sqrt(ln n / n_a)
/// sqrt(min(c, v + sqrt(2 ln n / n_a))), n the samples of all moves, n_a those of the move, v the
/// variance of its results and c the largest variance that results can have (1/4 in [0, 1]).
struct Ucb1Tuned {
  static constexpr Selection selection = Selection::ucb1_tuned;
  static constexpr SelectionRow row{.name = "ucb1-tuned",
                                    .help = "less where a move's results vary little",
                                    .source = "Auer, Cesa-Bianchi, Fischer 2002",
                                    .bonus = [](const Options& options, const MoveSamples& move) {
                                      const double range = 1 + 2 * reward_excess(options);
                                      return ucb1_tuned_bonus(options.k, move.n, move.n_a,
                                                              move.variance, range * range / 4);
                                    }};

  struct Shared {
    float root_log;   ///< k sqrt(ln n)
    float root_2log;  ///< sqrt(2 ln n)
    float most_variance;
  };
  static Shared shared(const RuleFactors& factors, NodeTerms node) {
    constexpr float root2 = 1.41421356F;
    const float root = root_log(node.samples);
    return {factors.k * root, root2 * root, factors.most_variance};
  }
  /// The scores of the moves from the i-th on, as many as `d` has lanes.
  template <class D>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> scores(D d, MoveTerms moves, int i, Shared x) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto width = hn::Load(d, moves.inverse_root() + i);
    const auto limit =
        hn::Add(hn::Load(d, moves.variance() + i), hn::Mul(hn::Set(d, x.root_2log), width));
    const auto deviation = hn::Sqrt(hn::Min(hn::Set(d, x.most_variance), limit));
    const auto bonus = hn::Mul(hn::Mul(hn::Set(d, x.root_log), width), deviation);
    return hn::Add(hn::Load(d, moves.base() + i), bonus);
  }
};

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
