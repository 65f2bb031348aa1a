#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/leaf/evaluation.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/symmetry_tables.hpp"
#include "engine/options/options.hpp"
#include "games/halves.hpp"
#include "games/policy.hpp"

namespace pitboss::engine {

/// What a network sees of a leaf, and what its logits mean for a search, wherever they are
/// computed: `look` at a leaf, `see` each of its views, `read` the logits of each, `finish`.
template <games::HasPolicy G>
class NetworkReader {
 public:
  NetworkReader(std::shared_ptr<HeldNetworks> networks, const Options& options)
      : networks_(std::move(networks)),
        name_(options.network == network_of_game ? std::string(G::name) : options.network),
        mask_(options.prior_mask),
        temperature_(static_cast<float>(options.prior_temperature)),
        symmetry_(options.network_symmetry),
        seed_(static_cast<std::uint64_t>(options.seed)) {}

  /// Loads the network for a search from `root`. Throws BadOption.
  void prepare(const G& root, const std::string& parameters) {
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
  [[nodiscard]] const std::shared_ptr<const LoadedNetwork>& network() const { return network_; }

  /// How many views of a leaf the network sees.
  [[nodiscard]] std::size_t views() const {
    return symmetry_ == NetworkSymmetry::average ? tables_.size() : 1;
  }
  /// Reads the leaf's planes. Returns how many views of it the network sees.
  std::size_t look(const G& leaf) {
    games::fill_planes(games::whole(leaf), planes_.data());
    return views();
  }
  /// In which symmetry view i is; a position has the same all through a search.
  [[nodiscard]] std::size_t symmetry_of(std::size_t view) {
    return symmetry_ == NetworkSymmetry::random ? drawn_symmetry() : view;
  }
  /// The planes of the leaf in that symmetry, as the network sees them, and their `key`.
  [[nodiscard]] const std::vector<float>& see(std::size_t symmetry) {
    if (symmetry != 0) turn_planes(tables_[symmetry].cells);
    const std::vector<float>& seen = symmetry == 0 ? planes_ : turned_;
    pack_key(seen);
    return seen;
  }
  [[nodiscard]] std::span<const std::uint64_t> key() const { return key_; }

  /// Before the first view is read.
  void begin() {
    views_read_ = 0;
    values_ = {};
    priors_.clear();
  }
  /// Takes the logits, values before policy, of the leaf in that symmetry.
  void read(const G& leaf, std::size_t symmetry, std::vector<float>& logits) {
    if (symmetry != 0) turn_policy_back(logits, tables_[symmetry].policy);
    read_values(logits);
    read_priors(leaf, logits);
    priors_.resize(priors_read_.size());
    for (std::size_t i = 0; i < priors_.size(); ++i) priors_[i] += priors_read_[i];
    ++views_read_;
  }
  /// The means over all views. Valid until `begin`.
  void finish(Evaluation<G>& evaluation) {
    for (double& value : values_) value /= static_cast<double>(views_read_);
    for (float& prior : priors_) prior /= static_cast<float>(views_read_);
    evaluation = {values_, priors_};
  }

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
    network_ = std::move(network);
  }

  [[nodiscard]] std::size_t drawn_symmetry() {
    pack_key(planes_);
    std::uint64_t hash = seed_;
    for (const std::uint64_t word : key_) hash = games::mix(hash ^ word);
    return hash % tables_.size();
  }

  void turn_planes(const std::vector<int>& cells) {
    turned_.resize(planes_.size());
    for (std::size_t plane = 0; plane < planes_.size(); plane += cells.size()) {
      for (std::size_t i = 0; i < cells.size(); ++i) {
        turned_[plane + cells[i]] = planes_[plane + i];
      }
    }
  }
  void turn_policy_back(std::vector<float>& logits, const std::vector<int>& policy) {
    const auto first = logits.begin() + network_->network.shape().values;
    turned_.assign(first, logits.end());
    for (std::size_t i = 0; i < policy.size(); ++i) first[i] = turned_[policy[i]];
  }

  /// One bit for each number of the planes, which are 0 or 1.
  void pack_key(const std::vector<float>& planes) {
    std::ranges::fill(key_, 0);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      key_[i / 64] |= static_cast<std::uint64_t>(planes[i] != 0) << i % 64;
    }
  }

  /// Adds the softmax over the values of the colours.
  void read_values(const std::vector<float>& all) {
    const std::span<const float> logits(all.data(), network_->network.shape().values);
    const float largest = *std::ranges::max_element(logits);
    Values<G> read{};
    double sum = 0;
    for (std::size_t c = 0; c < logits.size(); ++c) {
      sum += read[c] = std::exp(static_cast<double>(logits[c] - largest));
    }
    for (std::size_t c = 0; c < read.size(); ++c) values_[c] += read[c] / sum;
  }

  /// Softmax over the legal moves, or over the whole policy.
  void read_priors(const G& leaf, const std::vector<float>& logits) {
    const NetworkShape& shape = network_->network.shape();
    const std::span<const float> policy(logits.data() + shape.values, shape.policy);
    games::MoveList<G::max_moves> moves;
    leaf.legal_moves(moves);
    priors_read_.clear();
    for (const games::Move move : moves) {
      float logit = sum_of(policy, leaf.policy_parts(move));
      if constexpr (games::is_halved<G>) {
        if (!leaf.is_between()) logit += second_halves(leaf, move, policy);
      }
      priors_read_.push_back(logit);
    }
    const auto& all = mask_ == PriorMask::all ? policy : std::span<const float>(priors_read_);
    const float largest = *std::ranges::max_element(all);
    float sum = 0;
    for (const float logit : all) sum += std::exp((logit - largest) / temperature_);
    for (float& prior : priors_read_) prior = std::exp((prior - largest) / temperature_) / sum;
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
  std::vector<float> planes_;
  std::vector<float> turned_;  ///< planes or policy on their way to or from a symmetry
  std::vector<std::uint64_t> key_;
  std::vector<float> priors_read_;  ///< of one view
  // Sums over the views that have been read.
  std::size_t views_read_ = 0;
  Values<G> values_{};
  std::vector<float> priors_;
};

}  // namespace pitboss::engine
