#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/evaluator.hpp"
#include "engine/novelty.hpp"
#include "engine/options.hpp"

namespace pitboss::engine {

/// What the options plug into the simulation loop. An empty pointer is a part that is not used.
template <games::Game G>
struct Slots {
  std::unique_ptr<Evaluator<G>> evaluator;
  std::unique_ptr<NoveltyMeasure<G>> novelty;
};

/// Whether a game has what the options ask for. Throws BadOption with a sentence if not.
template <games::Game G>
void check_slots(const Options& options) {
  const std::string game(G::name);
  if (options.evaluation != Evaluation::playout && !games::HasStaticValue<G>) {
    throw BadOption(game + " has no static value: set evaluation to playout");
  }
  if (options.evaluation == Evaluation::playout && options.playout == Playout::informed &&
      !games::HasInformedMove<G, games::Random>) {
    throw BadOption(game + " has no informed playouts: set playout to uniform");
  }
  if (options.novelty == Novelty::pseudocount_features && !games::HasFeatures<G>) {
    throw BadOption(game + " has no evaluation features: set novelty to another measure");
  }
}

template <games::Game G>
[[nodiscard]] std::unique_ptr<Evaluator<G>> make_evaluator(const Options& options) {
  if constexpr (games::HasTunedValue<G>) {
    if (options.evaluation == Evaluation::tuned_value) {
      return std::make_unique<TunedEvaluator<G>>();
    }
  }
  if constexpr (games::HasStaticValue<G>) {
    if (options.evaluation != Evaluation::playout) {
      return std::make_unique<StaticEvaluator<G>>();
    }
  }
  if constexpr (games::HasInformedMove<G, games::Random>) {
    if (options.playout == Playout::informed) {
      return std::make_unique<PlayoutEvaluator<G, InformedPolicy>>();
    }
  }
  return std::make_unique<PlayoutEvaluator<G, UniformPolicy>>();
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
    case Novelty::pseudocount_features:
      if constexpr (games::HasFeatures<G>) return std::make_unique<FeatureNovelty<G>>(nullptr);
      break;
    case Novelty::evaluation:
      return std::make_unique<EvaluationNovelty<G>>();
    case Novelty::threshold:
      return std::make_unique<ThresholdNovelty<G>>(gamma);
  }
  return nullptr;  // check_slots has refused what gets here
}

/// The parts for a search. Throws BadOption as check_slots does.
template <games::Game G>
[[nodiscard]] Slots<G> make_slots(const Options& options, const double& gamma) {
  check_slots<G>(options);
  if constexpr (games::HasFeatureValue<G>) {
    if (options.evaluation == Evaluation::static_value &&
        options.novelty == Novelty::pseudocount_features) {
      auto evaluator = std::make_unique<FeatureEvaluator<G>>();
      auto novelty = std::make_unique<FeatureNovelty<G>>(&evaluator->features());
      return {std::move(evaluator), std::move(novelty)};
    }
  }
  return {make_evaluator<G>(options), make_novelty<G>(options.novelty, gamma)};
}

}  // namespace pitboss::engine
