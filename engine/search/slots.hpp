#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/leaf/evaluator_source.hpp"
#include "engine/leaf/noisy_value.hpp"
#include "engine/leaf/playout.hpp"
#include "engine/leaf/quality_rewards.hpp"
#include "engine/leaf/static_value.hpp"
#include "engine/novelty/novelty.hpp"
#include "engine/options/options.hpp"
#include "engine/policy/features/search_features.hpp"
#include "engine/policy/guided_policy.hpp"
#include "engine/policy/mast.hpp"
#include "engine/search/knowledge.hpp"
#include "games/game.hpp"
#include "games/random.hpp"
#include "games/target.hpp"

namespace pitboss::engine {

/// What a game offers to a search beside its rules.
struct Abilities {
  std::string_view game;
  bool has_static_value;
  bool has_quality;        ///< of a finished game
  bool has_target;         ///< a target square of every move
  bool has_informed_move;  ///< a playout policy of its own
  bool has_features;
  bool has_knowledge;  ///< without search (search/knowledge.hpp)
};

template <games::Game G>
[[nodiscard]] constexpr Abilities abilities_of() {
  return {G::name,
          games::HasStaticValue<G>,
          games::HasQuality<G>,
          games::HasTarget<G>,
          games::HasInformedMove<G, games::Random>,
          games::HasFeatures<G>,
          HasKnowledge<G>};
}

/// Throws BadOption with a sentence if the options do not fit together or the game lacks what they
/// need.
void check_options(const Abilities& abilities, const Options& options);

/// The parts that options plug into the simulation loop. A part that is not used is null.
template <games::Game G>
struct Slots {
  std::unique_ptr<QualityRewards<G>> rewards;
  std::unique_ptr<Estimators<G>> estimators;
  std::unique_ptr<ContextTable> move_means;  ///< MAST's
  /// Null unless the options draw on features when a search begins.
  std::unique_ptr<SearchFeatures<G>> features;
  /// Refers to the parts above; null if leaves are evaluated later (BatchEvaluator).
  std::unique_ptr<Evaluator<G>> evaluator;
  std::unique_ptr<NoveltyMeasure<G>> novelty;
  std::unique_ptr<Knowledge<G>> knowledge;
  /// Whether novelty is asked before the evaluation: if that comes later, or is a playout. No
  /// processor predicts a playout's end, and novelty is computed by then.
  bool novelty_first = false;
  bool has_priors = false;          ///< the evaluator's
  bool has_feature_priors = false;  ///< of which there are none then
};

template <games::Game G>
void empty_move_means(Slots<G>& slots) {
  if (slots.move_means) slots.move_means->reset(std::size_t{mast_mb} << 20);
}

/// Null if no bonus is on.
template <games::Game G>
[[nodiscard]] QualityRewards<G>* rewards_in_use(const Slots<G>& slots, const Options& options) {
  return options.relative_bonus || options.qualitative_bonus ? slots.rewards.get() : nullptr;
}

/// Playouts of `policy`, in which MAST may choose some moves.
template <games::Game G, class Policy>
[[nodiscard]] std::unique_ptr<Evaluator<G>> make_playouts(const Options& options, Slots<G>& slots,
                                                          Policy policy = {}) {
  QualityRewards<G>* const rewards = rewards_in_use(slots, options);
  if (options.mast == 0) {
    return std::make_unique<PlayoutEvaluator<G, Policy>>(rewards, std::move(policy));
  }
  if (!slots.move_means) slots.move_means = std::make_unique<ContextTable>();
  using Mast = MastPolicy<G, Policy>;
  return std::make_unique<PlayoutEvaluator<G, Mast>>(
      rewards, Mast(options.mast, *slots.move_means, std::move(policy)));
}

/// `options` and the other slots must outlive the evaluator.
template <games::Game G>
[[nodiscard]] std::unique_ptr<Evaluator<G>> make_evaluator(const Options& options,
                                                           Slots<G>& slots) {
  if constexpr (games::HasTunedValue<G>) {
    if (options.evaluation == EvaluatorKind::tuned_value) {
      return std::make_unique<TunedEvaluator<G>>();
    }
  }
  if constexpr (games::HasStaticValue<G>) {
    if (options.evaluation != EvaluatorKind::playout) {
      return std::make_unique<StaticEvaluator<G>>();
    }
  }
  if (!options.estimators.empty()) {
    if constexpr (games::HasInformedMove<G, games::Random>) {
      if (options.playout == Playout::informed) {
        return std::make_unique<PlayoutEvaluator<G, ObservedPolicy<G>>>(
            rewards_in_use(slots, options), ObservedPolicy<G>(*slots.estimators));
      }
    }
    return std::make_unique<PlayoutEvaluator<G, GuidedPolicy<G>>>(
        rewards_in_use(slots, options), GuidedPolicy<G>(*slots.estimators));
  }
  if constexpr (games::HasInformedMove<G, games::Random>) {
    if (options.playout == Playout::informed) {
      return make_playouts<G, InformedPolicy>(options, slots);
    }
  }
  // A search that has begun without features goes on without them.
  if (options.playout == Playout::features && slots.features) {
    return make_playouts(options, slots, FeaturePolicy<G>(*slots.features, options.feature_moves));
  }
  return make_playouts<G, UniformPolicy>(options, slots);
}

/// The measures of features. `judged` is as for ObservedFeatures.
template <games::HasFeatures G>
[[nodiscard]] std::unique_ptr<NoveltyMeasure<G>> make_feature_novelty(
    Novelty novelty, const double& gamma, const typename G::Features* judged) {
  switch (novelty) {
    case Novelty::pseudocount_features:
      return std::make_unique<FeaturePseudocountNovelty<G>>(judged);
    case Novelty::evaluation_features:
      return std::make_unique<FeatureEvaluationNovelty<G>>(judged);
    case Novelty::threshold_features:
      return std::make_unique<FeatureThresholdNovelty<G>>(gamma, judged);
    default:
      return nullptr;
  }
}

/// `gamma` must outlive the measure.
template <games::Game G>
[[nodiscard]] std::unique_ptr<NoveltyMeasure<G>> make_novelty(Novelty novelty,
                                                              const double& gamma) {
  switch (novelty) {
    case Novelty::none:
      return nullptr;
    case Novelty::pseudocount:
      return std::make_unique<PseudocountNovelty<G>>();
    case Novelty::evaluation:
      return std::make_unique<EvaluationNovelty<G>>();
    case Novelty::threshold:
      return std::make_unique<ThresholdNovelty<G>>(gamma);
    default:
      break;
  }
  if constexpr (games::HasFeatures<G>) return make_feature_novelty<G>(novelty, gamma, nullptr);
  return nullptr;  // check_options refuses the measure
}

/// The parts that come from the options alone.
template <games::Game G>
void fill_slots(Slots<G>& slots, const Options& options, int ply, games::Colour mover) {
  if constexpr (games::HasFeatureValue<G>) {
    if (options.evaluation == EvaluatorKind::static_value && counts_features(options.novelty)) {
      auto evaluator = std::make_unique<FeatureEvaluator<G>>();
      slots.novelty =
          make_feature_novelty<G>(options.novelty, options.gamma, &evaluator->features());
      slots.evaluator = std::move(evaluator);
      return;
    }
  }
  if (options.evaluation == EvaluatorKind::playout) {
    slots.rewards = std::make_unique<QualityRewards<G>>(ply, mover);
    slots.rewards->set(options);
    slots.novelty_first = !compares_values(options.novelty);
  }
  slots.evaluator = make_evaluator<G>(options, slots);
  slots.novelty = make_novelty<G>(options.novelty, options.gamma);
}

/// The parts for a search from a position after `ply` plies with `mover` to move. `options` must
/// outlive them, since parts read live options there. `before` are the slots of the last search,
/// whose memory is used again. check_options must have accepted the options. `source` may be null;
/// `later`, if not null, evaluates the leaves, and there is no evaluator slot.
template <games::Game G>
[[nodiscard]] Slots<G> make_slots(const Options& options, int ply, games::Colour mover,
                                  Slots<G>&& before = {},
                                  const EvaluatorSource<G>* source = nullptr,
                                  const BatchEvaluator<G>* later = nullptr) {
  Slots<G> slots;
  if (options.mast > 0 && before.move_means) {
    slots.move_means = std::move(before.move_means);
  }
  if (!options.estimators.empty()) {
    slots.estimators =
        before.estimators ? std::move(before.estimators) : std::make_unique<Estimators<G>>();
    slots.estimators->begin(options);
  }
  if (const auto sets = source != nullptr ? source->feature_sets() : nullptr;
      sets && uses_features(options)) {
    slots.features = std::make_unique<SearchFeatures<G>>(sets, options.features);
    slots.has_feature_priors = options.prior == Prior::features;
  }
  if constexpr (HasKnowledge<G>) {
    if (options.knowledge > 0) {
      slots.knowledge =
          before.knowledge ? std::move(before.knowledge) : std::make_unique<Knowledge<G>>();
    }
  }
  if (source != nullptr) slots.evaluator = source->evaluator(options);
  if (slots.evaluator || later != nullptr) {
    slots.novelty = make_novelty<G>(options.novelty, options.gamma);
    slots.novelty_first = !compares_values(options.novelty);
    slots.has_priors = options.prior == Prior::network &&
                       (later != nullptr ? later->has_priors() : slots.evaluator->has_priors());
  } else {
    fill_slots(slots, options, ply, mover);
    if (options.evaluation_noise > 0) {
      slots.evaluator = std::make_unique<NoisyEvaluator<G>>(std::move(slots.evaluator), options);
    }
  }
  return slots;
}

/// The features of a search with `options`, if it uses them.
template <games::Game G>
[[nodiscard]] std::optional<FeatureUse> features_in_use(const Slots<G>& slots,
                                                        const Options& options) {
  if (!slots.features || !uses_features(options)) return std::nullopt;
  return slots.features->use();
}

/// Empties tables and reads what the parts need from outside, before any use, for a search from
/// `root`, of a game with these parameters; may take long. Throws BadOption if a part cannot serve
/// the search.
template <games::Game G>
void prepare_slots(Slots<G>& slots, const G& root, const std::string& parameters) {
  empty_move_means(slots);
  if (slots.features) slots.features->prepare(root, parameters);
  if (slots.evaluator) slots.evaluator->prepare(root, parameters);
}

template <games::Game G>
void update_playouts(Slots<G>& slots, const Options& options, const Options& before) {
  slots.rewards->set(options);
  const bool same = options.playout == before.playout && (options.mast > 0) == (before.mast > 0) &&
                    options.estimators.empty() == before.estimators.empty() &&
                    rewards_in_use(slots, options) == rewards_in_use(slots, before);
  if (same) return;
  const bool had_means = slots.move_means != nullptr;
  slots.evaluator = make_evaluator<G>(options, slots);
  if (!had_means) empty_move_means(slots);
}

/// Applies a change of the live options; `before` are the old ones. May throw std::bad_alloc; then
/// the slots may only be passed to make_slots or freed.
template <games::Game G>
void update_slots(Slots<G>& slots, const Options& options, const Options& before) {
  if (!options.estimators.empty()) {
    if (!slots.estimators) slots.estimators = std::make_unique<Estimators<G>>();
    slots.estimators->set(options);
  }
  if (slots.rewards) update_playouts(slots, options, before);
  if (options.estimators.empty()) slots.estimators.reset();  // its memory, too
}

}  // namespace pitboss::engine
