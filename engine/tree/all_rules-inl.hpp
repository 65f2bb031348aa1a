// Highway compiles this file once for each instruction set of the including file, so its guard is a
// toggle instead of a "once".
#if defined(PITBOSS_ENGINE_TREE_ALL_RULES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PITBOSS_ENGINE_TREE_ALL_RULES_INL
#undef PITBOSS_ENGINE_TREE_ALL_RULES_INL
#else
#define PITBOSS_ENGINE_TREE_ALL_RULES_INL
#endif

#include <hwy/highway.h>

#include <array>

#include "engine/tree/puct-inl.hpp"
#include "engine/tree/ucb1-inl.hpp"
#include "engine/tree/ucb1_tuned-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace pitboss::engine::HWY_NAMESPACE {

template <class... Rules>
struct RuleList {
  static constexpr std::array<SelectionRow, sizeof...(Rules)> rows{Rules::row...};
  using Default = Ucb1Tuned;  ///< of the option

  /// What `visit.operator()<Rule>()` returns for that rule. Asks for the default one first: in a
  /// node of few moves a comparison counts.
  template <class Visit>
  static HWY_INLINE auto with(Selection rule, Visit&& visit) {
    if (rule == Default::selection) [[likely]] {
      return visit.template operator()<Default>();
    }
    return with_one_of<Rules...>(rule, visit);
  }
  /// Whether the rules stand in the order of Selection, each with its bonus.
  static constexpr bool is_whole() {
    int place = 0;
    return ((static_cast<int>(Rules::selection) == place++ && Rules::row.bonus != nullptr) && ...);
  }

 private:
  template <class First, class... Others, class Visit>
  static HWY_INLINE auto with_one_of(Selection rule, Visit& visit) {
    if constexpr (sizeof...(Others) > 0) {
      if (rule != First::selection) return with_one_of<Others...>(rule, visit);
    }
    return visit.template operator()<First>();
  }
};

/// THE list of selection rules, from which choices in wide and in narrow nodes, the option
/// `selection`, its documents and the terms of reports derive. A rule has
///   - `selection`, its value of the option, and `row`, all that is told of it (options.hpp);
///   - `shared(factors, node)`: what the scores of a node's moves share;
///   - `scores(d, moves, i, shared)`: the scores of the moves from the i-th on, as many as `d` has
///     lanes: base + `row.bonus`, by operations that IEEE 754 defines exactly.
using AllRules = RuleList<Ucb1, Ucb1Tuned, Puct>;
static_assert(AllRules::is_whole());

}  // namespace pitboss::engine::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
