#include "clients/results/serve/followed.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/match_tables.hpp"

namespace pitboss::clients {

void Shot::add_progress(DataTable table) {
  Section& head = document.sections.front();
  head.title = "Progress";
  head.blocks.insert(head.blocks.begin(), std::move(table));
}

void Followed::set_paused(bool /*is_paused*/) {
  throw UserError("only the referees of an experiment can be told to wait");
}

std::int64_t last_change(const std::filesystem::path& path) {
  std::int64_t last = 0;
  for (const char* part : {"", "-wal"}) {
    struct stat about {};
    if (::stat((path.string() + part).c_str(), &about) != 0) continue;
    if (about.st_size == 0) continue;  // an empty log tells nothing
    last = std::max<std::int64_t>(last, about.st_mtim.tv_sec);
  }
  return last;
}

std::uint64_t number_of_file(const std::filesystem::path& path) {
  struct stat about {};
  return ::stat(path.c_str(), &about) == 0 ? about.st_ino : 0;
}

bool is_recent(std::int64_t seconds) { return now_in_seconds() - seconds <= longest_silence; }

DataTable progress_table(const Outline& outline, const std::string& words,
                         const std::vector<std::pair<std::string, std::string>>& more) {
  DataTable out{.columns = {{"", "this " + outline.kind + " is"}, {"", outline.unit}},
                .rows = {{outline.state, words}},
                .is_upright = true,
                .has_heads = false};
  out.rows[0][0].is_strong = true;
  for (const auto& [head, text] : more) {
    out.columns.push_back({"", head});
    out.rows[0].emplace_back(text);
  }
  out.columns.push_back({"", "last sign of life", Form::time});
  out.rows[0].emplace_back(outline.last);
  return out;
}

}  // namespace pitboss::clients
