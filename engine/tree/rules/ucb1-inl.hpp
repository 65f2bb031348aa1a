// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_TREE_RULES_UCB1_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_TREE_RULES_UCB1_INL
#undef PITBOSS_ENGINE_TREE_RULES_UCB1_INL
#else
#define PITBOSS_ENGINE_TREE_RULES_UCB1_INL
#endif

#include <hwy/highway.h>

#include "engine/tree/scoring.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// UCB1 (Auer, Cesa-Bianchi, Fischer 2002, with the factor k): base + k sqrt(ln n / n_a), n the
/// samples of all moves, n_a those of the move.
struct Ucb1 {
  /// The scores of the moves from the i-th on, as many as `d` has lanes.
  template <class D>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> scores(D d, MoveTerms moves, int i, Exploration x) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto width = hn::Load(d, moves.inverse_root() + i);
    return hn::Add(hn::Load(d, moves.base() + i), hn::Mul(hn::Set(d, x.root_log), width));
  }
};

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
