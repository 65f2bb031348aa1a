#pragma once

#include <vector>

#include "engine/leaf/network/leaf_batch.hpp"
#include "engine/search/search.hpp"

namespace pitboss::engine {

/// Searches that go on by steps while another one has its slice, so that a network evaluates a leaf
/// of each together (Search::run_next_with). One thread.
class Company {
 public:
  static constexpr int most = 16;  ///< searches, with the one that has the slice

  Company() { others_.reserve(most); }
  /// A search that has steps, and was started by its own first slice. Nobody else uses it until
  /// `clear`.
  void add(Search& search) { others_.push_back(&search); }
  void clear() {
    others_.clear();
    batch_.clear();
  }

  /// To which the search that has the slice adds its leaf.
  [[nodiscard]] LeafBatch& batch() { return batch_; }
  /// Has each of the others go on to its next leaf, and the leaves of all evaluated. A search that
  /// is over or fails is left alone from then on: its own slice tells.
  void step(Progress::TimePoint now);

 private:
  LeafBatch batch_{most};
  std::vector<Search*> others_;
};

}  // namespace pitboss::engine
