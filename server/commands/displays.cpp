#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/board_words.hpp"
#include "server/session/graphics.hpp"

/// The commands that GoGui's and HexGui's analyze menus offer.
namespace pitboss::server {

namespace {

/// The last search, or the running one, with the position in which it began.
struct Seen {
  const games::AnyGame& position;
  engine::Report report;
  /// The points chosen of the next move, if that position is still on the board.
  std::vector<std::string> chosen;
};

Seen last_search_of(const Seat& seat) {
  auto report = of_last_search(seat.table->search().last());
  const games::AnyGame* position = seat.table->search().last_position();
  const bool still = position->position() == seat.table->game().position();
  return {*position, std::move(report),
          still ? seat.table->history().steps().chosen() : std::vector<std::string>{}};
}

Outcome search_picture(Seat& seat, const protocol::Arguments&) {
  const Seen seen = last_search_of(seat);
  return search_graphics(seen.position, seen.report, seen.chosen, seat.dialect);
}

Outcome variation_picture(Seat& seat, const protocol::Arguments&) {
  const Seen seen = last_search_of(seat);
  return variation_graphics(seen.position, seen.report, seat.dialect);
}

Outcome statistics(Seat& seat, const protocol::Arguments&) {
  const Seen seen = last_search_of(seat);
  return search_statistics(seen.position, seen.report, seat.dialect);
}

/// A board with `word(point, all points)` on each point that the search knows.
template <class Word>
Outcome board(const Seat& seat, const std::string& empty, Word&& word) {
  const Seen seen = last_search_of(seat);
  const auto points = by_point(seen.position, seen.report, seen.chosen);
  BoardWords words(seen.position.shape(), seat.dialect, empty);
  for (const PointReport& p : points) words.set(p.point, word(p, points));
  return words.text();
}

Outcome visits(Seat& seat, const protocol::Arguments&) {
  return board(seat, "\"\"", [](const auto& p, const auto&) { return std::to_string(p.visits); });
}
Outcome values(Seat& seat, const protocol::Arguments&) {
  return board(seat, "\"\"",
               [](const auto& p, const auto&) { return decimal_text(100 * p.value, 1); });
}
Outcome novelty(Seat& seat, const protocol::Arguments&) {
  return board(seat, "\"\"", [](const auto& p, const auto&) { return decimal_text(p.novelty, 3); });
}

Outcome visits_map(Seat& seat, const protocol::Arguments&) {
  return board(seat, "0", [](const auto& p, const auto& points) {
    return decimal_text(static_cast<double>(p.visits) / static_cast<double>(points.front().visits),
                        3);
  });
}
/// GoGui paints a positive number black and a negative one white.
Outcome values_map(Seat& seat, const protocol::Arguments&) {
  const double sign = gogui_side_to_move(last_search_of(seat).position) == "white" ? -1 : 1;
  return board(seat, "0", [&](const auto& p, const auto&) {
    return decimal_text(sign * (2 * p.value - 1), 3);
  });
}
Outcome novelty_map(Seat& seat, const protocol::Arguments&) {
  return board(seat, "0", [](const auto& p, const auto& points) {
    const double most = std::ranges::max(points, {}, &PointReport::novelty).novelty;
    return decimal_text(most > 0 ? p.novelty / most : 0, 3);
  });
}

/// "puct": the selection rules by priors.
std::string rules_by_priors() {
  std::string out;
  for (const engine::SelectionRow& rule : engine::selection_rows()) {
    if (rule.has_priors) out.append(out.empty() ? "" : " or ").append(rule.name);
  }
  return out;
}

/// A board with `word(prior, largest prior)` on each point that may be next in a move.
template <class Word>
Outcome priors_board(const Seat& seat, const std::string& empty, Word&& word) {
  const Seen seen = last_search_of(seat);
  const auto points = priors_by_point(seen.position, seen.report, seen.chosen);
  if (points.empty()) {
    throw protocol::CommandError(
        protocol::FailureCode::unsupported,
        "the search had no priors: set selection to " + rules_by_priors() + ", or use a network");
  }
  const double largest = std::ranges::max(points, {}, &PointPrior::prior).prior;
  BoardWords words(seen.position.shape(), seat.dialect, empty);
  for (const PointPrior& p : points) words.set(p.point, word(p.prior, largest));
  return words.text();
}

Outcome priors(Seat& seat, const protocol::Arguments&) {
  return priors_board(seat, "\"\"",
                      [](double prior, double) { return decimal_text(100 * prior, 1); });
}
Outcome priors_map(Seat& seat, const protocol::Arguments&) {
  return priors_board(seat, "0", [](double prior, double largest) {
    return decimal_text(largest > 0 ? prior / largest : 0, 3);
  });
}

/// One line "[type] name value" of GoGui's parameter dialog.
std::string parameter_line(const engine::OptionRow& row, const engine::Options& options) {
  const std::string value = engine::get_option(options, row);
  const std::string name(row.name);
  if (std::holds_alternative<bool engine::Options::*>(row.field)) {
    return "[bool] " + name + (value == "true" ? " 1" : " 0");
  }
  if (row.choices.empty() || row.is_text()) return "[string] " + name + " " + value;
  return "[list/" + joined(row.choices, "/") + "] " + name + " " + value;
}

Outcome parameters(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(0, 2, "[NAME VALUE]");
  if (arguments.size() > 0) {
    arguments.expect(2, 2, "NAME VALUE");
    seat.table->set_options({{arguments.word(0), arguments.word(1)}});
    return {};
  }
  // The preset, which sets other options, comes first, so that sending the list back restores all.
  std::vector<std::string> rows;
  for (const engine::OptionRow& row : engine::option_rows()) {
    const auto place = row.name == "preset" ? rows.begin() : rows.end();
    rows.insert(place, parameter_line(row, seat.table->options()));
  }
  return lines(rows);
}

/// GoGui's lines TYPE/LABEL/COMMAND.
Outcome analyze_commands(Seat&, const protocol::Arguments&) {
  return {
      "gfx/Search/pitboss-search\n"
      "gfx/Principal Variation/pitboss-pv\n"
      "sboard/Visits/pitboss-visits\n"
      "dboard/Visits Map/pitboss-visits_map\n"
      "sboard/Values/pitboss-values\n"
      "dboard/Values Map/pitboss-values_map\n"
      "sboard/Novelty/pitboss-novelty\n"
      "dboard/Novelty Map/pitboss-novelty_map\n"
      "sboard/Priors/pitboss-priors\n"
      "dboard/Priors Map/pitboss-priors_map\n"
      "hpstring/Search Statistics/pitboss-statistics\n"
      "param/Parameters/pitboss-param\n"
      "string/Static Value/static_value\n"
      "plist/Legal Points/gogui-rules_legal_moves\n"
      "string/Legal Moves/legal_moves\n"
      "string/Moves/moves\n"
      "string/Position/get_position\n"
      "hstring/Show Board/showboard\n"
      "string/Perft/perft %s"};
}

constexpr std::array<Command, 14> display_rows{{
    {"gogui-analyze_commands", "", "what GoGui's menu offers: type/label/command", false,
     analyze_commands, protocol::Right::watch, Needs::nothing},
    {"hexgui-analyze_commands", "", "the same for HexGui", false, analyze_commands,
     protocol::Right::watch, Needs::nothing},
    {"pitboss-search", "", "the last search on the board, as GoGui's graphics commands", false,
     search_picture, protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-pv", "", "its principal variation, as GoGui's graphics commands", false,
     variation_picture, protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-visits", "", "a board of its visits", false, visits, protocol::Right::watch,
     Needs::table, Handled::elsewhere},
    {"pitboss-visits_map", "", "the same relative to the most visited point", false, visits_map,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-values", "", "a board of its values in percent, for the side to move", false, values,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-values_map", "", "the same from -1 (white wins) to 1 (black wins)", false, values_map,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-novelty", "", "a board of its novelties", false, novelty, protocol::Right::watch,
     Needs::table, Handled::elsewhere},
    {"pitboss-novelty_map", "", "the same relative to the largest", false, novelty_map,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-priors", "", "a board of its priors in percent", false, priors,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-priors_map", "", "the same relative to the largest", false, priors_map,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"pitboss-statistics", "", "its figures, for people", false, statistics, protocol::Right::watch,
     Needs::table, Handled::elsewhere},
    {"pitboss-param", "[NAME VALUE]", "sets an option; alone: all of them for GoGui's dialog",
     false, parameters, protocol::Right::play, Needs::options},
}};

}  // namespace

std::span<const Command> display_commands() { return display_rows; }

}  // namespace pitboss::server
