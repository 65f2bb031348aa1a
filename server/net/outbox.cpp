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
  head_ += size;
  if (head_ <= buffer_.size() / 2) return;
  buffer_.erase(0, head_);
  head_ = 0;
  if (buffer_.empty() && buffer_.capacity() > worth_keeping) std::string().swap(buffer_);
}

bool Outbox::has_room(std::size_t more) noexcept {
  using protocol::Limit;
  const std::size_t waiting = size() + more;
  const bool is_full = waiting >= shared_.limits.max_outbox;
  const bool has_room = !is_full && (waiting < free_of_charge || takes(waiting));
  const bool had_room = std::exchange(had_room_, has_room);
  if (had_room && !has_room) shared_.counters.met(is_full ? Limit::max_outbox : Limit::memory);
  return has_room;
}

bool Outbox::takes(std::size_t waiting) noexcept {
  if (waiting < taken_) return true;
  const std::size_t more = waiting - taken_ + step;
  const bool taken = shared_.memory->try_take(engine::MemoryBudget::Kind::outboxes, more);
  if (taken) taken_ += more;
  return taken;
}

void Outbox::give_back(std::size_t waiting) noexcept {
  if (taken_ == 0 || waiting >= free_of_charge) return;
  shared_.memory->give_back(engine::MemoryBudget::Kind::outboxes, std::exchange(taken_, 0));
}

bool Outbox::is_congested(bool in_frames) const {
  if (in_frames) return !empty();
  return size() > std::min(congestion_mark, shared_.limits.max_outbox / 2);
}

}  // namespace pitboss::server
