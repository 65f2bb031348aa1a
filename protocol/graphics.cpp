#include "protocol/graphics.hpp"

#include <algorithm>
#include <iomanip>
#include <sstream>
#include <unordered_map>

#include "protocol/move_steps.hpp"

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
    point->value += weight * move.value;
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
  const double sign = for_hexgui || position.to_move() == games::Colour::black ? 1 : -1;
  std::string influence;
  std::string labels;
  const auto points = by_point(position, report, chosen);
  for (const PointReport& p : points) {
    if (games::points_of(p.point).empty()) continue;  // a pass has no place on the board
    const double share = static_cast<double>(p.visits) / static_cast<double>(points.front().visits);
    const std::string point = " " + spoken(dialect, position.shape(), p.point);
    influence += point + " " + fixed(sign * share, 3);
    if (share >= 0.01) labels += point + " " + fixed(100 * p.value, 0);
  }
  std::string circles;
  for (const std::string& point : games::points_of(report.move)) {
    circles += " " + spoken(dialect, position.shape(), point);
  }
  std::string text;
  if (!influence.empty()) text += "INFLUENCE" + influence + "\n";
  if (!labels.empty() && !for_hexgui) text += "LABEL" + labels + "\n";
  if (!circles.empty() && !for_hexgui) text += "CIRCLE" + circles + "\n";
  text += "TEXT " + std::to_string(report.simulations) + " simulations";
  if (const auto* best = best_of(report)) text += ", " + percent(best->value);
  return text + ", " + variation(position, report, dialect);
}

std::string variation_graphics(const games::AnyGame& position, const engine::Report& report,
                               Dialect dialect) {
  std::string text = "VAR";
  const auto game = position.clone();
  for (const std::string& move : report.pv) {
    for (const std::string& point : games::points_of(move)) {
      text += " " + std::string(games::colour_letter(game->to_move())) + " " +
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
    text << "\nValue: " << percent(best->value) << " for "
         << games::colour_name(position.to_move());
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
