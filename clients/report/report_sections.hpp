#pragma once

#include <span>
#include <string_view>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/results.hpp"
#include "clients/report/markup.hpp"

/// The sections of the report that consist of tables.
namespace pitboss::clients {

[[nodiscard]] inline Markup paragraph(std::string_view words) { return element("p", words); }
[[nodiscard]] inline Markup note(std::string_view words) {
  return element("p", {{"class", "note"}}, text(words));
}

/// Games lost by failures, and what went wrong.
[[nodiscard]] Markup failures_section(const Results& results, std::span<const Incident> incidents);
/// Which games were played more than once.
[[nodiscard]] Markup duplicates_section(const Results& results);
/// The stopping rule, the players and their exact options, the games.
[[nodiscard]] Markup setup_section(const Results& results);

}  // namespace pitboss::clients
