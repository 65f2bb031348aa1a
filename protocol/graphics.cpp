#include "protocol/graphics.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <iomanip>
#include <sstream>
#include <unordered_map>

#include "games/grid.hpp"
#include "games/records/move_steps.hpp"
#include "protocol/board_words.hpp"
#include "protocol/gogui_pieces.hpp"

namespace pitboss::protocol {

namespace {

std::string fixed(double x, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << x;
  return text.str();
}

std::string percent(double share) { return fixed(100 * share, 1) + " %"; }

/// The figures of the move to play; nothing if it has not been tried.
const engine::MoveReport* best_of(const engine::Report& report) {
  const auto found = std::ranges::find(report.moves, report.move, &engine::MoveReport::move);
  return found == report.moves.end() || found->visits == 0 ? nullptr : &*found;
}

std::string variation(const games::AnyGame& position, const engine::Report& report,
                      Dialect dialect) {
  std::string text;
  for (const std::string& move : report.pv) {
    text += (text.empty() ? "" : " ") + spoken(dialect, position.shape(), move);
  }
  return text;
}

/// From the colour of GoGui's board to green.
std::string shade(double share) {
  constexpr std::array<int, 3> wood{0xd8, 0xb0, 0x70};
  constexpr std::array<int, 3> green{0x00, 0xa0, 0x30};
  std::ostringstream text;
  text << '#' << std::hex << std::setfill('0');
  for (std::size_t i = 0; i < wood.size(); ++i) {
    const int value = wood.at(i) + static_cast<int>(share * (green.at(i) - wood.at(i)));
    text << std::setw(2) << value;
  }
  return text.str();
}

/// A move that is not so much as this part of the most visited one gets no label.
constexpr double least_share = 0.01;

double share_of(const PointReport& point, const std::vector<PointReport>& points) {
  return static_cast<double>(point.visits) / static_cast<double>(points.front().visits);
}

bool is_on_board(const std::string& point) { return !games::points_of(point).empty(); }

std::string figures(const games::AnyGame& position, const engine::Report& report, Dialect dialect) {
  std::string text = "TEXT " + std::to_string(report.simulations) + " simulations";
  if (const auto* best = best_of(report)) text += ", " + percent(best->value);
  return text + ", " + variation(position, report, dialect);
}

/// HexGui reads a block only if it begins with one of a few words, each of which has its own form.
/// This one needs a variation, and shows two moves of it.
std::string live_graphics_for_hexgui(const games::AnyGame& position, const engine::Report& report) {
  const games::BoardShape shape = position.shape();
  if (report.pv.empty() || !is_on_board(report.pv.front())) return {};
  std::string text = "uct VAR";
  const auto game = position.clone();
  for (std::size_t i = 0; i < std::min<std::size_t>(2, report.pv.size()); ++i) {
    if (games::points_of(report.pv[i]).size() != 1) break;
    text += games::index(game->to_move()) % 2 == 0 ? " B " : " W ";
    text += spoken(Dialect::hexgui, shape, report.pv[i]);
    game->play(report.pv[i]);
  }
  std::string values;
  std::string visits;
  const auto points = by_point(position, report);
  for (const PointReport& p : points) {
    if (!is_on_board(p.point) || share_of(p, points) < least_share) continue;
    const std::string point = " " + spoken(Dialect::hexgui, shape, p.point) + " ";
    values += point + fixed(100 * p.value, 0);
    visits += point + std::to_string(p.visits);
  }
  return text + "\nINFLUENCE" + values + "\nLABEL" + visits + "\n" +
         figures(position, report, Dialect::hexgui);
}

}  // namespace

std::vector<PointReport> by_point(const games::AnyGame& position, const engine::Report& report,
                                  std::span<const std::string> chosen) {
  std::unordered_map<std::string, std::vector<std::string>> steps_by_move;
  for (games::SteppedMove& m : position.stepped_moves()) {
    steps_by_move.emplace(std::move(m.move), std::move(m.steps));
  }
  std::vector<PointReport> points;
  for (const engine::MoveReport& move : report.moves) {
    const auto found = steps_by_move.find(move.move);
    if (move.visits == 0 || found == steps_by_move.end()) continue;
    const auto& steps = found->second;
    if (steps.size() <= chosen.size() ||
        !std::ranges::equal(chosen, std::span(steps).first(chosen.size()))) {
      continue;
    }
    const std::string& next = steps[chosen.size()];
    auto point = std::ranges::find(points, next, &PointReport::point);
    if (point == points.end()) point = points.insert(points.end(), {next, 0, 0, 0});
    const auto weight = static_cast<double>(move.visits);
    point->visits += move.visits;
    point->value += weight * std::clamp(move.value, 0.0, 1.0);  // bonuses can carry it beyond
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
                            std::span<const std::string> chosen, Dialect dialect) {
  const bool for_hexgui = dialect == Dialect::hexgui;
  std::string text;
  std::string labels;
  const auto points = by_point(position, report, chosen);
  if (for_hexgui && !points.empty()) text = "INFLUENCE";
  for (const PointReport& p : points) {
    if (!is_on_board(p.point)) continue;  // a pass has no place on the board
    const double share = share_of(p, points);
    const std::string point = " " + spoken(dialect, position.shape(), p.point);
    if (for_hexgui) {
      text += point + " " + fixed(share, 3);
    } else if (share >= least_share) {
      text += "COLOR " + shade(share) + point + "\n";
      labels += point + " " + fixed(100 * p.value, 0);
    }
  }
  if (for_hexgui && !points.empty()) text += "\n";
  if (!labels.empty()) text += "LABEL" + labels + "\n";
  if (!for_hexgui && is_on_board(report.move)) {
    text += "CIRCLE";
    for (const std::string& point : games::points_of(report.move)) {
      text += " " + spoken(dialect, position.shape(), point);
    }
    text += "\n";
  }
  return text + figures(position, report, dialect);
}

std::string board_graphics(const games::AnyGame& game, std::span<const std::string> chosen,
                           Dialect dialect) {
  const games::BoardShape shape = game.shape();
  const auto capitals = [](std::string point) {
    for (char& c : point) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return " " + point;
  };
  std::string text;
  if (shape.lattice == games::Lattice::square) {
    const auto points = contents(game);
    std::string missing;
    for (int y = 0; y < shape.side(); ++y) {
      for (int x = 0; x < shape.side(); ++x) {
        const std::string point = games::point_text(x, y);
        if (!points.contains(point)) missing += capitals(point);
      }
    }
    if (!missing.empty()) text += "COLOR #7f7f7f" + missing;
  }
  if (const std::string pieces = piece_graphics(game); !pieces.empty()) {
    text += (text.empty() ? "" : "\n") + pieces;
  }
  if (!chosen.empty()) {
    text += text.empty() ? "SQUARE" : "\nSQUARE";
    for (const std::string& point : chosen) text += capitals(spoken(dialect, shape, point));
  }
  return text;
}

std::string live_graphics(const games::AnyGame& position, const engine::Report& report,
                          std::span<const std::string> chosen, Dialect dialect) {
  if (dialect == Dialect::hexgui) return live_graphics_for_hexgui(position, report);
  const std::string board = board_graphics(position, chosen, dialect);
  return board + (board.empty() ? "" : "\n") + search_graphics(position, report, chosen, dialect);
}

std::string variation_graphics(const games::AnyGame& position, const engine::Report& report,
                               Dialect dialect) {
  std::string text = "VAR";
  const auto game = position.clone();
  for (const std::string& move : report.pv) {
    for (const std::string& point : games::points_of(move)) {
      text += " " + gogui_side_to_move(*game).substr(0, 1) + " " +
              spoken(dialect, position.shape(), point);
    }
    game->play(move);
  }
  return text + "\nTEXT " + variation(position, report, dialect);
}

std::string search_statistics(const games::AnyGame& position, const engine::Report& report,
                              Dialect dialect) {
  const auto write = [&](const std::string& move) {
    return spoken(dialect, position.shape(), move);
  };
  std::ostringstream text;
  text << "Move: " << write(report.move);
  if (const auto* best = best_of(report)) {
    text << "\nValue: " << percent(best->value) << " for " << position.name_of(position.to_move());
  }
  text << "\nVariation: " << variation(position, report, dialect)
       << "\nSimulations: " << report.simulations << ", and " << report.reused << " kept"
       << "\nSeconds: " << fixed(report.seconds, 3);
  if (report.seconds > 0) {
    text << " (" << fixed(static_cast<double>(report.simulations) / report.seconds, 0)
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
         << percent(move.value) << ", novelty " << fixed(move.novelty, 4);
  }
  return text.str();
}

}  // namespace pitboss::protocol
