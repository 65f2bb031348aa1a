#pragma once

#include <cstddef>

namespace pitboss::engine {

/// How a server takes and computes the positions of a network, by what it tells of the model.
struct ServerTerms {
  std::size_t most = 4;     ///< positions of a request; few before the server has told
  bool takes_bits = false;  ///< planes may come as bits
  /// How far a logit may be from the local network's, times the larger of 1 and that logit.
  float tolerance = 1e-3F;
};

}  // namespace pitboss::engine
