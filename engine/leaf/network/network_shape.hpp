#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/leaf/network/tensor.hpp"

namespace pitboss::engine {

/// How a head begins.
enum class Heads : std::uint8_t {
  dense,          ///< with a dense layer that reads every filter of every point
  convolutional,  ///< with a 1x1 convolution to a few filters
};

/// What a network computes: the sizes and connections of its layers, all but the weights.
///
/// The body is residual blocks, each relu(bn2(conv2(relu(bn1(conv1(x))))) + skip(x)) with 3x3
/// convolutions that see zeros beyond the edge; in a tower a stem relu(bn(conv(x))) comes first. A
/// head flattens its input filter by filter, in each row by row:
///
/// - dense: fc2(relu(bn(fc1(flat))));
/// - convolutional: the policy is fc(flat(relu(bn(conv(x))))), the value
///   fc2(relu(fc1(flat(relu(bn(conv(x))))))).
///
/// Every convolution and dense layer has a bias.
struct NetworkShape {
  int planes = 0;   ///< of the input
  int rows = 0;     ///< of the board, the top one first
  int columns = 0;  ///< of the board
  int policy = 0;   ///< logits of the policy
  int values = 0;   ///< logits of the value: one for each colour

  bool stem = false;         ///< whether it is a tower
  std::vector<int> filters;  ///< of each residual block
  Heads heads = Heads::dense;
  int value_hidden = 0;
  int policy_hidden = 0;   ///< dense heads only
  int value_filters = 0;   ///< convolutional heads only
  int policy_filters = 0;  ///< convolutional heads only

  bool operator==(const NetworkShape&) const = default;

  /// The network of the novelty papers: blocks of 32 and 16 filters, dense heads.
  [[nodiscard]] static NetworkShape paper(int planes, int rows, int columns, int policy,
                                          int values);
  /// A residual tower of `blocks` blocks with `filters` filters each, convolutional heads.
  [[nodiscard]] static NetworkShape tower(int planes, int rows, int columns, int policy, int values,
                                          int blocks, int filters);

  [[nodiscard]] int points() const { return rows * columns; }
  [[nodiscard]] int inputs() const { return planes * points(); }
  /// Logits of value and policy together.
  [[nodiscard]] int outputs() const { return values + policy; }
  [[nodiscard]] int blocks() const { return static_cast<int>(filters.size()); }
  /// Filters that a block's input has.
  [[nodiscard]] int inputs_of(int block) const;
  /// Filters that the heads read.
  [[nodiscard]] int body_filters() const { return filters.back(); }
  /// Whether a block's skip is a 1x1 convolution with a batch normalisation; else it is the block's
  /// input. The paper's networks, which have no stem, always have the convolution.
  [[nodiscard]] bool has_skip_convolution(int block) const {
    return !stem || inputs_of(block) != filters[block];
  }
};

/// Throws BadNetwork if a size is not positive, or larger than any network in use.
void check(const NetworkShape& shape);

/// Every tensor that a network of this shape has. Throws BadNetwork as `check` does.
[[nodiscard]] std::map<std::string, std::vector<int>> tensor_shapes(const NetworkShape& shape);

}  // namespace pitboss::engine
