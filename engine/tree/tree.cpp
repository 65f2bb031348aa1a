#include "engine/tree/tree.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "environment/awake_clock.hpp"

namespace pitboss::engine {

void Tree::reset(std::int64_t megabytes) {
  const std::size_t units = static_cast<std::size_t>(megabytes) * 1024 * 1024 / unit;
  if (units != units_) {
    region_.reset();
    reservation_.release();
    reserved_ = 0;
    units_ = 0;
    const std::size_t first = std::min(units, step / unit);
    Reservation reservation(memory_, MemorySource::Kind::trees, first * unit);
    region_.reset(allocate(units * unit));
    reservation_ = std::move(reservation);
    reserved_ = first;
    units_ = units;
  }
  asked_in_vain_.reset();
  used_.store(1, std::memory_order_relaxed);
  full_.store(false, std::memory_order_relaxed);
}

/// Allocates from the system, which may have less memory than the budget.
std::byte* Tree::allocate(std::size_t bytes) {
  while (true) {
    try {
      return static_cast<std::byte*>(::operator new (bytes, std::align_val_t{64}));
    } catch (const std::bad_alloc&) {
      if (!memory_ || !memory_->release_one()) throw;
    }
  }
}

/// Reserves memory for the first `units` of the region. False if there is none.
bool Tree::reserve(std::size_t units) {
  const std::scoped_lock lock(growing_);
  const std::size_t before = reserved_.load(std::memory_order_relaxed);
  if (units <= before) return true;
  const std::size_t next = std::min(std::max(units, before + step / unit), units_);
  if (asked_in_vain_ && environment::AwakeClock::now() < asks_again_) return false;
  try {
    reservation_.grow(next * unit);
    asked_in_vain_.reset();
  } catch (const OutOfBudget& refusal) {
    const auto now = environment::AwakeClock::now();
    if (!asked_in_vain_) asked_in_vain_ = now;
    asks_again_ = now + OutOfBudget::pause;
    const bool waits = refusal.is_coming() && now < *asked_in_vain_ + OutOfBudget::patience;
    if (!waits) full_.store(true, std::memory_order_relaxed);
    return false;
  }
  reserved_.store(next, std::memory_order_relaxed);
  return true;
}

Tree::Span Tree::take(std::size_t least) {
  constexpr std::size_t largest_piece = 64 * 1024 / unit;
  const std::size_t most = std::max(least, std::min(largest_piece, units_ / 256));
  std::size_t begin = used_.load(std::memory_order_relaxed);
  std::size_t end = 0;
  do {
    if (least > units_ - begin) {
      full_.store(true, std::memory_order_relaxed);
      return {0, 0};
    }
    end = std::min(begin + most, units_);
    if (end > reserved_.load(std::memory_order_relaxed) && !reserve(end)) return {0, 0};
  } while (!used_.compare_exchange_weak(begin, end, std::memory_order_relaxed));
  return {begin, end};
}

void TreeWriter::reset(Tree& tree, bool has_priors) {
  tree_ = &tree;
  has_priors_ = has_priors;
  piece_ = {0, 0};
  nodes_ = 0;
}

bool TreeWriter::refill(std::size_t needed) {
  const Tree::Span more = tree_->take(needed);
  if (more.end == 0) return false;
  // The rest of the old piece is lost, unless the new one begins at its end.
  piece_ = {more.begin == piece_.end ? piece_.begin : more.begin, more.end};
  return true;
}

}  // namespace pitboss::engine
