#pragma once

#include <memory>
#include <utility>

#include "engine/leaf/evaluator_source.hpp"
#include "engine/leaf/network/network_evaluator.hpp"
#include "engine/leaf/remote/remote_evaluator.hpp"

namespace pitboss::engine {

/// Makes the evaluators of searches whose options name a network, and holds on to the network of
/// the last of them, so that the searches of one game do not load it move by move.
template <games::HasPolicy G>
class NetworkSource final : public EvaluatorSource<G> {
 public:
  explicit NetworkSource(std::shared_ptr<Networks> networks)
      : networks_(std::make_shared<HeldNetworks>(std::move(networks))) {}

  [[nodiscard]] std::unique_ptr<Evaluator<G>> evaluator(const Options& options) const override {
    if (options.evaluation != EvaluatorKind::network || is_remote(options)) return nullptr;
    return std::make_unique<NetworkEvaluator<G>>(networks_, options);
  }
  void check(const Options& options) const override {
    if (options.evaluation == EvaluatorKind::network &&
        options.evaluator == EvaluatorPlace::remote && !networks_->service()) {
      throw BadOption(
          "there is no remote evaluator here: pitbossd is told of it by --evaluator URL");
    }
  }
  [[nodiscard]] std::unique_ptr<BatchEvaluator<G>> batch_evaluator(
      const Options& options) const override {
    if (options.evaluation != EvaluatorKind::network || !is_remote(options)) return nullptr;
    return std::make_unique<RemoteEvaluator<G>>(networks_, networks_->service(), options);
  }
  [[nodiscard]] int in_flight(const Options& options) const override {
    return static_cast<int>(options.in_flight);
  }

 private:
  [[nodiscard]] bool is_remote(const Options& options) const {
    return networks_->service() && options.evaluator != EvaluatorPlace::local;
  }

  std::shared_ptr<HeldNetworks> networks_;
};

}  // namespace pitboss::engine
