#include "engine/exact/teeko_solution.hpp"

#include <cassert>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>

#include "environment/folders.hpp"
#include "games/ply_limit.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace {

/// The table of the file, which is read once, a tenth of a second; null if it is not there or not
/// the table. What was not the table is read again only when it has changed. Any thread may call
/// this.
const TeekoTable* kept_table() {
  namespace fs = std::filesystem;
  static std::mutex mutex;
  static std::optional<TeekoTable> table;
  static fs::file_time_type refused = fs::file_time_type::min();
  const std::lock_guard lock(mutex);
  if (table) return &*table;
  try {
    const fs::path file = TeekoSolution::file();
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return nullptr;  // a pipe would have us wait
    const fs::file_time_type written = fs::last_write_time(file, error);
    if (error || written == refused) return nullptr;
    table = TeekoTable::of(games::read_text_file(file));
    if (!table) refused = written;
  } catch (const games::UnreadableFile&) {  // NOLINT(bugprone-empty-catch): it is not there
  } catch (const environment::NoFolder&) {  // NOLINT(bugprone-empty-catch): likewise
  }
  return table ? &*table : nullptr;
}

std::uint32_t points_of(const games::Teeko::Board& markers) {
  return static_cast<std::uint32_t>(markers.word(0));
}

int plies_played(const games::Teeko& position) {
  const std::string told = position.extra();  // empty while each ply has placed a marker
  return told.empty() ? (position.pieces(0) | position.pieces(1)).count() : games::plies_of(told);
}

}  // namespace

std::filesystem::path TeekoSolution::file() {
  return environment::cache_folder() / "pitboss/teeko.table";
}

std::optional<double> TeekoSolution::expected_positions(const games::Teeko& /*position*/) {
  return kept_table() == nullptr ? std::nullopt : std::optional(1.0);
}

TeekoSolution::TeekoSolution() : table_(kept_table()) { assert(table_ != nullptr); }

int TeekoSolution::most(const games::Teeko& position) const {
  const auto mover = games::index(position.to_move());
  const auto left =
      table_->plies({points_of(position.pieces(mover)), points_of(position.pieces(1 - mover))});
  const int before_limit = left ? games::ply_limit - plies_played(position) - *left : -1;
  if (before_limit < 0) return 0;
  return *left % 2 == 1 ? before_limit + 1 : -(before_limit + 1);
}

}  // namespace pitboss::engine
