#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/leaf/evaluator.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/planes.hpp"
#include "engine/leaf/network/symmetry_tables.hpp"
#include "engine/options/options.hpp"
#include "games/halves.hpp"
#include "games/policy.hpp"

namespace pitboss::engine {

/// Evaluates leaves by a policy-value network: its values, and its policy as priors. Between two
/// half moves the network is asked for the position before them. One thread at a time; the network
/// and its cache are shared.
template <games::HasPolicy G>
class NetworkEvaluator final : public Evaluator<G> {
 public:
  NetworkEvaluator(std::shared_ptr<HeldNetworks> networks, const Options& options)
      : networks_(std::move(networks)),
        name_(options.network),
        mask_(options.prior_mask),
        temperature_(static_cast<float>(options.prior_temperature)),
        symmetry_(options.network_symmetry),
        seed_(static_cast<std::uint64_t>(options.seed)) {}

  void prepare(const G& root, const std::string& parameters) override {
    try {
      auto network = networks_->get(name_);
      check_network(*network, std::string(G::name), parameters, interface_of(root));
      check_mask(root);
      if (network != network_) adopt(std::move(network));
      if (symmetry_ != NetworkSymmetry::none) tables_ = symmetry_tables(games::whole(root));
    } catch (const BadNetwork& bad) {
      throw BadOption(bad.what());
    }
  }

  void evaluate(const Flight<G>& flight, games::Random&, Evaluation<G>& evaluation) override {
    if (const games::Result result = flight.leaf.result(); result.finished()) {
      evaluation = {values_of<G>(result), {}};
      return;
    }
    fill_planes(games::whole(flight.leaf), planes_.data());
    if (symmetry_ == NetworkSymmetry::average) {
      read_mean(flight.leaf, evaluation.values);
    } else {
      ask(symmetry_ == NetworkSymmetry::random ? drawn_symmetry() : 0);
      read_values(evaluation.values);
      read_priors(flight.leaf);
    }
    evaluation.priors = priors_;
  }

  [[nodiscard]] bool has_priors() const override { return true; }
  [[nodiscard]] const NetworkUse* network() const override { return &use_; }

 private:
  /// A move of several parts has no share of a softmax over the whole policy.
  void check_mask(const G& root) const {
    games::MoveList<G::max_moves> moves;
    root.legal_moves(moves);
    if (mask_ == PriorMask::all && root.policy_parts(moves[0]).size() > 1) {
      throw BadOption("moves of " + std::string(G::name) +
                      " have several parts in a policy: set prior_mask to legal");
    }
  }

  void adopt(std::shared_ptr<const LoadedNetwork> network) {
    const NetworkShape& shape = network->network.shape();
    planes_.assign(static_cast<std::size_t>(shape.inputs()), 0);
    key_.assign(key_words(shape), 0);
    logits_.assign(static_cast<std::size_t>(shape.outputs()), 0);
    workspace_ = std::make_unique<Network::Workspace>(network->network, 1);
    use_ = {network->name, network->sha256};
    network_ = std::move(network);
  }

  /// A position has the same symmetry all through a search.
  [[nodiscard]] std::size_t drawn_symmetry() {
    pack_key(planes_);
    std::uint64_t hash = seed_;
    for (const std::uint64_t word : key_) hash = games::mix(hash ^ word);
    return hash % tables_.size();
  }

  /// Asks the network of the position in `planes_`, which it sees in that symmetry. Leaves the
  /// logits of values and of the position's own policy in `logits_`. The cache knows what the
  /// network saw.
  void ask(std::size_t symmetry) {
    if (symmetry != 0) turn_planes(tables_[symmetry].cells);
    const std::vector<float>& seen = symmetry == 0 ? planes_ : turned_;
    pack_key(seen);
    ++use_.evaluations;
    if (network_->cache.find(key_, logits_)) {
      ++use_.cached;
    } else {
      evaluate_planes(seen);
      network_->cache.put(key_, logits_);
    }
    if (symmetry != 0) turn_policy_back(tables_[symmetry].policy);
  }

  void evaluate_planes(const std::vector<float>& planes) {
    network_->network.evaluate(planes.data(), 1, logits_.data(),
                               logits_.data() + network_->network.shape().values, *workspace_);
    const auto is_number = [](float x) { return std::isfinite(x); };
    if (!std::ranges::all_of(logits_, is_number)) {
      throw BadOption("network " + name_ + " gives what is no number for a position");
    }
  }

  void turn_planes(const std::vector<int>& cells) {
    turned_.resize(planes_.size());
    for (std::size_t plane = 0; plane < planes_.size(); plane += cells.size()) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        turned_[plane + cells[i]] = planes_[plane + i];
      }
    }
  }
  void turn_policy_back(const std::vector<int>& policy) {
    const auto first = logits_.begin() + network_->network.shape().values;
    turned_.assign(first, logits_.end());
    for (std::size_t i = 0; i < policy.size(); ++i) first[i] = turned_[policy[i]];
  }

  /// One bit for each number of the planes, which are 0 or 1.
  void pack_key(const std::vector<float>& planes) {
    std::ranges::fill(key_, 0);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      key_[i / 64] |= static_cast<std::uint64_t>(planes[i] != 0) << i % 64;
    }
  }

  /// Values and priors, means of those in all symmetries.
  void read_mean(const G& leaf, Values<G>& values) {
    Values<G> values_sum{};
    std::vector<float> priors_sum;
    for (std::size_t symmetry = 0; symmetry < tables_.size(); ++symmetry) {
      ask(symmetry);
      read_values(values);
      read_priors(leaf);
      priors_sum.resize(priors_.size());
      for (std::size_t i = 0; i < values.size(); ++i) values_sum[i] += values[i];
      for (std::size_t i = 0; i < priors_.size(); ++i) priors_sum[i] += priors_[i];
    }
    for (double& value : values_sum) value /= static_cast<double>(tables_.size());
    for (float& prior : priors_sum) prior /= static_cast<float>(tables_.size());
    values = values_sum;
    priors_ = std::move(priors_sum);
  }

  /// Softmax over the values of the colours.
  void read_values(Values<G>& values) const {
    const std::span<const float> logits(logits_.data(), network_->network.shape().values);
    const float largest = *std::ranges::max_element(logits);
    values = {};
    double sum = 0;
    for (std::size_t c = 0; c < logits.size(); ++c) {
      sum += values[c] = std::exp(static_cast<double>(logits[c] - largest));
    }
    for (double& value : values) value /= sum;
  }

  /// Softmax over the legal moves, or over the whole policy.
  void read_priors(const G& leaf) {
    const NetworkShape& shape = network_->network.shape();
    const std::span<const float> policy(logits_.data() + shape.values, shape.policy);
    games::MoveList<G::max_moves> moves;
    leaf.legal_moves(moves);
    priors_.clear();
    for (const games::Move move : moves) {
      float logit = sum_of(policy, leaf.policy_parts(move));
      if constexpr (games::is_halved<G>) {
        if (!leaf.is_between()) logit += second_halves(leaf, move, policy);
      }
      priors_.push_back(logit);
    }
    const auto& all = mask_ == PriorMask::all ? policy : std::span<const float>(priors_);
    const float largest = *std::ranges::max_element(all);
    float sum = 0;
    for (const float logit : all) sum += std::exp((logit - largest) / temperature_);
    for (float& prior : priors_) prior = std::exp((prior - largest) / temperature_) / sum;
  }

  [[nodiscard]] static float sum_of(std::span<const float> policy,
                                    const games::PolicyParts& parts) {
    float logit = 0;
    for (const auto entry : parts) logit += policy[entry];
    return logit;
  }
  /// What its second halves add to the logit of a first half, so that its prior is the sum of those
  /// of its whole moves.
  [[nodiscard]] float second_halves(G leaf, games::Move first,
                                    std::span<const float> policy) const {
    games::MoveList<G::max_moves> halves;
    leaf.play(first);
    leaf.legal_moves(halves);
    const auto logit = [&](games::Move half) { return sum_of(policy, leaf.policy_parts(half)); };
    float largest = logit(halves[0]);
    for (const games::Move half : halves) largest = std::max(largest, logit(half));
    float sum = 0;
    for (const games::Move half : halves) sum += std::exp((logit(half) - largest) / temperature_);
    return largest + temperature_ * std::log(sum);
  }

  std::shared_ptr<HeldNetworks> networks_;
  std::string name_;
  PriorMask mask_;
  float temperature_;
  NetworkSymmetry symmetry_;
  std::uint64_t seed_;
  std::vector<SymmetryTable> tables_;  ///< empty if the network sees positions as they lie
  std::shared_ptr<const LoadedNetwork> network_;
  std::unique_ptr<Network::Workspace> workspace_;
  std::vector<float> planes_;
  std::vector<float> turned_;  ///< planes or policy on their way to or from a symmetry
  std::vector<std::uint64_t> key_;
  std::vector<float> logits_;  ///< values, then policy
  std::vector<float> priors_;
  NetworkUse use_;
};

}  // namespace pitboss::engine
