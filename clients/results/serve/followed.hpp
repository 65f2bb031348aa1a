#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "clients/referee/ledger/ledger_place.hpp"
#include "clients/results/document/document.hpp"

namespace pitboss::clients {

/// What the list tells of a run: an experiment, a tuning or a training.
struct Outline {
  std::string name;  ///< other than all others' in the list
  std::string kind;
  std::string state;  ///< "running", "paused", "stopped", "finished"
  std::string title = {};
  std::string game = {};
  std::optional<int> done = {};
  int of = 0;
  std::string unit = "games";
  std::optional<double> games_a_minute = {};
  std::optional<double> seconds_left = {};  ///< an estimate, while somebody plays
  std::string left_of = {};                 ///< until what is done; empty: all
  std::optional<int> failures = {};
  std::int64_t last = 0;  ///< sign of life, seconds since 1970; 0: not known
  std::string words = {};
  friend bool operator==(const Outline&, const Outline&) = default;
};

/// What is shown of a run.
struct Shot {
  Outline outline;
  Document document;
  [[nodiscard]] bool is_running() const { return outline.state == "running"; }
  /// Puts it before the document.
  void add_progress(DataTable table);
};

/// A run that is followed.
class Followed {
 public:
  Followed() = default;
  virtual ~Followed() = default;
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  // The thread that watches:

  /// Reads what is new. Blocks; throws UserError, and can be called again.
  [[nodiscard]] virtual Shot look() = 0;
  /// Has the referees wait, or go on. Blocks; throws UserError, also if there are none.
  virtual void set_paused(bool is_paused);

  // Any thread, from what `look` has read; JSON, or empty if there is nothing of the kind:

  /// The games that can be replayed, the newest of each match, as report_games.ts describes them,
  /// without what only `replayed_game` tells.
  [[nodiscard]] virtual std::string games_to_replay() const { return {}; }
  /// A game to be replayed, by the number of its match (from 0) and its own.
  [[nodiscard]] virtual std::string replayed_game(int /*match*/, int /*game*/) const { return {}; }
  /// All games, as games.csv has them, and as an array of JSON.
  [[nodiscard]] virtual std::string games_csv() const { return {}; }
  [[nodiscard]] virtual std::string games_json() const { return {}; }
};

/// A kind of run: how it is found in a folder, and followed there.
struct RunKind {
  std::string name;  ///< "experiment"
  /// Another text if the records in the folder may have changed; nothing if none are there.
  std::function<std::optional<std::string>(const std::filesystem::path& folder)> version;
  std::function<std::shared_ptr<Followed>(const std::string& name, const LedgerPlace& place)>
      follow;
  bool has_referees = false;  ///< which can be told to wait
};

/// When a file or folder, or a SQLite file's log, was changed last, in seconds since 1970; 0: there
/// is none.
[[nodiscard]] std::int64_t last_change(const std::filesystem::path& path);
/// Another one if the file was replaced; 0: there is none.
[[nodiscard]] std::uint64_t number_of_file(const std::filesystem::path& path);
/// Whether seconds since 1970 are not longer ago than `longest_silence`.
[[nodiscard]] bool is_recent(std::int64_t seconds);
/// The address of a run's page, by its name in the catalogue.
[[nodiscard]] std::string page_address(const std::string& name);
/// The state of a run, `words` on how far it is, `more`, its speed, the time left and its last sign
/// of life.
[[nodiscard]] DataTable progress_table(
    const Outline& outline, const std::string& words,
    const std::vector<std::pair<std::string, std::string>>& more = {});

}  // namespace pitboss::clients
