#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "engine/leaf/network/aligned_floats.hpp"
#include "engine/leaf/network/network_shape.hpp"
#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// A policy-value network ready to be evaluated, with the kernels of the instruction set that is in
/// use when it is made. Nothing changes it afterwards: any number of threads may evaluate it.
///
/// A position's logits are the same bits in whichever batch and on whichever thread it is
/// evaluated, and on all instruction sets that have a fused multiply-add (AVX2 and later, NEON);
/// without it (SSE) they differ in the last digits, and so may a search. All are within 1e-5 of
/// `evaluate_reference`, relative to logits above 1.
class Network {
 public:
  /// Folds the batch normalisations. Throws BadNetwork if these are no weights for the shape.
  Network(const NetworkShape& shape, const Tensors& tensors);
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;
  Network(Network&&) noexcept;
  Network& operator=(Network&&) noexcept;
  ~Network();

  /// The memory of one thread's evaluations.
  class Workspace {
   public:
    /// For up to `batch` positions at a time.
    Workspace(const Network& network, int batch);

   private:
    friend class Network;
    AlignedFloats boards_;  // of one position; their borders stay zero
    AlignedFloats tiles_;
    AlignedFloats sums_;
    std::vector<AlignedFloats> vectors_;
    std::vector<int> places_;
  };

  /// Told after each part of an evaluation which layer it belongs to (empty: to all), what was
  /// done, and how many multiply-adds this took in products: those of 3x3 convolutions after
  /// minimal filtering, those of dense layers with the inputs that are not zero. Parts on boards
  /// come once for each few positions.
  using Observer =
      std::function<void(std::string_view layer, std::string_view work, double multiply_adds)>;

  [[nodiscard]] const NetworkShape& shape() const;
  /// Of its weights, as they are kept for the kernels.
  [[nodiscard]] std::size_t bytes() const;

  /// Evaluates 1 or more positions, no more than the workspace was made for, which a network of the
  /// same shape has made. Of each position `planes` has planes x rows x columns numbers, top row
  /// first; `values` and `policy` get its logits. Allocates nothing.
  void evaluate(const float* planes, int batch, float* values, float* policy, Workspace& workspace,
                const Observer& observer = {}) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace pitboss::engine
