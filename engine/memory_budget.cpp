#include "engine/memory_budget.hpp"

#include <algorithm>
#include <utility>

namespace pitboss::engine {

namespace {

std::string mib(std::size_t bytes) { return std::to_string((bytes + (1 << 20) - 1) >> 20); }

bool is_empty(const MemoryBudget::Lent& lent) {
  return std::ranges::all_of(lent, [](const auto& part) { return part == nullptr; });
}

}  // namespace

std::size_t MemoryBudget::used() const {
  std::size_t sum = 0;
  for (const auto& part : used_) sum += part.load(std::memory_order_relaxed);
  return sum;
}

bool MemoryBudget::try_take(Kind kind, std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  const std::size_t used = this->used();
  if (bytes > limit_ || used > limit_ - bytes) return false;
  used_[static_cast<std::size_t>(kind)].fetch_add(bytes, std::memory_order_relaxed);
  return true;
}

void MemoryBudget::take(Kind kind, std::size_t bytes) {
  if (try_take(kind, bytes)) return;
  if (bytes <= limit_) {
    const std::scoped_lock one_at_a_time(pressure_);
    do {
      if (try_take(kind, bytes)) return;
    } while (!is_empty(first_lent()));  // what was lent is released here
  }
  throw OutOfBudget(mib(bytes) + " MiB are asked for, and " +
                    mib(limit_ - std::min(limit_, used())) + " of the server's " + mib(limit_) +
                    " are free");
}

void MemoryBudget::give_back(Kind kind, std::size_t bytes) noexcept {
  const std::scoped_lock lock(mutex_);
  used_[static_cast<std::size_t>(kind)].fetch_sub(bytes, std::memory_order_relaxed);
}

void MemoryBudget::lend(Lender& lender) noexcept {
  const std::scoped_lock lock(mutex_);
  auto& now = lender.entry_.empty() ? lenders_ : lender.entry_;
  lenders_.splice(lenders_.end(), now, lender.place_);
}

void MemoryBudget::recall(Lender& lender) noexcept {
  const std::scoped_lock lock(mutex_);
  if (lender.entry_.empty()) lender.entry_.splice(lender.entry_.end(), lenders_, lender.place_);
}

bool MemoryBudget::release_one() {
  const std::scoped_lock one_at_a_time(pressure_);
  return !is_empty(first_lent());
}

/// What the first lender gives up that gives up anything.
MemoryBudget::Lent MemoryBudget::first_lent() noexcept {
  const std::scoped_lock lock(mutex_);
  for (Lender* const lender : lenders_) {
    Lent lent = lender->give_up();
    if (is_empty(lent)) continue;
    lender->entry_.splice(lender->entry_.end(), lenders_, lender->place_);
    return lent;
  }
  return {};
}

Reservation::Reservation(std::shared_ptr<MemoryBudget> budget, MemoryBudget::Kind kind,
                         std::size_t bytes)
    : kind_(kind), bytes_(bytes) {
  if (budget) budget->take(kind, bytes);
  budget_ = std::move(budget);
}

Reservation::Reservation(Reservation&& other) noexcept
    : budget_(std::move(other.budget_)),
      kind_(other.kind_),
      bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  budget_ = std::move(other.budget_);
  kind_ = other.kind_;
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void Reservation::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (budget_) budget_->take(kind_, bytes - bytes_);
  bytes_ = bytes;
}

void Reservation::release() noexcept {
  if (budget_) budget_->give_back(kind_, bytes_);
  budget_.reset();
  bytes_ = 0;
}

}  // namespace pitboss::engine
