#include "server/session/graphics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iomanip>
#include <sstream>
#include <unordered_map>

#include "games/grid.hpp"
#include "games/records/move_steps.hpp"
#include "server/session/board_words.hpp"
#include "server/session/gogui_pieces.hpp"

namespace pitboss::server {

namespace {

std::string percent(double share) { return decimal_text(100 * share, 1) + " %"; }

/// The figures of the move to play; nothing if it has not been tried.
const engine::MoveReport* best_of(const engine::Report& report) {
  const auto found = std::ranges::find(report.moves, report.move, &engine::MoveReport::move);
  return found == report.moves.end() || found->visits == 0 ? nullptr : &*found;
}

std::string variation(const games::AnyGame& position, std::span<const std::string> moves,
                      protocol::Dialect dialect) {
  std::string text;
  for (const std::string& move : moves) {
    text += (text.empty() ? "" : " ") + spoken(dialect, position.shape(), move);
  }
  return text;
}

/// A colour from that of GoGui's board to green. The square root makes small shares visible.
std::string shade(double share) {
  constexpr std::array<int, 3> wood{0xd8, 0xb0, 0x70};
  constexpr std::array<int, 3> green{0x00, 0xa0, 0x30};
  std::ostringstream text;
  text << '#' << std::hex << std::setfill('0');
  for (std::size_t i = 0; i < wood.size(); ++i) {
    const int value = wood.at(i) + static_cast<int>(std::sqrt(share) * (green.at(i) - wood.at(i)));
    text << std::setw(2) << value;
  }
  return text.str();
}

bool is_on_board(const std::string& point) { return !games::points_of(point).empty(); }

/// A point that a picture shows, and its share of all visits.
struct Shown {
  const PointReport* report;
  double share;
};

/// The points worth a look, most visited first.
std::vector<Shown> worth_showing(const std::vector<PointReport>& points) {
  constexpr std::size_t most = 8;
  constexpr double least_of_best = 0.02;  // of the visits of the most visited point
  std::int64_t visits = 0;
  for (const PointReport& p : points) visits += p.visits;
  std::vector<Shown> shown;
  for (const PointReport& p : points) {
    const auto own = static_cast<double>(p.visits);
    if (shown.size() == most || own < least_of_best * double(points.front().visits)) break;
    // A pass has no place on the board.
    if (is_on_board(p.point)) shown.push_back({&p, own / static_cast<double>(visits)});
  }
  return shown;
}

/// The points of the square around the board that are not on the board.
std::vector<std::string> missing_points(const games::AnyGame& game) {
  const auto points = contents(game);
  std::vector<std::string> missing;
  for (int y = 0; y < game.shape().side(); ++y) {
    for (int x = 0; x < game.shape().side(); ++x) {
      const std::string point = games::point_text(x, y);
      if (!points.contains(point)) missing.push_back(point);
    }
  }
  return missing;
}

bool begins_with(std::span<const std::string> steps, std::span<const std::string> chosen) {
  return steps.size() > chosen.size() && std::ranges::equal(chosen, steps.first(chosen.size()));
}

/// The remaining points of the move to play, if the move begins with those chosen.
std::vector<std::string> points_to_play(const games::AnyGame& position,
                                        const engine::Report& report,
                                        std::span<const std::string> chosen) {
  if (chosen.empty()) return games::points_of(report.move);
  const auto steps = games::steps_of(position, report.move);
  if (!begins_with(steps, chosen)) return {};
  return {steps.begin() + static_cast<std::ptrdiff_t>(chosen.size()), steps.end()};
}

std::string whole_percent(double share) { return decimal_text(100 * share, 0); }

std::string figures(const games::AnyGame& position, const engine::Report& report,
                    protocol::Dialect dialect) {
  std::string text = "TEXT " + std::to_string(report.simulations) + " simulations";
  if (const auto* best = best_of(report)) {
    std::int64_t visits = 0;
    for (const engine::MoveReport& move : report.moves) visits += move.visits;
    text += ", " + spoken(dialect, position.shape(), best->move) + " " + percent(best->value) +
            " (" + whole_percent(double(best->visits) / double(visits)) + " % of visits)";
  }
  const bool goes_on = !report.pv.empty() && report.pv.front() == report.move;
  const std::string line =
      variation(position, std::span(report.pv).subspan(goes_on ? 1 : 0), dialect);
  if (!line.empty()) text += (goes_on ? ", then " : ", ") + line;
  return text;
}

/// HexGui reads a block only if it begins with one of a few words, each with its own form. The form
/// used here needs a variation and shows two moves of it.
std::string live_graphics_for_hexgui(const games::AnyGame& position, const engine::Report& report) {
  const games::BoardShape shape = position.shape();
  if (report.pv.empty() || !is_on_board(report.pv.front())) return {};
  std::string text = "uct VAR";
  const auto game = position.clone();
  for (std::size_t i = 0; i < std::min<std::size_t>(2, report.pv.size()); ++i) {
    if (games::points_of(report.pv[i]).size() != 1) break;
    text += games::index(game->to_move()) % 2 == 0 ? " B " : " W ";
    text += spoken(protocol::Dialect::hexgui, shape, report.pv[i]);
    game->play(report.pv[i]);
  }
  std::string values;
  std::string shares;
  const auto points = by_point(position, report);
  for (const Shown& s : worth_showing(points)) {
    const std::string point = " " + spoken(protocol::Dialect::hexgui, shape, s.report->point) + " ";
    values += point + whole_percent(s.report->value);
    shares += point + whole_percent(s.share);
  }
  return text + "\nINFLUENCE" + values + "\nLABEL" + shares + "\n" +
         figures(position, report, protocol::Dialect::hexgui);
}

std::unordered_map<std::string, std::vector<std::string>> steps_of(const games::AnyGame& position) {
  std::unordered_map<std::string, std::vector<std::string>> steps_by_move;
  for (games::SteppedMove& m : position.stepped_moves()) {
    steps_by_move.emplace(std::move(m.move), std::move(m.steps));
  }
  return steps_by_move;
}

}  // namespace

std::string decimal_text(double number, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << number;
  return text.str();
}

std::vector<PointPrior> priors_by_point(const games::AnyGame& position,
                                        const engine::Report& report,
                                        std::span<const std::string> chosen) {
  const auto steps_by_move = steps_of(position);
  std::vector<PointPrior> points;
  for (const engine::MoveReport& move : report.moves) {
    const auto found = steps_by_move.find(move.move);
    if (!move.prior || found == steps_by_move.end()) continue;
    if (!begins_with(found->second, chosen)) continue;
    const std::string& next = found->second[chosen.size()];
    auto point = std::ranges::find(points, next, &PointPrior::point);
    if (point == points.end()) point = points.insert(points.end(), {next, 0});
    point->prior += *move.prior;
  }
  return points;
}

std::vector<PointReport> by_point(const games::AnyGame& position, const engine::Report& report,
                                  std::span<const std::string> chosen) {
  const auto steps_by_move = steps_of(position);
  std::vector<PointReport> points;
  for (const engine::MoveReport& move : report.moves) {
    const auto found = steps_by_move.find(move.move);
    if (move.visits == 0 || found == steps_by_move.end()) continue;
    const auto& steps = found->second;
    if (!begins_with(steps, chosen)) continue;
    const std::string& next = steps[chosen.size()];
    auto point = std::ranges::find(points, next, &PointReport::point);
    if (point == points.end()) point = points.insert(points.end(), {next, 0, 0, 0});
    const auto weight = static_cast<double>(move.visits);
    point->visits += move.visits;
    point->value += weight * std::clamp(move.value, 0.0, 1.0);  // bonuses can exceed it
    point->novelty += weight * move.novelty;
  }
  for (PointReport& point : points) {
    point.value /= static_cast<double>(point.visits);
    point.novelty /= static_cast<double>(point.visits);
  }
  std::ranges::stable_sort(points, std::greater{}, &PointReport::visits);
  return points;
}

std::string search_graphics(const games::AnyGame& position, const engine::Report& report,
                            std::span<const std::string> chosen, protocol::Dialect dialect) {
  const auto write = [&](const std::string& point) {
    return " " + spoken(dialect, position.shape(), point);
  };
  const auto points = by_point(position, report, chosen);
  std::string text;
  if (dialect == protocol::Dialect::hexgui) {
    for (const PointReport& p : points) {
      if (!is_on_board(p.point)) continue;
      const double of_most = double(p.visits) / static_cast<double>(points.front().visits);
      text += (text.empty() ? "INFLUENCE" : "") + write(p.point) + " " + decimal_text(of_most, 3);
    }
    return text + (text.empty() ? "" : "\n") + figures(position, report, dialect);
  }
  std::string labels;
  const auto shown = worth_showing(points);
  for (const Shown& s : shown) {
    const std::string point = write(s.report->point);
    text += "COLOR " + shade(s.share) + point + "\n";
    labels += point + " " + whole_percent(s.report->value);  // GoGui has room for three letters
  }
  if (!labels.empty()) text += "LABEL" + labels + "\n";
  std::string circles;
  for (const std::string& point : points_to_play(position, report, chosen)) {
    const bool has_label =
        std::ranges::any_of(shown, [&](const Shown& s) { return s.report->point == point; });
    if (!has_label) circles += write(point);
  }
  if (!circles.empty()) text += "CIRCLE" + circles + "\n";
  return text + figures(position, report, dialect);
}

std::string board_graphics(const games::AnyGame& game, std::span<const std::string> chosen,
                           std::span<const std::string> next, protocol::Dialect dialect) {
  const games::BoardShape shape = game.shape();
  std::string text;
  const auto add = [&text](const std::string& line) {
    if (!line.empty()) text += (text.empty() ? "" : "\n") + line;
  };
  const auto mark = [&](const std::string& verb, std::span<const std::string> points) {
    std::string line;
    for (const std::string& point : points) {
      if (is_on_board(point)) line += " " + gogui_point(spoken(dialect, shape, point));
    }
    if (!line.empty()) add(verb + line);
  };
  if (shape.lattice == games::Lattice::square) mark("COLOR #7f7f7f", missing_points(game));
  add(edge_graphics(game));
  add(piece_graphics(game));
  mark("SQUARE", chosen);
  mark("CIRCLE", next);
  return text;
}

std::string live_graphics(const games::AnyGame& position, const engine::Report& report,
                          std::span<const std::string> chosen, protocol::Dialect dialect) {
  if (dialect == protocol::Dialect::hexgui) return live_graphics_for_hexgui(position, report);
  const std::string board = board_graphics(position, chosen, {}, dialect);
  return board + (board.empty() ? "" : "\n") + search_graphics(position, report, chosen, dialect);
}

std::string variation_graphics(const games::AnyGame& position, const engine::Report& report,
                               protocol::Dialect dialect) {
  std::string text = "VAR";
  const auto game = position.clone();
  for (const std::string& move : report.pv) {
    for (const std::string& point : games::points_of(move)) {
      text += " " + gogui_side_to_move(*game).substr(0, 1) + " " +
              spoken(dialect, position.shape(), point);
    }
    game->play(move);
  }
  return text + "\nTEXT " + variation(position, report.pv, dialect);
}

std::string search_statistics(const games::AnyGame& position, const engine::Report& report,
                              protocol::Dialect dialect) {
  const auto write = [&](const std::string& move) {
    return spoken(dialect, position.shape(), move);
  };
  std::ostringstream text;
  text << "Move: " << write(report.move);
  if (const auto* best = best_of(report)) {
    text << "\nValue: " << percent(best->value) << " for " << position.name_of(position.to_move());
  }
  text << "\nVariation: " << variation(position, report.pv, dialect)
       << "\nSimulations: " << report.simulations << ", and " << report.reused << " kept"
       << "\nSeconds: " << decimal_text(report.seconds, 3);
  if (report.seconds > 0) {
    text << " (" << decimal_text(static_cast<double>(report.simulations) / report.seconds, 0)
         << " simulations a second)";
  }
  text << "\nTree: " << report.nodes << " nodes, " << report.bytes << " bytes, depth "
       << report.max_depth << (report.tree_full ? ", full" : "") << "\nSeed: " << report.seed
       << "\nMoves:";
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < std::min(shown, report.moves.size()); ++i) {
    const engine::MoveReport& move = report.moves[i];
    if (move.visits == 0) break;
    text << "\n  " << write(move.move) << "  " << move.visits << " visits, value "
         << percent(move.value) << ", novelty " << decimal_text(move.novelty, 4);
  }
  return text.str();
}

}  // namespace pitboss::server
