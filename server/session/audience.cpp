#include "server/session/audience.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "protocol/envelope.hpp"

namespace pitboss::server {

namespace {

/// A line of JSON about an event.
std::string event(const char* name, const std::map<std::string, std::string>& changed = {}) {
  nlohmann::ordered_json json{{"version", 1}, {"event", name}};
  if (!changed.empty()) json["changed"] = changed;
  return json.dump();
}

}  // namespace

std::size_t Watch::size() {
  constexpr std::size_t of_events = 1024;
  const std::scoped_lock lock(mutex_);
  return has_news_ ? of_events + (report_ ? report_->in_envelope.size() : 0) : 0;
}

std::string Watch::take() {
  bool has_moved = false;
  std::map<std::string, std::string> options;
  std::shared_ptr<const Report> report;
  {
    const std::scoped_lock lock(mutex_);
    has_news_ = false;
    has_moved = std::exchange(has_moved_, false);
    options = std::exchange(options_, {});
    report = std::exchange(report_, nullptr);
  }
  std::string text;
  if (has_moved) text += form_.part(event("position"));
  if (!options.empty()) text += form_.part(event("options", options));
  if (report && form_.in_envelopes) text += protocol::with_id(form_.id, report->in_envelope);
  if (report && !form_.in_envelopes) text += form_.part(report->json);
  return text;
}

template <class Change>
void Watch::tell(const Change& change) {
  {
    const std::scoped_lock lock(mutex_);
    change(*this);
    if (std::exchange(has_news_, true)) return;
  }
  on_news_();
}

void Audience::add(const std::shared_ptr<Watch>& watch) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(watches_, [](const auto& other) { return other.expired(); });
  watches_.push_back(watch);
  is_empty_ = false;
}

template <class Change>
void Audience::tell(const Change& change) {
  const std::scoped_lock lock(mutex_);
  std::erase_if(watches_, [&](const auto& weak) {
    const auto watch = weak.lock();
    if (watch) watch->tell(change);
    return !watch;
  });
  is_empty_ = watches_.empty();
}

/// What is still to be told of a search was of the position before.
void Audience::tell_position() {
  tell([](Watch& watch) {
    watch.has_moved_ = true;
    watch.report_.reset();
  });
}

void Audience::tell_rights() {
  tell([](Watch&) {});
}

void Audience::tell_options(const std::map<std::string, std::string>& changed) {
  tell([&](Watch& watch) {
    for (const auto& [name, value] : changed) watch.options_[name] = value;
  });
}

void Audience::tell_search(std::string report) {
  std::string shared = protocol::update_without_id(report);
  const auto told =
      std::make_shared<const Watch::Report>(Watch::Report{std::move(report), std::move(shared)});
  tell([&](Watch& watch) { watch.report_ = told; });
}

}  // namespace pitboss::server
