#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/experiments/statistics/tally.hpp"
#include "clients/results/document/chart.hpp"
#include "clients/results/document/markup.hpp"

/// A report is a document: a title, and sections of blocks of a few kinds. It is made of plain
/// values, by one function for each kind of run (a match or tournament, a tuning, a training), and
/// written by one writer for each form (writers.hpp): terminal, Markdown, HTML, JSON, CSV. So a
/// further table or section is one function, which all forms show.
///
/// A table serves people and programs: a column has a head for the ones, a key for the others, or
/// both, and a cell has the value itself, which a form makes a text of. What is served live is the
/// same document, made anew when the run has changed; the page replaces the sections that differ.
namespace pitboss::clients {

struct Text {
  enum class Kind : std::uint8_t { plain, note, alarm, verdict, item, code };
  std::string words;
  Kind kind = Kind::plain;
  /// Words that lead to another place, behind the others.
  std::string link_words = {};
  std::string link = {};
  friend bool operator==(const Text&, const Text&) = default;
};

/// Nothing, or a picture in SVG for the forms that show pictures. A number that is not finite is
/// one that is not defined.
using Value = std::variant<std::monostate, bool, std::int64_t, double, std::string, Markup>;

struct Cell {
  Value value = {};
  /// An interval of the value.
  std::optional<double> low = {};
  std::optional<double> high = {};
  std::int64_t count = 0;  ///< games behind a score
  std::string words = {};  ///< what people read instead of the value, if not empty
  std::string link = {};   ///< where it leads; empty: nowhere
  bool is_alarm = false;
  bool is_strong = false;

  Cell() = default;
  // NOLINTBEGIN(google-explicit-constructor): a row is a list of values
  Cell(bool of) : value(of) {}
  Cell(std::integral auto of) : value(static_cast<std::int64_t>(of)) {}
  Cell(double of) : value(of) {}
  Cell(std::optional<double> of);
  Cell(std::string of) : value(std::move(of)) {}
  Cell(std::string_view of) : value(std::string(of)) {}
  Cell(const char* of) : value(std::string(of)) {}
  Cell(Markup of) : value(std::move(of)) {}
  Cell(const EloEstimate& of) : Cell(of.elo) { low = of.low, high = of.high; }
  // NOLINTEND(google-explicit-constructor)

  [[nodiscard]] Cell with_words(std::string of) &&;
  [[nodiscard]] Cell leading_to(std::string place) &&;
  [[nodiscard]] Cell alarming(bool is_so) &&;
  friend bool operator==(const Cell&, const Cell&) = default;
};
/// A share of what can be had, with its interval, strong if that leaves out 1/2.
[[nodiscard]] Cell share_cell(double share, const Interval& interval, std::int64_t count);
/// The score of a tally with its interval; nothing without games.
[[nodiscard]] Cell score_cell(const Tally& tally);

enum class Form : std::uint8_t {
  words,    ///< a text, or a whole number
  folded,   ///< a long text, shown when it is asked for
  number,   ///< with digits after the point
  percent,  ///< a share, as its hundredfold
  elo,      ///< a difference of strength
  gauge,    ///< a number between two bounds, which the interval holds
  heat,     ///< a score and its games; the paler the nearer to 1/2
  time      ///< seconds since 1970
};

struct Column {
  std::string key;        ///< programs; empty: not for them
  std::string head = {};  ///< people; empty: not for them, unless it is the first
  Form form = Form::words;
  int digits = 0;
  /// The keys of the interval's ends; empty: it has none for programs.
  std::pair<std::string, std::string> bounds = {};
  bool is_detail = false;  ///< left out where a line is short
  friend bool operator==(const Column&, const Column&) = default;
};
/// With an interval whose keys are "KEY_low" and "KEY_high".
[[nodiscard]] Column estimate_column(const std::string& key, std::string head, Form form,
                                     int digits = 1);

using Cells = std::vector<Cell>;

struct DataTable {
  std::string name = {};  ///< programs; parts of one table have one name; empty: not for them
  std::vector<Column> columns = {};
  std::vector<Cells> rows = {};
  std::string caption = {};
  bool is_upright = false;  ///< people read columns as lines
  bool has_heads = true;    ///< the first column names the rows
  std::string folded = {};  ///< under these words; empty: open

  /// The place of the column with this key; there must be one.
  [[nodiscard]] std::size_t place_of(std::string_view key) const;
  friend bool operator==(const DataTable&, const DataTable&) = default;
};
/// For people alone: a line for each of `rows`, what it is about and its words.
[[nodiscard]] DataTable facts_table(const std::vector<std::pair<std::string, std::string>>& rows);
/// A table for programs alone.
[[nodiscard]] DataTable hidden(DataTable table);
/// Of its columns those with these keys, and of its rows about `most`, evenly spaced, the last one
/// included.
[[nodiscard]] DataTable part_of(const DataTable& table, const std::vector<std::string>& keys,
                                std::size_t most);

/// A column with what it has of each row.
template <class Of>
struct Quantity {
  Column column;
  std::function<Cell(const Of&)> cell;
};
template <class Of, class Rows>
[[nodiscard]] DataTable table_of(std::string name, const std::vector<Quantity<Of>>& quantities,
                                 const Rows& rows) {
  DataTable out{.name = std::move(name)};
  for (const Quantity<Of>& quantity : quantities) out.columns.push_back(quantity.column);
  for (const Of& of : rows) {
    Cells& row = out.rows.emplace_back();
    for (const Quantity<Of>& quantity : quantities) row.push_back(quantity.cell(of));
  }
  return out;
}

/// A picture with its numbers. An empty picture shows the numbers, or the note, alone.
struct Figure {
  Chart chart = {};
  DataTable numbers = {};  ///< may be empty
  std::string note = {};
  friend bool operator==(const Figure&, const Figure&) = default;
};

/// A line for each of `curves` over the column `x`, with a band where the cells have intervals.
/// Rows of which people read no number are left out. `y` is widened as far as needed: of values
/// with intervals, which are wide at first, the first eighth does not set the scale.
struct Curve {
  std::string key;
  std::string style = "first";
  std::string name = {};  ///< in the legend; empty: it is not there
  bool has_dots = false;  ///< at its points; a single point always has one
};
[[nodiscard]] Chart chart_of(std::string title, std::string description, const DataTable& table,
                             std::string_view x, const std::vector<Curve>& curves, Axis y);

/// A board on which games are stepped through.
struct Games {
  std::string json = {};  ///< the games (page/report_games.ts); empty: the page asks for them
  friend bool operator==(const Games&, const Games&) = default;
};

using Block = std::variant<Text, DataTable, Figure, Games>;

struct Section {
  std::string title;  ///< empty: it has no heading
  std::vector<Block> blocks = {};
  std::vector<Section> sections = {};
  bool is_folded = false;
  friend bool operator==(const Section&, const Section&) = default;
};

struct Document {  // NOLINT(bugprone-exception-escape): the moves of JSON throw nothing
  std::string title;
  std::vector<Section> sections = {};
  nlohmann::ordered_json facts = {};  ///< what programs read and is in no table: an object
  friend bool operator==(const Document&, const Document&) = default;
};

}  // namespace pitboss::clients
