#pragma once

#include <string>
#include <vector>

#include "clients/published/table.hpp"

/// The pages of docs/results that are made from the records of matches alone, in Markdown.
namespace pitboss::clients {

/// The page of a table: every cell beside the paper's figure, and every player beside its control.
/// `families` are those of all tables there are.
[[nodiscard]] std::string table_page(const Table& table, const std::vector<Family>& families);
/// What was found in a table, in sentences: its verdicts, and how its players stand beside their
/// controls.
[[nodiscard]] std::string findings_of(const Table& table, const std::vector<Family>& families);

/// docs/results/README.md: every published table and figure, with its verdict, its page or its
/// cost, as data/results/papers.toml lists them. `tables` are all there are. Throws UserError for a
/// mistake in the list.
[[nodiscard]] std::string overview_page(const Repository& repository,
                                        const std::vector<Table>& tables);

/// Writes all pages, and names on standard output those that have changed. Throws UserError.
void write_pages(const Repository& repository);

}  // namespace pitboss::clients
