#include "engine/exact/teeko_solution.hpp"

#include <cassert>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>

#include "games/ply_limit.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace {

namespace fs = std::filesystem;

/// The table of a file, which is read once, a tenth of a second. Any thread may use it.
class KeptTable {
 public:
  void find_in(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    file_ = folder.empty() ? fs::path() : folder / TeekoSolution::file_name;
  }
  /// Null if it is not there or not the table. What was not the table is read again only when it
  /// has changed.
  const TeekoTable* table() {
    const std::lock_guard lock(mutex_);
    if (table_) return &*table_;
    try {
      std::error_code error;
      if (!fs::is_regular_file(file_, error)) return nullptr;  // a pipe would have us wait
      const fs::file_time_type written = fs::last_write_time(file_, error);
      if (error || written == refused_) return nullptr;
      table_ = TeekoTable::of(games::read_text_file(file_));
      if (!table_) refused_ = written;
    } catch (const games::UnreadableFile&) {  // NOLINT(bugprone-empty-catch): it is not there
    }
    return table_ ? &*table_ : nullptr;
  }

 private:
  std::mutex mutex_;
  fs::path file_;
  std::optional<TeekoTable> table_;
  fs::file_time_type refused_ = fs::file_time_type::min();
};

KeptTable& kept() {
  static KeptTable kept;
  return kept;
}

std::uint32_t points_of(const games::Teeko::Board& markers) {
  return static_cast<std::uint32_t>(markers.word(0));
}

int plies_played(const games::Teeko& position) {
  const std::string told = position.extra();  // empty while each ply has placed a marker
  return told.empty() ? (position.pieces(0) | position.pieces(1)).count() : games::plies_of(told);
}

}  // namespace

void TeekoSolution::find_table_in(const fs::path& folder) { kept().find_in(folder); }

std::optional<double> TeekoSolution::expected_positions(const games::Teeko& /*position*/) {
  return kept().table() == nullptr ? std::nullopt : std::optional(1.0);
}

TeekoSolution::TeekoSolution() : table_(kept().table()) { assert(table_ != nullptr); }

int TeekoSolution::most(const games::Teeko& position) const {
  const auto mover = games::index(position.to_move());
  const auto left =
      table_->plies({points_of(position.pieces(mover)), points_of(position.pieces(1 - mover))});
  const int before_limit = left ? games::ply_limit - plies_played(position) - *left : -1;
  if (before_limit < 0) return 0;
  return *left % 2 == 1 ? before_limit + 1 : -(before_limit + 1);
}

}  // namespace pitboss::engine
