#include "server/session/findings.hpp"

#include <iterator>
#include <utility>

namespace pitboss::server {

std::string Findings::key(const std::string& token, const games::AnyGame& position,
                          const engine::Options& options) {
  std::string key = token;
  ((key += '\n') += position.name()) += ' ';
  ((key += position.parameters().line()) += '\n') += position.position();
  for (const engine::OptionRow& row : engine::option_rows()) {
    if (row.tree_kept == engine::TreeKept::yes) continue;
    (key += '\n') += engine::get_option(options, row);
  }
  return key;
}

bool Findings::wants_unlocked(const std::string& key, std::int64_t visits) const {
  constexpr std::int64_t part = 8;
  const auto known = places_.find(key);
  if (known == places_.end()) return true;
  return visits > known->second->visits && visits >= known->second->visits / part * (part + 1);
}

bool Findings::wants(const std::string& key, std::int64_t visits) {
  const std::scoped_lock lock(mutex_);
  return wants_unlocked(key, visits);
}

void Findings::keep(std::string key, std::int64_t visits, const std::string& report) {
  constexpr std::size_t share = 16;
  const std::scoped_lock lock(mutex_);
  if (!wants_unlocked(key, visits)) return;
  std::list<Finding> made;
  made.push_front({std::move(key), visits, report});
  const Finding& finding = made.front();
  if (finding.bytes() > most_bytes_ / share) return;
  if (const auto known = places_.find(finding.key); known != places_.end()) forget(known->second);
  places_.emplace(finding.key, made.begin());
  findings_.splice(findings_.begin(), made);
  bytes_ += finding.bytes();
  while (bytes_ > most_bytes_) forget(std::prev(findings_.end()));
}

void Findings::forget(std::list<Finding>::iterator finding) {
  bytes_ -= finding->bytes();
  places_.erase(finding->key);
  findings_.erase(finding);
}

std::string Findings::find(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto known = places_.find(key);
  if (known == places_.end()) return {};
  findings_.splice(findings_.begin(), findings_, known->second);
  return known->second->report;
}

}  // namespace pitboss::server
