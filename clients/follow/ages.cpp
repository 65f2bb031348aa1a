#include "clients/follow/ages.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/report/conclusions.hpp"

namespace pitboss::clients {

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

Markup time_markup(std::int64_t seconds) {
  if (seconds == 0) return text("-");
  const std::string shown = time_text(seconds);
  std::string when = shown + "Z";
  when[when.find(' ')] = 'T';
  return element("time", {{"datetime", when}}, text(shown + " UTC"));
}

}  // namespace pitboss::clients
