#include "protocol/jobs.hpp"

#include <new>

#include "protocol/error.hpp"

namespace pitboss::protocol {

SearchJob::SearchJob(Table& table, bool plays, Dialect dialect)
    : table_(table), plays_(plays), dialect_(dialect) {
  table_.begin_search(plays);
}

bool SearchJob::advance(std::chrono::microseconds slice) {
  try {
    return table_.search(slice) == engine::Progress::done;
  } catch (const std::bad_alloc&) {
    table_.abandon_search();
    throw CommandError("not enough memory for the tree: set tree_mb lower");
  }
}

std::string SearchJob::answer() {
  std::string move = table_.best_move();
  if (plays_) {
    table_.clock().spend(table_.game().to_move(), std::chrono::steady_clock::now() - begun_);
    if (dialect_ == Dialect::gogui) {
      move = table_.play_first_step(move);
    } else {
      table_.play(move);
    }
  } else if (dialect_ == Dialect::gogui) {
    move = table_.first_step(move);
  }
  return spoken(dialect_, table_.game().shape(), move);
}

bool PerftJob::advance(std::chrono::microseconds slice) {
  constexpr std::int64_t positions_per_look = 1000;
  const auto end = std::chrono::steady_clock::now() + slice;
  do {
    if (interrupted_.load(std::memory_order_relaxed)) throw CommandError("interrupted");
    if (perft_->advance(positions_per_look)) return true;
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace pitboss::protocol
