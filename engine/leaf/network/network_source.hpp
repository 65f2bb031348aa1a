#pragma once

#include <memory>
#include <utility>

#include "engine/leaf/evaluator_source.hpp"
#include "engine/leaf/network/network_evaluator.hpp"

namespace pitboss::engine {

/// Makes the evaluators of searches whose options name a network, and holds on to the network of
/// the last of them, so that the searches of one game do not load it move by move.
template <games::HasPolicy G>
class NetworkSource final : public EvaluatorSource<G> {
 public:
  explicit NetworkSource(std::shared_ptr<Networks> networks)
      : networks_(std::make_shared<HeldNetworks>(std::move(networks))) {}

  [[nodiscard]] std::unique_ptr<Evaluator<G>> evaluator(const Options& options) const override {
    if (options.evaluation != EvaluatorKind::network) return nullptr;
    return std::make_unique<NetworkEvaluator<G>>(networks_, options);
  }

 private:
  std::shared_ptr<HeldNetworks> networks_;
};

}  // namespace pitboss::engine
