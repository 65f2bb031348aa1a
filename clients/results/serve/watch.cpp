#include "clients/results/serve/watch.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

using std::chrono::steady_clock;
using namespace std::chrono_literals;

namespace {

constexpr auto interval = 2s;
constexpr int rest_after_work = 9;  // times as long
/// What runs is looked at so often though nothing has been written, since silence tells, too; and
/// what could not be read.
constexpr auto longest_between_looks = 20s;
constexpr auto longest_rest = 20s;

/// Whether people see the same.
bool looks_alike(const Shown& a, const Shown& b) {
  return a.stale_since == b.stale_since && a.why == b.why && a.outline == b.outline &&
         a.document == b.document;
}

}  // namespace

Watch::Watch(const LedgerPlace& place, const std::vector<RunKind>& kinds)
    : catalogue_(place, kinds), shown_(std::make_shared<ShownCatalogue>()) {
  take(catalogue_.entries());
  publish();
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Watch::~Watch() {
  thread_.request_stop();
  woken_.notify_all();
}

std::shared_ptr<const ShownCatalogue> Watch::shown() const {
  const std::scoped_lock lock(mutex_);
  return shown_;
}

std::shared_ptr<const Shown> Watch::shown(const std::string& name) const {
  const auto all = shown();
  const auto found =
      std::ranges::find(all->entries, name, [](const auto& one) { return one->outline.name; });
  return found == all->entries.end() ? nullptr : *found;
}

void Watch::set_paused(const std::string& name, bool is_paused) {
  {
    const std::scoped_lock lock(mutex_);
    wishes_.emplace_back(name, is_paused);
  }
  woken_.notify_all();
}

void Watch::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const auto begin = steady_clock::now();
    turn(stop);
    const auto end = steady_clock::now();
    const auto rest =
        std::clamp<steady_clock::duration>(rest_after_work * (end - begin), interval, longest_rest);
    std::unique_lock lock(mutex_);
    woken_.wait_until(lock, stop, end + rest, [&] { return !wishes_.empty(); });
  }
}

void Watch::turn(const std::stop_token& stop) {
  std::vector<std::pair<std::string, bool>> wishes;
  {
    const std::scoped_lock lock(mutex_);
    wishes.swap(wishes_);
  }
  for (const auto& [name, is_paused] : wishes) obey(name, is_paused);
  try {
    take(catalogue_.entries());
    stale_since_ = 0;
    why_.clear();
  } catch (const std::exception& failure) {
    if (stale_since_ == 0) stale_since_ = now_in_seconds();
    why_ = failure.what();
    return publish();
  }
  for (auto& [name, item] : items_) {
    if (stop.stop_requested()) return;
    if (!is_due(item)) continue;
    look(item);
    publish();
  }
  publish();
}

bool Watch::is_due(const Item& item) const {
  if (!item.is_read) return true;
  const bool is_awaited = item.has_failed || item.shown->is_running();
  return is_awaited && steady_clock::now() - item.looked >= longest_between_looks;
}

/// Follows the list; what has another version is read anew.
void Watch::take(std::vector<CatalogueEntry> entries) {
  std::map<std::string, Item> items;
  for (CatalogueEntry& entry : entries) {
    Item& item = items[entry.name];
    const auto known = items_.find(entry.name);
    const bool is_known = known != items_.end() && known->second.entry.kind.name == entry.kind.name;
    if (is_known) {
      item = std::move(known->second);
      if (item.entry.version != entry.version) item.is_read = false;
      item.entry = std::move(entry);
    } else {
      item.entry = std::move(entry);
      item.followed = item.entry.kind.follow(item.entry.name, item.entry.place);
      show(item, blank(item));
    }
  }
  items_ = std::move(items);
}

/// Of what has not been read yet.
Shown Watch::blank(const Item& item) const {
  Shown out;
  out.outline = {item.entry.name, item.entry.kind.name, "being read"};
  out.has_referees = item.entry.kind.has_referees;
  return out;
}

void Watch::show(Item& item, Shown shown) {
  shown.games = item.followed;
  if (item.shown && looks_alike(*item.shown, shown)) return;
  shown.revision = ++revision_;
  item.shown = std::make_shared<const Shown>(std::move(shown));
}

void Watch::look(Item& item) {
  item.is_read = true;
  item.has_failed = false;
  Shown shown = blank(item);
  try {
    static_cast<Shot&>(shown) = item.followed->look();
    shown.why = item.refusal;
  } catch (const std::exception& failure) {
    shown = *item.shown;
    item.has_failed = true;  // it is tried again, but not at once: a damaged file stays so
    if (shown.stale_since == 0) shown.stale_since = now_in_seconds();
    shown.why = failure.what();
    if (shown.document.sections.empty()) shown.outline.state = "unreadable";
  }
  item.looked = steady_clock::now();
  show(item, std::move(shown));
}

void Watch::obey(const std::string& name, bool is_paused) {
  const auto found = items_.find(name);
  if (found == items_.end()) return;
  Item& item = found->second;
  try {
    item.followed->set_paused(is_paused);
    item.refusal.clear();
    item.is_read = false;
  } catch (const std::exception& failure) {
    item.refusal = failure.what();
    Shown shown = *item.shown;
    shown.why = item.refusal;
    show(item, std::move(shown));
  }
}

void Watch::publish() {
  auto next = std::make_shared<ShownCatalogue>();
  for (const auto& [name, item] : items_) next->entries.push_back(item.shown);
  next->stale_since = stale_since_;
  next->why = why_;
  const auto last = shown();
  if (last->entries == next->entries && last->stale_since == next->stale_since &&
      last->why == next->why) {
    return;
  }
  next->revision = ++revision_;
  const std::scoped_lock lock(mutex_);
  shown_ = std::move(next);
}

}  // namespace pitboss::clients
