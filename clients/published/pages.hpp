#pragma once

#include <optional>
#include <string>
#include <vector>

#include "clients/published/table.hpp"
#include "clients/published/times.hpp"

/// The pages of docs/results that are made from the records in data/results alone, in Markdown.
namespace pitboss::clients {

/// The page of a table: every cell beside the paper's figure, and every player beside its control.
/// `families` are those of all tables there are.
[[nodiscard]] std::string table_page(const Table& table, const std::vector<Family>& families);
/// What was found in a table, in sentences: its verdicts, and how its players stand beside their
/// controls.
[[nodiscard]] std::string findings_of(const Table& table, const std::vector<Family>& families);

/// The page of the time that measures of novelty cost, which says so if it was not measured.
[[nodiscard]] std::string times_page(const std::optional<Times>& times);
/// "a measure makes a search 0.97 to 1.15 times as long in 6 games", and what that says with
/// networks, if these were measured.
[[nodiscard]] std::string findings_of(const Times& times);

/// docs/results/README.md: every published table and figure, with its verdict, its page or its
/// cost, as data/results/papers.toml lists them. `tables` are all there are. Throws UserError for a
/// mistake in the list.
[[nodiscard]] std::string overview_page(const Repository& repository,
                                        const std::vector<Table>& tables);

/// Writes all pages, and names on standard output those that have changed. The page of times is for
/// a repository with a list of papers. Throws UserError, for a damaged record before any page is
/// written.
void write_pages(const Repository& repository);

}  // namespace pitboss::clients
