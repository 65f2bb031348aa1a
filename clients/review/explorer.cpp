#include "clients/review/explorer.hpp"

#include <algorithm>
#include <set>
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

/// A position of a recorded game.
struct Place {
  std::unique_ptr<games::AnyGame> position;
  std::size_t ply = 0;
};

/// Where the game first comes to the position, if it does.
std::optional<Place> place_in(const GameOnFile& game, const GamePosition& searched) {
  if (rules_text(*game.record.start) != searched.rules) return std::nullopt;
  Place place{game.record.start->clone()};
  while (place.position->position() != searched.position) {
    if (place.ply == game.record.moves.size()) return std::nullopt;
    place.position->play(game.record.moves[place.ply++]);
  }
  return place;
}

/// Counts the game, which has come to the place.
void add(Explored& out, const Place& here, const GameOnFile& game,
         const std::vector<double>& shares) {
  ++out.games;
  if (here.ply == game.record.moves.size()) return;
  const std::string& move = game.record.moves[here.ply];
  auto known = std::ranges::find(out.moves, move, &ExploredMove::move);
  if (known == out.moves.end()) known = out.moves.insert(known, ExploredMove{.move = move});
  count(*known, shares, static_cast<std::size_t>(games::index(here.position->to_move())));
}

void sort(Explored& out) {
  std::ranges::sort(out.moves, {}, [](const ExploredMove& of) {
    return std::tuple<int, const std::string&>(-of.games, of.move);
  });
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
    if (auto here = place_in(game, from)) add(out, *here, game, shares_of(game));
  }
  sort(out);
  return out;
}

std::map<std::string, Explored> explored_from(std::span<const GameOnFile> games,
                                              const GamePosition& from) {
  std::map<std::string, Explored> all;
  for (const GameOnFile& game : games) {
    auto here = place_in(game, from);
    if (!here) continue;
    const std::vector<double> shares = shares_of(game);
    std::set<std::string> seen;
    for (;; here->position->play(game.record.moves[here->ply++])) {
      const std::string text = here->position->position();
      if (seen.insert(text).second) add(all[text], *here, game, shares);
      if (here->ply == game.record.moves.size()) break;
    }
  }
  for (auto& [text, found] : all) sort(found);
  return all;
}

}  // namespace pitboss::clients
