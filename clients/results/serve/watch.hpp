#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/results/serve/catalogue.hpp"
#include "clients/results/serve/followed.hpp"

namespace pitboss::clients {

/// What was read last of a catalogue's entry, as it is shown; does not change any more.
struct Shown : Shot {  // NOLINT(bugprone-exception-escape): the moves of JSON throw nothing
  bool has_referees = false;
  std::int64_t revision = 0;     ///< other than those of all other runs
  std::int64_t stale_since = 0;  ///< seconds since 1970: it could not be read since then; 0: it can
  std::string why;               ///< a sentence
  std::shared_ptr<const Followed> games;
};

/// All of a catalogue, as it is shown.
struct ShownCatalogue {
  std::int64_t revision = 0;
  std::vector<std::shared_ptr<const Shown>> entries;  ///< by name
  std::int64_t stale_since = 0;                       ///< of the place itself
  std::string why;
};

/// Watches a catalogue on a thread of its own: every two seconds it reads what has changed, once
/// for all who look; less often if that takes it more than a tenth of the time. Whoever asks gets
/// what was read last, at once. Thread-safe.
class Watch {
 public:
  /// Reads the list for the first time. Blocks; throws UserError if there is no such place.
  Watch(const LedgerPlace& place, const std::vector<RunKind>& kinds);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] std::shared_ptr<const ShownCatalogue> shown() const;
  /// Null if there is none of that name.
  [[nodiscard]] std::shared_ptr<const Shown> shown(const std::string& name) const;

  /// Has the referees of an experiment wait, or go on: soon, or never if the experiment cannot be
  /// written to, which its `why` then tells.
  void set_paused(const std::string& name, bool is_paused);

 private:
  struct Item {
    CatalogueEntry entry;
    std::shared_ptr<Followed> followed;
    std::shared_ptr<const Shown> shown;
    std::chrono::steady_clock::time_point looked;
    bool is_read = false;     ///< this version, or that has failed
    bool has_failed = false;  ///< the last look
    std::string refusal;      ///< why the last wish was not obeyed; empty: it was
  };

  void run(const std::stop_token& stop);
  void turn(const std::stop_token& stop);
  void take(std::vector<CatalogueEntry> entries);
  void look(Item& item);
  void obey(const std::string& name, bool is_paused);
  void publish();
  [[nodiscard]] bool is_due(const Item& item) const;
  [[nodiscard]] Shown blank(const Item& item) const;
  void show(Item& item, Shown shown);

  Catalogue catalogue_;
  std::map<std::string, Item> items_;  // of the thread
  std::int64_t revision_ = 0;
  std::int64_t stale_since_ = 0;
  std::string why_;

  mutable std::mutex mutex_;
  std::condition_variable_any woken_;
  std::shared_ptr<const ShownCatalogue> shown_;
  std::vector<std::pair<std::string, bool>> wishes_;  // to pause or not
  std::jthread thread_;
};

}  // namespace pitboss::clients
