#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/leaf/network/network_reader.hpp"

namespace pitboss::engine {

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
    alone_ = LeafBatch(static_cast<int>(reader_.views()));
    use_ = {network->name, network->sha256};
  }

  void evaluate(const Trajectory<G>& trajectory, games::Random&,
                Evaluation<G>& evaluation) override {
    if (ask(trajectory, alone_)) alone_.evaluate();
    answer(trajectory, evaluation);
  }

  [[nodiscard]] bool has_questions() const override { return true; }
  /// The cache knows what the network saw.
  [[nodiscard]] bool ask(const Trajectory<G>& trajectory, LeafBatch& batch) override {
    if (trajectory.leaf.result().finished()) return false;
    const auto& network = reader_.network();
    views_.resize(reader_.look(trajectory.leaf));
    bool has_asked = false;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      View& view = views_[i];
      view.symmetry = reader_.symmetry_of(i);
      view.logits.resize(static_cast<std::size_t>(network->network.shape().outputs()));
      std::span<const float> planes = reader_.see(view.symmetry);
      ++use_.evaluations;
      view.is_cached = network->cache.find(reader_.key(), view.logits);
      if (view.is_cached) {
        ++use_.cached;
        continue;
      }
      view.key.assign(reader_.key().begin(), reader_.key().end());
      if (views_.size() > 1) {  // the reader has room for one view
        view.planes.assign(planes.begin(), planes.end());
        planes = view.planes;
      }
      batch.add(network, planes, view.logits);
      has_asked = true;
    }
    return has_asked;
  }
  void answer(const Trajectory<G>& trajectory, Evaluation<G>& evaluation) override {
    if (const games::Result result = trajectory.leaf.result(); result.finished()) {
      evaluation = {values_of<G>(result), {}};
      return;
    }
    const auto& network = reader_.network();
    reader_.begin();
    for (View& view : views_) {
      if (!view.is_cached) {
        check_logits(*network, view.logits);
        network->cache.put(view.key, view.logits);
      }
      reader_.read(trajectory.leaf, view.symmetry, view.logits);
    }
    reader_.finish(evaluation);
  }

  [[nodiscard]] bool has_priors() const override { return true; }
  [[nodiscard]] const NetworkUse* network() const override { return &use_; }

 private:
  /// What the network sees of a leaf, and says of it.
  struct View {
    std::size_t symmetry;
    bool is_cached;
    std::vector<std::uint64_t> key;
    std::vector<float> planes;  ///< if there are several views
    std::vector<float> logits;  ///< values, then policy
  };

  NetworkReader<G> reader_;
  LeafBatch alone_{1};  ///< for leaves that no other batch takes
  std::vector<View> views_;
  NetworkUse use_;
};

}  // namespace pitboss::engine
