#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/session/running_job.hpp"

namespace pitboss::server {

/// What a session that watches a table has not been told yet (command `watch`). Of what follows one
/// after the other only the newest is kept: a slow reader is told less, not later. Any thread.
class Watch {
 public:
  /// A report of a search as the watchers of a table share it.
  struct Report {
    std::string json;         ///< one line
    std::string in_envelope;  ///< the same as an update of any id
  };

  /// `on_news` is called when there is something to take, after there was nothing; it does not
  /// block and may be called by any thread.
  explicit Watch(std::function<void()> on_news) : on_news_(std::move(on_news)) {}

  /// Before the rest: how the session writes its answers.
  void set_form(AnswerForm form) { form_ = std::move(form); }
  /// Before the rest: has `take` begin with the position, so that who asks for it then has missed
  /// nothing.
  void begin_with_position() { has_news_ = has_moved_ = true; }
  [[nodiscard]] std::string begin() const { return form_.begin(); }
  /// Of what `take` gives, about; 0 if there is nothing.
  [[nodiscard]] std::size_t size();
  /// Updates for the client.
  [[nodiscard]] std::string take();
  [[nodiscard]] std::string end() const { return form_.end(""); }
  [[nodiscard]] std::string end(protocol::FailureCode code, std::string_view what) const {
    return form_.end(code, what);
  }

 private:
  friend class Audience;
  template <class Change>
  void tell(const Change& change);

  const std::function<void()> on_news_;
  AnswerForm form_;
  std::mutex mutex_;  ///< guards the members below
  bool has_news_ = false;
  bool has_moved_ = false;                        ///< the position has changed
  std::map<std::string, std::string> options_{};  ///< that have changed
  std::shared_ptr<const Report> report_{};
};

/// Those who watch a table. Any thread; does not block.
class Audience {
 public:
  /// Until `watch` is gone.
  void add(const std::shared_ptr<Watch>& watch);
  [[nodiscard]] bool is_empty() const { return is_empty_.load(std::memory_order_relaxed); }

  void tell_position();
  /// Who may watch has changed.
  void tell_rights();
  void tell_options(const std::map<std::string, std::string>& changed);
  /// One line of JSON.
  void tell_search(std::string report);

 private:
  template <class Change>
  void tell(const Change& change);

  std::mutex mutex_;
  std::vector<std::weak_ptr<Watch>> watches_;
  std::atomic<bool> is_empty_ = true;
};

}  // namespace pitboss::server
