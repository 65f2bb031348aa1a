#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "clients/results/document/document.hpp"

/// The forms in which documents are written, and parts of them.
namespace pitboss::clients {

/// What people read of a cell; "-" for what is not there.
[[nodiscard]] std::string text_of(const Column& column, const Cell& cell);

/// For a terminal: texts and tables in columns, without what is folded, without pictures and games.
[[nodiscard]] std::string terminal_text(const Document& document);

/// In Markdown: all but pictures, of which the numbers are there, and games.
[[nodiscard]] std::string markdown_text(const Document& document);
/// A table in Markdown, of cells that are Markdown already.
[[nodiscard]] std::string markdown_table(const std::vector<std::string>& heads,
                                         std::span<const std::vector<std::string>> rows);

/// An array of flat objects: a table as JSON, and, by `csv_of`, as CSV.
using Rows = nlohmann::ordered_json;
[[nodiscard]] Rows rows_of(const DataTable& table);
/// The tables of a document by name.
[[nodiscard]] std::map<std::string, Rows> tables_of(const Document& document);
/// All that programs read of a document: an object of its facts, and of its tables by name.
[[nodiscard]] nlohmann::ordered_json json_of(const Document& document);
/// As in RFC 4180: the keys of the objects, and a line for each.
[[nodiscard]] std::string csv_of(const Rows& rows);
/// One line; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json);

/// A section in HTML, with its heading if it has one.
[[nodiscard]] Markup html_of(const Section& section);
/// A document as one page that needs no other file, and but for its games no script.
[[nodiscard]] std::string html_page(const Document& document);
/// The classes of a cell that is the paler the nearer its score is to 1/2: "ahead lead-20".
[[nodiscard]] std::string heat_classes(double score);

}  // namespace pitboss::clients
