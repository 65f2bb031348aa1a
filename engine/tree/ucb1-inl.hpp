// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_TREE_UCB1_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_TREE_UCB1_INL
#undef PITBOSS_ENGINE_TREE_UCB1_INL
#else
#define PITBOSS_ENGINE_TREE_UCB1_INL
#endif

#include <hwy/highway.h>

#include "engine/formulas.hpp"
#include "engine/tree/exploration.hpp"
#include "engine/tree/scoring.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

/// UCB1 (Auer, Cesa-Bianchi, Fischer 2002, with the factor k): base + k sqrt(ln n / n_a), n the
/// samples of all moves, n_a those of the move.
struct Ucb1 {
  static constexpr Selection selection = Selection::ucb1;
  static constexpr SelectionRow row{.name = "ucb1",
                                    .help = "k sqrt(ln n / n_a)",
                                    .source = "Auer, Cesa-Bianchi, Fischer 2002",
                                    .bonus = [](const Options& options, const MoveSamples& move) {
                                      return ucb1_bonus(options.k, move.n, move.n_a);
                                    }};

  /// k sqrt(ln n)
  static float shared(const RuleFactors& factors, NodeTerms node) {
    return factors.k * root_log(node.samples);
  }
  /// The scores of the moves from the i-th on, as many as `d` has lanes.
  template <class D>
  static HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> scores(D d, MoveTerms moves, int i,
                                                      float k_root_log) {
    namespace hn = hwy::HWY_NAMESPACE;
    const auto width = hn::Load(d, moves.inverse_root() + i);
    return hn::Add(hn::Load(d, moves.base() + i), hn::Mul(hn::Set(d, k_root_log), width));
  }
};

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
