#include "engine/memory_budget.hpp"

#include <algorithm>
#include <map>
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

bool MemoryBudget::try_take(Kind kind, std::size_t bytes, MemoryPart* part) noexcept {
  const std::scoped_lock lock(mutex_);
  const std::size_t used = this->used();
  if (bytes > limit_ || used > limit_ - bytes) return false;
  used_[static_cast<std::size_t>(kind)].fetch_add(bytes, std::memory_order_relaxed);
  if (part != nullptr) part->bytes_ += bytes;
  return true;
}

void MemoryBudget::take(Kind kind, std::size_t bytes, MemoryPart* part) {
  if (try_take(kind, bytes, part)) return;
  Lender::Way way;
  if (bytes <= limit_) {
    const std::scoped_lock one_at_a_time(pressure_);
    do {
      if (try_take(kind, bytes, part)) return;
    } while (!is_empty(first_lent()));  // what was lent is released here
    if (part != nullptr) way = make_way(bytes, *part);
    // It may have been given back just before nobody was found to tell.
    if (!way.is_given && try_take(kind, bytes, part)) return;
  }
  if (way.hurry) (*way.hurry)();
  throw OutOfBudget(mib(bytes) + " MiB are asked for, and " +
                        mib(limit_ - std::min(limit_, used())) + " of the server's " + mib(limit_) +
                        " are free",
                    way.is_given);
}

void MemoryBudget::give_back(Kind kind, std::size_t bytes, MemoryPart* part) noexcept {
  const std::scoped_lock lock(mutex_);
  used_[static_cast<std::size_t>(kind)].fetch_sub(bytes, std::memory_order_relaxed);
  if (part != nullptr) part->bytes_ -= bytes;
}

/// Tells a busy lender of a client that holds more than its share to give way, unless one has been
/// told already; not given if nobody holds too much.
MemoryBudget::Lender::Way MemoryBudget::make_way(std::size_t bytes, const MemoryPart& part) {
  const std::scoped_lock lock(mutex_);
  std::map<std::string_view, std::size_t> held{{part.client_, 0}};  // by client
  for (const Lender* const lender : busy_) held[lender->part_->client_] += lender->part_->bytes_;
  const std::size_t share = limit_ / held.size();
  if (held[part.client_] + bytes > share) return {};
  const auto greediest =
      std::ranges::max_element(held, {}, [](const auto& entry) { return entry.second; });
  if (greediest->second <= share) return {};
  Lender* largest = nullptr;
  for (Lender* const lender : busy_) {
    if (lender->part_->client_ != greediest->first) continue;
    if (lender->gives_way_) return {true};  // one after the other
    if (largest == nullptr || lender->part_->bytes_ > largest->part_->bytes_) largest = lender;
  }
  const Lender::Way way = largest->give_way();
  largest->gives_way_ = way.is_given;
  return {true, way.hurry};
}

/// The list that a lender is in.
std::list<MemoryBudget::Lender*>& MemoryBudget::list_of(Lender& lender) noexcept {
  if (!lender.entry_.empty()) return lender.entry_;
  return lender.part_ ? busy_ : idle_;
}

void MemoryBudget::move(Lender& lender, std::list<Lender*>& to) noexcept {
  to.splice(to.end(), list_of(lender), lender.place_);
}

void MemoryBudget::lend(Lender& lender) noexcept {
  const std::scoped_lock lock(mutex_);
  move(lender, idle_);
  lender.part_.reset();
}

void MemoryBudget::recall(Lender& lender, std::shared_ptr<MemoryPart> part) noexcept {
  const std::scoped_lock lock(mutex_);
  move(lender, busy_);
  lender.part_ = std::move(part);
  lender.gives_way_ = false;
}

void MemoryBudget::forget(Lender& lender) noexcept {
  const std::scoped_lock lock(mutex_);
  move(lender, lender.entry_);
  lender.part_.reset();
}

bool MemoryBudget::release_one() {
  const std::scoped_lock one_at_a_time(pressure_);
  return !is_empty(first_lent());
}

/// What the first lender gives up that gives up anything.
MemoryBudget::Lent MemoryBudget::first_lent() noexcept {
  const std::scoped_lock lock(mutex_);
  for (Lender* const lender : idle_) {
    Lent lent = lender->give_up();
    if (is_empty(lent)) continue;
    move(*lender, lender->entry_);
    return lent;
  }
  return {};
}

void MemoryPart::belong_to(std::string client) {
  const std::scoped_lock lock(budget_->mutex_);
  client_ = std::move(client);
}

Reservation::Reservation(std::shared_ptr<MemorySource> memory, MemorySource::Kind kind,
                         std::size_t bytes)
    : kind_(kind), bytes_(bytes) {
  if (memory) memory->take(kind, bytes);
  memory_ = std::move(memory);
}

Reservation::Reservation(Reservation&& other) noexcept
    : memory_(std::move(other.memory_)),
      kind_(other.kind_),
      bytes_(std::exchange(other.bytes_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this == &other) return *this;
  release();
  memory_ = std::move(other.memory_);
  kind_ = other.kind_;
  bytes_ = std::exchange(other.bytes_, 0);
  return *this;
}

void Reservation::grow(std::size_t bytes) {
  if (bytes <= bytes_) return;
  if (memory_) memory_->take(kind_, bytes - bytes_);
  bytes_ = bytes;
}

void Reservation::release() noexcept {
  if (memory_) memory_->give_back(kind_, bytes_);
  memory_.reset();
  bytes_ = 0;
}

}  // namespace pitboss::engine
