#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "environment/awake_clock.hpp"
#include "protocol/arguments.hpp"
#include "server/session/findings.hpp"
#include "server/session/table.hpp"

/// The forms in which GUIs for Go and programs read about a running search (docs/analysis.md).
namespace pitboss::server {

enum class AnalysisForm : std::uint8_t { sabaki, leela, kata, json };

/// What the arguments of `analyze` and its kin ask for.
struct AnalysisRequest {
  AnalysisForm form;
  std::chrono::milliseconds interval = std::chrono::seconds(1);
  int least_moves = 0;  ///< moves without visits fill the line up to this number
  int most_moves = std::numeric_limits<int>::max();
  bool root_info = false;
  bool pv_visits = false;
  std::size_t tree = 0;  ///< of the most visited moves of the tree so many are told, as JSON
  bool goes_on = false;  ///< in the tree of the last search, if that was of this position
  std::optional<std::int64_t> most_simulations{};
  std::optional<std::chrono::milliseconds> most_time{};
  std::set<std::string> avoided{};  ///< moves not to be tried
};

/// Reads `[colour] [interval] [key value ...]` in any order. Throws CommandError, also if it is not
/// that colour's turn or no move is left to try.
[[nodiscard]] AnalysisRequest read_analysis(AnalysisForm form, const protocol::Arguments& arguments,
                                            const Table& table);

/// Writes the lines about the search of a table. Belongs to the thread that runs the search.
class Analysis {
 public:
  using SteadyClock = environment::AwakeClock;

  Analysis(const Table& table, AnalysisRequest request)
      : table_(table), request_(std::move(request)), told_options_(table.options()) {}

  /// What the search knows now: "info move ... info move ...", or JSON; without a line feed.
  [[nodiscard]] std::string line();
  /// Leaves what the search knows now, as JSON, for when the position comes back; unless the
  /// search, or one whose tree it has gone on with, was to avoid moves.
  void leave_to(const ClientFindings& findings) const;
  /// The line if the interval since the last line has passed, else an empty text.
  [[nodiscard]] std::string line_if_due();
  /// When the interval will have passed.
  [[nodiscard]] SteadyClock::time_point due() const { return next_; }
  /// The line if there has been none yet, or if it tells how a bounded search ended; else an empty
  /// text.
  [[nodiscard]] std::string last_line() {
    return has_told_ && !request_.most_simulations ? std::string() : line();
  }

 private:
  [[nodiscard]] bool tells_tree(SteadyClock::time_point now) const;

  const Table& table_;
  AnalysisRequest request_;
  engine::Options told_options_;  ///< of the last line, before it the table's
  std::int64_t sequence_ = 0;
  bool has_told_ = false;
  SteadyClock::time_point begun_ = SteadyClock::now();
  SteadyClock::time_point next_ = begun_ + request_.interval;
  SteadyClock::time_point next_tree_ = begun_;
};

/// The places of the moves in a report that a line tells.
[[nodiscard]] std::vector<std::size_t> told_moves(const AnalysisRequest& request,
                                                  const engine::Report& report);
/// The text of one line in a form for GUIs.
[[nodiscard]] std::string analysis_line(const AnalysisRequest& request,
                                        const engine::Report& report);

}  // namespace pitboss::server
