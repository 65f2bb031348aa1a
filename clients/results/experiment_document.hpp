#pragma once

#include <string>

#include "clients/referee/ledger_contents.hpp"
#include "clients/results/document/document.hpp"

namespace pitboss::clients {

/// The report of a match or a tournament: conclusions, games, tables and charts, machines,
/// referees, failures, repeated games, what was played. Its facts are `summary`, which is
/// summary.json, and `games_left`. Its games are those that the page asks for.
[[nodiscard]] Document experiment_document(const LedgerContents& contents);
/// The same in a file: the games are in it.
[[nodiscard]] std::string report_html(const LedgerContents& contents);

/// What a terminal shows of results: scores, ratings, failures.
[[nodiscard]] std::string summary_table(const Results& results);

/// The experiment's name, or that of its only match.
[[nodiscard]] std::string title_of(const Results& results);

}  // namespace pitboss::clients
