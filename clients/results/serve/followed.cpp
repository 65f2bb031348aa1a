#include "clients/results/serve/followed.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/document/formatting.hpp"
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

std::string page_address(const std::string& name) {
  std::string out = "?show=";
  for (const char c : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
    out += is_plain ? std::string(1, c) : format("%%%02X", static_cast<unsigned char>(c));
  }
  return out;
}

DataTable progress_table(const Outline& outline, const std::string& words,
                         const std::vector<std::pair<std::string, std::string>>& more) {
  DataTable out{.columns = {{"", "this " + outline.kind + " is"}, {"", outline.unit}},
                .rows = {{outline.state, words}},
                .is_upright = true,
                .has_heads = false};
  out.rows[0][0].is_strong = true;
  const auto add = [&](const std::string& head, const std::string& text) {
    out.columns.push_back({"", head});
    out.rows[0].emplace_back(text);
  };
  for (const auto& [head, text] : more) add(head, text);
  if (outline.games_a_minute.value_or(0) > 0) {
    add("games a minute", format("%.1f", *outline.games_a_minute));
  }
  if (const auto left = outline.seconds_left) {
    const std::string of = outline.left_of.empty() ? "" : " for " + outline.left_of;
    add("time left, estimated", duration_text(*left) + (*left < 3600 ? " minutes" : " hours") + of);
  }
  out.columns.push_back({"", "last sign of life", Form::time});
  out.rows[0].emplace_back(outline.last);
  return out;
}

}  // namespace pitboss::clients
