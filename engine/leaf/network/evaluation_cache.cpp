#include "engine/leaf/network/evaluation_cache.hpp"

#include <algorithm>

#include "games/random.hpp"

namespace pitboss::engine {

EvaluationCache::EvaluationCache(std::size_t key_words, std::size_t floats, std::size_t bytes)
    : key_words_(key_words),
      floats_(floats),
      slots_(bytes / ((key_words + 1) * sizeof(std::uint64_t) + floats * sizeof(float))),
      keys_(slots_ * (key_words + 1)),
      values_(std::make_unique_for_overwrite<float[]>(slots_ * floats)) {}

std::size_t EvaluationCache::slot_of(std::span<const std::uint64_t> key) const {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : key) hash = games::mix(hash ^ word);
  return hash % slots_;
}

bool EvaluationCache::find(std::span<const std::uint64_t> key, std::span<float> out) const {
  if (slots_ == 0) return false;
  const std::size_t slot = slot_of(key);
  const std::scoped_lock lock(mutexes_[slot % stripes]);
  const std::uint64_t* const entry = keys_.data() + slot * (key_words_ + 1);
  if (entry[0] == 0 || !std::ranges::equal(key, std::span(entry + 1, key_words_))) return false;
  std::copy_n(values_.get() + slot * floats_, floats_, out.begin());
  return true;
}

void EvaluationCache::put(std::span<const std::uint64_t> key, std::span<const float> evaluation) {
  if (slots_ == 0) return;
  const std::size_t slot = slot_of(key);
  const std::scoped_lock lock(mutexes_[slot % stripes]);
  std::uint64_t* const entry = keys_.data() + slot * (key_words_ + 1);
  entry[0] = 1;
  std::ranges::copy(key, entry + 1);
  std::ranges::copy(evaluation, values_.get() + slot * floats_);
}

}  // namespace pitboss::engine
