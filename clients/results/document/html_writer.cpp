#include <algorithm>
#include <cmath>

#include "clients/results/document/formatting.hpp"
#include "clients/results/document/page_parts.hpp"
#include "clients/results/document/svg.hpp"
#include "clients/results/document/writers.hpp"

namespace pitboss::clients {

namespace {

std::string kind_of(Text::Kind kind) {
  using enum Text::Kind;
  return kind == note ? "note" : kind == alarm ? "alarm" : kind == verdict ? "verdict" : "";
}

Markup linked(const Markup& content, const std::string& link) {
  return link.empty() ? content : element("a", {{"href", link}}, content);
}

Markup html_of(const Text& words, const std::string& section) {
  if (words.kind == Text::Kind::code) {
    return scrolling("pre", section.empty() ? "text" : section, text(words.words));
  }
  Markup content = text(words.words);
  if (!words.link_words.empty()) {
    content += text(words.words.empty() ? "" : " ") + linked(text(words.link_words), words.link);
  }
  if (words.kind == Text::Kind::item) return element("li", content);
  const std::string style = kind_of(words.kind);
  return style.empty() ? element("p", content) : element("p", {{"class", style}}, content);
}

Markup content_of(const Column& column, const Cell& cell) {
  const std::string words = text_of(column, cell);
  const auto* const number = std::get_if<double>(&cell.value);
  if (const auto* const picture = std::get_if<Markup>(&cell.value)) return *picture;
  if (column.form == Form::heat && number != nullptr) {
    const std::string score = format("%.*f", column.digits, 100 * *number);
    Markup out = (cell.is_strong ? element("b", score) : text(score)) +
                 element("small", linked(text(std::to_string(cell.count)), cell.link));
    if (cell.low && cell.high) out += element("small", text(percent_text({*cell.low, *cell.high})));
    return out;
  }
  if (column.form == Form::folded && words != "-") {
    return folded("show", scrolling("pre", column.head, text(words)));
  }
  if (column.form == Form::gauge && number != nullptr) {
    const auto value = [](double of) { return format("%.3f", of); };
    return element(
               "meter",
               {{"min", value(*cell.low)}, {"max", value(*cell.high)}, {"value", value(*number)}},
               text(words)) +
           text(" " + words);
  }
  const auto* const when = std::get_if<std::int64_t>(&cell.value);
  if (column.form == Form::time && when != nullptr && *when != 0) {
    std::string stamp = time_text(*when) + "Z";
    stamp[stamp.find(' ')] = 'T';
    return element("time", {{"datetime", stamp}}, text(words));
  }
  return linked(text(words), cell.link);
}

bool is_wordy(const Column& column) {
  return column.form == Form::words || column.form == Form::folded || column.form == Form::gauge;
}

bool has_heat(const DataTable& table) {
  return !table.columns.empty() && table.columns.back().form == Form::heat;
}

/// Whether the cells of a column are texts, below a head that begins where they do.
bool has_texts(const DataTable& table, std::size_t c) {
  return table.columns[c].form == Form::gauge ||
         std::holds_alternative<std::string>(table.rows.front()[c].value);
}

/// Whether a row becomes a card where a line is short (results.css), and each cell tells its head:
/// columns of several texts would be hidden, or narrow and tall.
bool has_cards(const DataTable& table) {
  if (table.is_upright || table.rows.empty()) return false;
  int texts = 0;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!table.columns[c].head.empty() && has_texts(table, c)) ++texts;
  }
  return texts >= 2;
}

/// `head` is told with it if not empty.
Markup html_of(const Column& column, const Cell& cell, bool is_head, const std::string& head) {
  const Markup content = content_of(column, cell);
  if (is_head) return element("th", {{"scope", "row"}}, content);
  const auto* const number = std::get_if<double>(&cell.value);
  std::string style =
      is_wordy(column) && std::holds_alternative<std::string>(cell.value) ? "words" : "";
  if (column.form == Form::gauge) style = "words";
  if (column.form == Form::heat) style = number != nullptr ? heat_classes(*number) : "none";
  if (cell.is_alarm) style += style.empty() ? "alarm" : " alarm";
  if (style.empty()) {
    return head.empty() ? element("td", content) : element("td", {{"data-head", head}}, content);
  }
  return head.empty() ? element("td", {{"class", style}}, content)
                      : element("td", {{"class", style}, {"data-head", head}}, content);
}

Markup head_of(const std::string& words, bool is_wordy) {
  return element("th", {{"scope", "col"}, {"class", is_wordy ? "words" : "number"}}, text(words));
}

/// Whether the column names the rows.
bool names_rows(const DataTable& table, std::size_t column) {
  return column == 0 && table.has_heads;
}

/// Columns without a head are for programs alone; one of an upright table that tells nothing is
/// left out.
bool is_shown(const DataTable& table, std::size_t c) {
  const Column& column = table.columns[c];
  if (column.head.empty() && !names_rows(table, c)) return false;
  const auto tells = [&](const Cells& row) { return text_of(column, row[c]) != "-"; };
  return !table.is_upright || std::ranges::any_of(table.rows, tells);
}

Markup rows_of(const Markup& head, const std::vector<Markup>& lines) {
  Markup body;
  for (const Markup& line : lines) {
    if (!line.empty()) body += element("tr", line);
  }
  return (head.empty() ? head : element("thead", element("tr", head))) + element("tbody", body);
}

/// A table whose columns are lines.
Markup upright_body_of(const DataTable& table) {
  Markup head;
  std::vector<Markup> lines(table.columns.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!is_shown(table, c)) continue;
    const Column& column = table.columns[c];
    if (names_rows(table, c)) {
      head += head_of(column.head, has_texts(table, c));
      for (const Cells& row : table.rows) head += head_of(text_of(column, row[c]), false);
    } else {
      lines[c] = element("th", {{"scope", "row"}}, text(column.head));
      for (const Cells& row : table.rows) {
        lines[c] += html_of(column, row[c], false, "");
      }
    }
  }
  return rows_of(head, lines);
}

Markup body_of(const DataTable& table) {
  if (table.is_upright) return upright_body_of(table);
  Markup head;
  const bool are_cards = has_cards(table);
  std::vector<Markup> lines(table.rows.size());
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    if (!is_shown(table, c)) continue;
    const Column& column = table.columns[c];
    head += head_of(column.head, has_texts(table, c));
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      lines[r] +=
          html_of(column, table.rows[r][c], names_rows(table, c), are_cards ? column.head : "");
    }
  }
  return rows_of(head, lines);
}

Markup html_of(const DataTable& table, const std::string& section) {
  if (table.rows.empty()) return {};
  bool has_columns = false;
  for (const Column& column : table.columns) has_columns |= !column.head.empty();
  if (!has_columns) return {};
  // A wide table scrolls on its own.
  const auto framed = [&](const Markup& content) {
    const char* const style = table.is_upright ? "upright" : has_cards(table) ? "cards" : "";
    const Markup inside =
        *style != '\0' ? element("table", {{"class", style}}, content) : element("table", content);
    const std::string& label = table.caption.empty() ? section : table.caption;
    return scrolling("div", label.empty() ? "table" : label, inside);
  };
  if (has_heat(table)) {
    return element("figure", {{"class", "matrix"}},
                   element("figcaption", table.caption) + framed(body_of(table)));
  }
  const Markup caption = table.caption.empty() ? Markup() : element("caption", table.caption);
  const Markup out = framed(caption + body_of(table));
  return table.folded.empty() ? out : folded(table.folded, out);
}

Markup legend_of(const Chart& chart) {
  Markup keys;
  for (const ChartKey& key : chart.keys) {
    keys += element("span", {{"class", "key key-" + key.style}}, text(key.words)) + text(" ");
  }
  return keys.empty() ? keys : element("p", {{"class", "legend"}}, keys);
}

Markup html_of(const Figure& figure, const std::string& /*section*/) {
  if (figure.chart.marks.empty() && figure.numbers.rows.empty() && figure.note.empty()) return {};
  return element(
      "figure",
      element("figcaption", figure.chart.title) +
          (figure.chart.marks.empty() ? Markup() : svg_of(figure.chart)) + legend_of(figure.chart) +
          (figure.note.empty() ? Markup() : html_of(Text{figure.note, Text::Kind::note}, "")) +
          html_of(figure.numbers, figure.chart.title));
}

Markup html_of(const Games& games, const std::string& /*section*/) {
  Markup host = element("div", {{"class", "viewer"}}, Markup());
  if (games.json.empty()) return host;
  return element("noscript", element("p",
                                     "The board on which games are stepped through needs the "
                                     "page's script, which this reader does not run.")) +
         host + raw_script("game-data", games.json) + raw_script("", games_script());
}

/// Items are one list, pictures one grid.
std::string_view group_of(const Block& block) {
  const auto* const words = std::get_if<Text>(&block);
  if (words != nullptr && words->kind == Text::Kind::item) return "ul";
  return std::holds_alternative<Figure>(block) ? "div" : "";
}

Markup blocks_of(const std::vector<Block>& blocks, const std::string& section) {
  Markup out;
  for (std::size_t i = 0; i < blocks.size();) {
    const std::string_view group = group_of(blocks[i]);
    Markup inside;
    do {
      inside += std::visit([&](const auto& of) { return html_of(of, section); }, blocks[i]);
      ++i;
    } while (i < blocks.size() && !group.empty() && group_of(blocks[i]) == group);
    if (group.empty() || inside.empty()) {
      out += inside;
    } else if (group == "ul") {
      out += element("ul", {{"class", "conclusions"}}, inside);
    } else {
      out += element("div", {{"class", "plots"}}, inside);
    }
  }
  return out;
}

Markup html_of(const Section& section, const std::string& heading) {
  Markup content = blocks_of(section.blocks, section.title);
  for (const Section& inner : section.sections) content += html_of(inner, "h3");
  if (section.title.empty()) return content;
  if (!section.is_folded) return element(heading, section.title) + content;
  return element("details", {{"class", "game"}}, element("summary", section.title) + content);
}

}  // namespace

std::string heat_classes(double score) {
  const double lead = score - 0.5;
  const char* const side = lead > 0 ? "ahead" : lead < 0 ? "behind" : "level";
  return side + format(" lead-%.0f", 5 * std::round(20 * std::abs(lead)));
}

Markup html_of(const Section& section) { return html_of(section, "h2"); }

std::string html_page(const Document& document) {
  const Markup head =
      element("meta", {{"charset", "utf-8"}}) +
      element("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}}) +
      element("title", document.title) + raw_style(results_style());
  Markup body = element("h1", document.title);
  for (const Section& section : document.sections) {
    const Markup content = html_of(section);
    body += section.title.empty() || content.empty()
                ? content
                : element("section", {{"aria-label", section.title}}, content);
  }
  return "<!DOCTYPE html>\n" +
         element("html", {{"lang", "en"}},
                 element("head", head) + element("body", element("main", body)))
             .str() +
         "\n";
}

}  // namespace pitboss::clients
