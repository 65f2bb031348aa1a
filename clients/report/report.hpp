#pragma once

#include <string>

#include "clients/referee/ledger_contents.hpp"

namespace pitboss::clients {

/// The report of an experiment as one self-contained HTML page: what was played, conclusions,
/// tables and charts, and a board on which the games that count are stepped through.
[[nodiscard]] std::string report_html(const LedgerContents& contents);

}  // namespace pitboss::clients
