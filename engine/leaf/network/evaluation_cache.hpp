#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace pitboss::engine {

/// Evaluations of one network, by what the network was given. Takes no more memory than it is made
/// for; a new entry takes the place of an old one. Since a key is compared in full, a search with
/// the cache gets the values that the network would give. Any thread may call the members, which
/// wait for one another only briefly.
class EvaluationCache {
 public:
  /// For keys of `key_words` words and evaluations of `floats` numbers, in at most `bytes`; with
  /// too few bytes for any, the cache stays empty. Throws std::bad_alloc.
  EvaluationCache(std::size_t key_words, std::size_t floats, std::size_t bytes);

  /// Copies the evaluation of a key to `out`; false if it is not there.
  [[nodiscard]] bool find(std::span<const std::uint64_t> key, std::span<float> out) const;
  void put(std::span<const std::uint64_t> key, std::span<const float> evaluation);

 private:
  static constexpr std::size_t stripes = 64;
  [[nodiscard]] std::size_t slot_of(std::span<const std::uint64_t> key) const;

  std::size_t key_words_;
  std::size_t floats_;
  std::size_t slots_;
  std::vector<std::uint64_t> keys_;  ///< by slot, each behind a word: 1 if it is used
  /// By slot. Of pages to which nothing was written the system keeps none.
  std::unique_ptr<float[]> values_;
  mutable std::array<std::mutex, stripes> mutexes_;  ///< of the slots, in turn
};

}  // namespace pitboss::engine
