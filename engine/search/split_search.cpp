#include "engine/search/split_search.hpp"

#include <utility>

namespace pitboss::engine {

SplitSearch::SplitSearch(Make make)
    : make_(std::move(make)), assessor_(make_(false)), search_(make_(false)) {}

void SplitSearch::begin(const games::AnyGame& position, int ply, const Options& options,
                        const Limits& limits, Waker waker) {
  const bool by_halves = options.split_moves && limits.avoided.empty();
  if (by_halves == by_halves_) {
    now()->begin(position, ply, options, limits, std::move(waker));
    return;
  }
  std::shared_ptr<Search> next = make_(by_halves);
  next->begin(position, ply, options, limits, std::move(waker));
  {
    const std::scoped_lock lock(mutex_);
    search_.swap(next);
    by_halves_ = by_halves;
  }
  next->stop();  // the one before, which others may still help; it is freed without the lock
}

}  // namespace pitboss::engine
