#include "server/net/outbox.hpp"

#include <algorithm>
#include <utility>

namespace pitboss::server {

namespace {

constexpr std::size_t free_of_charge = 65536;
constexpr std::size_t step = 262144;  ///< in which memory is taken
/// A client for which more bytes wait gets no updates from a running job.
constexpr std::size_t congestion_mark = 65536;

}  // namespace

void Outbox::pop(std::size_t size) {
  constexpr std::size_t worth_keeping = 4096;
  sent_ += size;
  if (sent_ < sending_.size()) return;
  sent_ = 0;
  sending_.clear();
  if (sending_.capacity() > worth_keeping) std::string().swap(sending_);
}

void Outbox::belong_to(std::shared_ptr<ClientAccount> account) noexcept {
  if (account_) account_->beyond_memory -= beyond_;
  account_ = std::move(account);
  account_->beyond_memory += beyond_;
}

bool Outbox::has_room(std::size_t more) noexcept {
  using protocol::Limit;
  const std::size_t waiting = size() + more;
  const bool is_full = waiting >= shared_.limits.max_outbox;
  const bool has_room = count_to(waiting) && !is_full;
  const bool had_room = std::exchange(had_room_, has_room);
  if (had_room && !has_room) shared_.counters.met(is_full ? Limit::max_outbox : Limit::memory);
  return has_room;
}

bool Outbox::has_room_for_update(std::size_t bytes) noexcept {
  const bool is_small = size() + bytes < free_of_charge;
  lacks_room_ = !has_room() || (!is_small && account_->beyond_memory > 0);
  return !lacks_room_;
}

/// Whether the memory budget has granted what waits.
bool Outbox::count_to(std::size_t waiting) noexcept {
  if (waiting < free_of_charge && taken_ > 0) {
    shared_.memory->give_back(engine::MemoryBudget::Kind::outboxes, std::exchange(taken_, 0));
  }
  const bool is_granted = waiting < free_of_charge || takes(waiting);
  const std::size_t free = taken_ + free_of_charge;
  const std::size_t beyond = is_granted || waiting < free ? 0 : waiting - free;
  if (account_) account_->beyond_memory += beyond - beyond_;
  beyond_ = beyond;
  return is_granted;
}

bool Outbox::takes(std::size_t waiting) noexcept {
  if (waiting < taken_) return true;
  const std::size_t more = waiting - taken_ + step;
  const bool taken = shared_.memory->try_take(engine::MemoryBudget::Kind::outboxes, more);
  if (taken) taken_ += more;
  return taken;
}

bool Outbox::is_congested(bool in_frames) const {
  if (in_frames) return !empty();
  return size() > std::min(congestion_mark, shared_.limits.max_outbox / 2);
}

}  // namespace pitboss::server
