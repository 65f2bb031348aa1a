#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/networks.hpp"

namespace pitboss::engine {

/// Positions that one thread has networks evaluate together: some are added, for one search or
/// several, and then all are evaluated. What a network says of a position does not depend on the
/// others.
class LeafBatch {
 public:
  /// Gives a network up to `most` positions at a time.
  explicit LeafBatch(int most = 32) : most_(most) {}

  /// Adds a position. Its logits, values before policy, come to `logits` at the latest in
  /// `evaluate`; until then they, the planes and the network must stay. May evaluate those that are
  /// there. Throws std::bad_alloc.
  void add(const std::shared_ptr<const LoadedNetwork>& network, std::span<const float> planes,
           std::span<float> logits);
  /// Evaluates all positions, and is empty then.
  void evaluate();
  /// Forgets positions that have not been evaluated.
  void clear() noexcept;

 private:
  /// The positions of one network.
  struct Part {
    Part(const std::shared_ptr<const LoadedNetwork>& its, int most);
    [[nodiscard]] bool is_of(const std::shared_ptr<const LoadedNetwork>& other) const {
      return !network.owner_before(other) && !other.owner_before(network);
    }
    void evaluate();

    struct Position {
      std::span<const float> planes;
      std::span<float> logits;
    };

    std::weak_ptr<const LoadedNetwork> network;
    const Network* kernels;
    Network::Workspace workspace;
    std::vector<Position> positions;
    // Of all positions, one after the other.
    std::vector<float> planes;
    std::vector<float> values;
    std::vector<float> policy;
  };
  [[nodiscard]] Part& part_of(const std::shared_ptr<const LoadedNetwork>& network);

  int most_;
  std::vector<Part> parts_;
};

/// Throws BadOption if one of a network's logits is no number.
void check_logits(const LoadedNetwork& network, std::span<const float> logits);

}  // namespace pitboss::engine
