#pragma once

#include <string>
#include <vector>

#include "clients/referee/ledger_contents.hpp"
#include "clients/report/markup.hpp"

namespace pitboss::clients {

struct Machine;

/// The report of an experiment as one self-contained HTML page: what was played, conclusions,
/// tables and charts, and a board on which the games that count are stepped through.
[[nodiscard]] std::string report_html(const LedgerContents& contents);

/// A part of the report under a heading.
struct ReportPart {
  std::string title;
  Markup content;
};
/// All of the report but its boards: conclusions, results, machines (those of the contents),
/// failures, repeated games, what was played.
[[nodiscard]] std::vector<ReportPart> report_parts(const LedgerContents& contents,
                                                   const std::vector<Machine>& machines);
/// The experiment's name, or that of its only match.
[[nodiscard]] std::string title_of(const Results& results);
/// Of each match the games that count and that a report shows, in order.
[[nodiscard]] std::vector<std::vector<PlayedGame>> counted_games(const LedgerContents& contents);

}  // namespace pitboss::clients
