#include "protocol/graphics.hpp"

#include <algorithm>

namespace pitboss::protocol {

namespace {

/// Whether the text is a point: one letter and a number.
bool is_point(const std::string& move) {
  return move.size() > 1 && move.find_first_not_of("0123456789", 1) == std::string::npos;
}

}  // namespace

std::string search_graphics(const games::AnyGame& game, const engine::Report& report) {
  std::string variation;
  games::Colour colour = game.to_move();
  for (const std::string& move : report.pv) {
    if (!is_point(move)) break;
    variation += " " + std::string(games::colour_letter(colour)) + " " + move;
    colour = games::opponent(colour);
  }
  std::string influence;
  for (const engine::MoveReport& move : report.moves) {
    if (move.visits == 0 || !is_point(move.move)) continue;
    const double share = static_cast<double>(move.visits) /
                         static_cast<double>(std::max<std::int64_t>(report.simulations, 1));
    influence += " " + move.move + " " + std::to_string(std::min(share, 1.0));
  }
  std::string text;
  if (!variation.empty()) text += "VAR" + variation + "\n";
  if (!influence.empty()) text += "INFLUENCE" + influence + "\n";
  return text + "TEXT " + std::to_string(report.simulations) + " simulations, " + report.move;
}

}  // namespace pitboss::protocol
