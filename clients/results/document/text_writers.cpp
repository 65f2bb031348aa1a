#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <ranges>
#include <utility>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"

namespace pitboss::clients {

namespace {

std::string number_text(const Column& column, const Cell& cell, double number) {
  const double unit = column.form == Form::percent || column.form == Form::heat ? 100 : 1;
  std::string out = format("%.*f", column.digits, unit * number);
  if (column.form == Form::heat) return out + format(" (%lld)", static_cast<long long>(cell.count));
  if (!cell.low || !cell.high) return out;
  return out +
         format(" [%.*f, %.*f]", column.digits, unit * *cell.low, column.digits, unit * *cell.high);
}

/// The columns for people, as texts; the first line has their heads.
using Grid = std::vector<std::vector<std::string>>;

Grid turned(const Grid& grid) {
  Grid out(grid.front().size());
  for (const auto& line : grid) {
    for (std::size_t i = 0; i < line.size(); ++i) out[i].push_back(line[i]);
  }
  return out;
}

/// The places of the columns that people read.
std::vector<std::size_t> shown_columns(const DataTable& table, bool has_details) {
  std::vector<std::size_t> out;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& column = table.columns[c];
    const bool is_named = !column.head.empty() || (c == 0 && table.has_heads);
    if (is_named && (!column.is_detail || has_details)) out.push_back(c);
  }
  return out;
}

Grid grid_of(const DataTable& table, bool has_details) {
  Grid out(table.rows.size() + 1);
  for (const std::size_t c : shown_columns(table, has_details)) {
    const Column& column = table.columns[c];
    out[0].push_back(column.head);
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      out[r + 1].push_back(text_of(column, table.rows[r][c]));
    }
  }
  if (!table.is_upright) return out;
  Grid upright = turned(out);
  // One row needs no name.
  const bool has_names = table.has_heads && table.rows.size() > 1;
  if (table.has_heads && !has_names) upright.erase(upright.begin());
  const auto tells_nothing = [](const auto& line) {
    return std::ranges::all_of(line | std::views::drop(1),
                               [](const auto& words) { return words == "-"; });
  };
  const auto rest =
      std::ranges::remove_if(upright.begin() + (has_names ? 1 : 0), upright.end(), tells_nothing);
  upright.erase(rest.begin(), rest.end());
  return upright;
}

/// How many characters a text in UTF-8 has.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Whether texts begin below the head, by column of the table as a terminal has it.
std::vector<bool> left_columns(const DataTable& table, std::size_t count) {
  std::vector<bool> out(count, table.is_upright);
  out.front() = true;
  if (table.is_upright) return out;
  const std::vector<std::size_t> shown = shown_columns(table, false);
  for (std::size_t i = 0; i < count; ++i) {
    if (table.columns[shown[i]].form == Form::folded) out[i] = true;
  }
  return out;
}

std::string terminal_table(const DataTable& table) {
  const Grid grid = grid_of(table, table.is_upright);
  if (table.rows.empty() || grid.empty() || grid.front().empty()) return {};
  const std::vector<bool> is_left = left_columns(table, grid.front().size());
  std::vector<std::size_t> widths(grid.front().size(), table.is_upright ? 10 : 6);
  for (const auto& line : grid) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  std::string out = table.caption.empty() || table.is_upright ? "" : table.caption + "\n";
  for (const auto& line : grid) {
    std::string words;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string space(widths[i] - width_of(line[i]), ' ');
      words += i == 0 ? "" : table.is_upright ? " " : "  ";
      words += is_left[i] ? line[i] + space : space + line[i];
    }
    words.erase(words.find_last_not_of(' ') + 1);
    out += words + "\n";
  }
  return out;
}

std::string words_of(const Text& text) {
  if (text.link_words.empty()) return text.words;
  return text.words + (text.words.empty() ? "" : " ") + text.link_words;
}

std::string terminal_of(const Section& section) {
  if (section.is_folded) return {};
  std::string out;
  bool was_text = true;
  for (const Block& block : section.blocks) {
    std::string part;
    const auto* const table = std::get_if<DataTable>(&block);
    const auto* const words = std::get_if<Text>(&block);
    if (words != nullptr) part = words_of(*words) + "\n";
    if (table != nullptr && table->folded.empty()) part = terminal_table(*table);
    if (part.empty()) continue;
    if (!std::exchange(was_text, words != nullptr) && !out.empty()) out += "\n";
    out += part;
  }
  for (const Section& inner : section.sections) {
    const std::string part = terminal_of(inner);
    out += (out.empty() || part.empty() ? "" : "\n") + part;
  }
  return out.empty() || section.title.empty() ? out : section.title + "\n" + out;
}

/// Words as Markdown has them.
std::string in_markdown(const std::string& words) {
  std::string out;
  for (const char c : words) {
    if (c == '\n') {
      out += "<br>";
    } else {
      const unsigned char before = out.empty() ? 0 : static_cast<unsigned char>(out.back());
      if (std::string_view(R"(\`*_|<[)").find(c) != std::string_view::npos) out += '\\';
      out += c;
      // Else whoever has that name gets mail.
      if (c == '@' && std::isalnum(before) == 0) out += "&#8203;";
    }
  }
  return out;
}

std::string markdown_of(const DataTable& table) {
  Grid grid = grid_of(table, true);
  if (grid.empty() || grid.front().empty() || table.rows.empty()) return {};
  for (auto& line : grid) std::ranges::transform(line, line.begin(), in_markdown);
  if (table.is_upright && (!table.has_heads || table.rows.size() == 1)) {
    grid.insert(grid.begin(), std::vector<std::string>(grid.front().size()));
  }
  const std::string caption = table.caption.empty() ? "" : in_markdown(table.caption) + "\n\n";
  return caption + markdown_table(grid.front(), std::span(grid).subspan(1)) + "\n";
}

/// A block of code whose fence is longer than all runs of backticks in it.
std::string fenced(const std::string& words) {
  std::string fence = "```";
  while (words.find(fence) != std::string::npos) fence += '`';
  return fence + "\n" + words + "\n" + fence + "\n\n";
}

std::string markdown_of(const Text& text) {
  std::string out = in_markdown(words_of(text));
  using enum Text::Kind;
  if (text.kind == code) return fenced(text.words);
  if (text.kind == verdict || text.kind == alarm) out = "**" + out + "**";
  return (text.kind == item ? "* " : "") + out + (text.kind == item ? "\n" : "\n\n");
}

std::string markdown_of(const Figure& figure) {
  std::string content = figure.note.empty() ? "" : in_markdown(figure.note) + "\n\n";
  content += markdown_of(figure.numbers);
  return content.empty() ? "" : in_markdown(figure.chart.title) + "\n\n" + content;
}

std::string markdown_of(const Games& /*games*/) { return {}; }

std::string markdown_of(const Section& section, const std::string& level) {
  std::string out;
  for (const Block& block : section.blocks) {
    const std::string part = std::visit([](const auto& of) { return markdown_of(of); }, block);
    const bool ends_list = !out.empty() && !out.ends_with("\n\n");
    if (ends_list && !part.empty() && !part.starts_with("* ")) out += "\n";
    out += part;
  }
  if (!out.empty() && !out.ends_with("\n\n")) out += "\n";
  for (const Section& inner : section.sections) out += markdown_of(inner, level + "#");
  if (out.empty() || section.title.empty()) return out;
  return level + " " + in_markdown(section.title) + "\n\n" + out;
}

}  // namespace

std::string text_of(const Column& column, const Cell& cell) {
  if (!cell.words.empty()) return cell.words;
  if (const auto* const is_so = std::get_if<bool>(&cell.value)) return *is_so ? "yes" : "no";
  if (const auto* const words = std::get_if<std::string>(&cell.value)) {
    return words->empty() ? "-" : *words;
  }
  if (const auto* const whole = std::get_if<std::int64_t>(&cell.value)) {
    if (column.form != Form::time) return std::to_string(*whole);
    return *whole == 0 ? "-" : time_text(*whole) + " UTC";
  }
  const auto* const number = std::get_if<double>(&cell.value);
  if (number == nullptr) return "-";
  const auto known = std::isfinite(*number) ? std::optional(*number) : std::nullopt;
  if (column.form == Form::elo) return elo_text({known, cell.low, cell.high});
  return known ? number_text(column, cell, *known) : "-";
}

std::string terminal_text(const Document& document) {
  std::string out;
  for (const Section& section : document.sections) {
    const std::string part = terminal_of(section);
    out += (out.empty() || part.empty() ? "" : "\n") + part;
  }
  return out;
}

std::string markdown_text(const Document& document) {
  std::string out = "# " + in_markdown(document.title) + "\n\n";
  for (const Section& section : document.sections) out += markdown_of(section, "##");
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

std::string markdown_table(const std::vector<std::string>& heads,
                           std::span<const std::vector<std::string>> rows) {
  const auto line = [](const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += " " + cell + (cell.empty() ? "|" : " |");
    return out + "\n";
  };
  std::string out = line(heads) + "|";
  for (std::size_t i = 0; i < heads.size(); ++i) out += "---|";
  out += "\n";
  for (const auto& row : rows) out += line(row);
  return out;
}

}  // namespace pitboss::clients
