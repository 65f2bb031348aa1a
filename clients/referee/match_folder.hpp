#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "clients/referee/game_record.hpp"
#include "clients/referee/match.hpp"

namespace pitboss::clients {

/// The folder of a match: match.json (its configuration), games.csv (the truth: one line a game,
/// in order, appended round by round) and summary.json (what games.csv amounts to). Not
/// thread-safe. Failures are UserErrors that say what could not be done.
class MatchFolder {
 public:
  /// Reads what `path` holds of `match`, if anything, and changes nothing. A last round that
  /// was not written completely counts as not played. Throws UserError if the folder holds another
  /// match, more games than `match` has, or damaged records.
  MatchFolder(std::filesystem::path path, const Match& match);
  ~MatchFolder();
  MatchFolder(const MatchFolder&) = delete;
  MatchFolder& operator=(const MatchFolder&) = delete;

  /// The complete rounds found at the start.
  [[nodiscard]] const std::vector<GameRecord>& found() const { return found_; }

  /// Creates what is missing, cuts off an incomplete round, and keeps other referees out until the
  /// end of this object's life. Must come before `append`.
  void open_for_writing();
  /// Adds the games of a round and waits until they are on the disk; all or nothing.
  void append(std::span<const GameRecord> round);
  /// Replaces summary.json.
  void write_summary(const std::string& text) const;

  [[nodiscard]] std::filesystem::path games_path() const { return path_ / "games.csv"; }
  [[nodiscard]] std::filesystem::path summary_path() const { return path_ / "summary.json"; }

 private:
  [[nodiscard]] std::filesystem::path match_path() const { return path_ / "match.json"; }
  void read_configuration();
  void read_games(const Match& match);
  void write_at_end(const std::string& text);

  std::filesystem::path path_;
  std::string configuration_;
  std::vector<GameRecord> found_;
  std::uint64_t size_read_ = 0;  // of games.csv as it was found
  std::uint64_t size_ = 0;       // of its complete part
  int games_file_ = -1;
};

}  // namespace pitboss::clients
