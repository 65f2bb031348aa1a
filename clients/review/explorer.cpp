#include "clients/review/explorer.hpp"

#include <algorithm>
#include <tuple>

#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace {

void count(ExploredMove& move, const std::vector<double>& shares, std::size_t mover) {
  ++move.games;
  if (shares.empty()) return;
  const double share = shares[mover];
  move.points += share;
  ++(share >= 1 ? move.won : share <= 0 ? move.lost : move.drawn);
}

}  // namespace

std::vector<double> shares_of(const GameOnFile& game) {
  const auto last = games::last_position(game.record);
  if (last->result().finished()) return shares_in(*last);
  if (last->players() != 2) return {};
  if (game.result == "B" || game.result.starts_with("B+")) return {1, 0};
  if (game.result == "W" || game.result.starts_with("W+")) return {0, 1};
  if (game.result == "0" || game.result == "Draw") return {0.5, 0.5};
  return {};
}

Explored explored(std::span<const GameOnFile> games, const GamePosition& from) {
  Explored out;
  for (const GameOnFile& game : games) {
    if (rules_text(*game.record.start) != from.rules) continue;
    const auto position = game.record.start->clone();
    std::size_t ply = 0;
    while (position->position() != from.position && ply < game.record.moves.size()) {
      position->play(game.record.moves[ply++]);
    }
    if (position->position() != from.position) continue;
    ++out.games;
    if (ply == game.record.moves.size()) continue;
    const auto mover = static_cast<std::size_t>(games::index(position->to_move()));
    const std::string& move = game.record.moves[ply];
    auto known = std::ranges::find(out.moves, move, &ExploredMove::move);
    if (known == out.moves.end()) known = out.moves.insert(known, ExploredMove{.move = move});
    count(*known, shares_of(game), mover);
  }
  std::ranges::sort(out.moves, {}, [](const ExploredMove& of) {
    return std::tuple<int, const std::string&>(-of.games, of.move);
  });
  return out;
}

}  // namespace pitboss::clients
