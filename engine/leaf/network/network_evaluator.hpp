#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/network/network_reader.hpp"

namespace pitboss::engine {

/// A network's kernels with the memory of one thread.
class LocalNetwork {
 public:
  explicit LocalNetwork(std::shared_ptr<const LoadedNetwork> network)
      : network_(std::move(network)), workspace_(network_->network, 1) {}

  /// Computes the logits, values before policy, of one position. Throws BadOption if one is no
  /// number.
  void evaluate(const std::vector<float>& planes, std::vector<float>& logits) {
    network_->network.evaluate(planes.data(), 1, logits.data(),
                               logits.data() + network_->network.shape().values, workspace_);
    const auto is_number = [](float x) { return std::isfinite(x); };
    if (!std::ranges::all_of(logits, is_number)) {
      throw BadOption("network " + network_->name +
                      " gives values that are not finite numbers for a position");
    }
  }

 private:
  std::shared_ptr<const LoadedNetwork> network_;
  Network::Workspace workspace_;
};

/// Evaluates leaves by a policy-value network: its values, and its policy as priors. Between two
/// half moves the network is asked for the position before them. One thread at a time; the network
/// and its cache are shared.
template <games::HasPolicy G>
class NetworkEvaluator final : public Evaluator<G> {
 public:
  NetworkEvaluator(std::shared_ptr<HeldNetworks> networks, const Options& options)
      : reader_(std::move(networks), options) {}

  void prepare(const G& root, const std::string& parameters) override {
    const auto before = reader_.network();
    reader_.prepare(root, parameters);
    const auto& network = reader_.network();
    if (network == before) return;
    kernels_ = std::make_unique<LocalNetwork>(network);
    logits_.assign(static_cast<std::size_t>(network->network.shape().outputs()), 0);
    use_ = {network->name, network->sha256};
  }

  void evaluate(const Trajectory<G>& trajectory, games::Random&,
                Evaluation<G>& evaluation) override {
    if (const games::Result result = trajectory.leaf.result(); result.finished()) {
      evaluation = {values_of<G>(result), {}};
      return;
    }
    const std::size_t views = reader_.look(trajectory.leaf);
    reader_.begin();
    for (std::size_t view = 0; view < views; ++view) {
      const std::size_t symmetry = reader_.symmetry_of(view);
      ask(reader_.see(symmetry));
      reader_.read(trajectory.leaf, symmetry, logits_);
    }
    reader_.finish(evaluation);
  }

  [[nodiscard]] bool has_priors() const override { return true; }
  [[nodiscard]] const NetworkUse* network() const override { return &use_; }

 private:
  /// The cache knows what the network saw.
  void ask(const std::vector<float>& planes) {
    EvaluationCache& cache = reader_.network()->cache;
    ++use_.evaluations;
    if (cache.find(reader_.key(), logits_)) {
      ++use_.cached;
    } else {
      kernels_->evaluate(planes, logits_);
      cache.put(reader_.key(), logits_);
    }
  }

  NetworkReader<G> reader_;
  std::unique_ptr<LocalNetwork> kernels_;
  std::vector<float> logits_;  ///< values, then policy
  NetworkUse use_;
};

}  // namespace pitboss::engine
