#pragma once

#include <memory>

#include "engine/leaf/evaluator_source.hpp"
#include "engine/leaf/network/network_evaluator.hpp"
#include "engine/leaf/remote/remote_evaluator.hpp"
#include "engine/models.hpp"

namespace pitboss::engine {

/// Makes the evaluators of searches whose options name a network, and holds on to the network of
/// the last of them, so that the searches of one game do not load it move by move. Knows the sets
/// of features.
template <games::HasPolicy G>
class ModelSource final : public EvaluatorSource<G> {
 public:
  explicit ModelSource(const Models& models) : feature_sets_(models.feature_sets) {
    if (models.networks) networks_ = std::make_shared<HeldNetworks>(models.networks);
  }

  [[nodiscard]] bool has_networks() const override { return networks_ != nullptr; }
  [[nodiscard]] std::unique_ptr<Evaluator<G>> evaluator(const Options& options) const override {
    if (options.evaluation != EvaluatorKind::network || is_remote(options)) return nullptr;
    return std::make_unique<NetworkEvaluator<G>>(networks_, options);
  }
  void check(const Options& options) const override {
    if (options.evaluation == EvaluatorKind::network &&
        options.evaluator == EvaluatorPlace::remote && !has_service()) {
      throw BadOption("there is no remote evaluator: start pitbossd with --evaluator URL");
    }
  }
  [[nodiscard]] std::unique_ptr<BatchEvaluator<G>> batch_evaluator(
      const Options& options, const Waker& waker) const override {
    if (options.evaluation != EvaluatorKind::network || !is_remote(options)) return nullptr;
    return std::make_unique<RemoteEvaluator<G>>(networks_, networks_->service(), options, waker);
  }
  [[nodiscard]] int in_flight(const Options& options) const override {
    return static_cast<int>(options.in_flight);
  }
  [[nodiscard]] std::shared_ptr<FeatureSets> feature_sets() const override { return feature_sets_; }

 private:
  [[nodiscard]] bool has_service() const { return networks_ && networks_->service(); }
  [[nodiscard]] bool is_remote(const Options& options) const {
    return has_service() && options.evaluator != EvaluatorPlace::local;
  }

  std::shared_ptr<HeldNetworks> networks_;
  std::shared_ptr<FeatureSets> feature_sets_;
};

}  // namespace pitboss::engine
