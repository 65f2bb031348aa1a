#include "clients/results/replay.hpp"

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "clients/referee/ledger/played_game.hpp"
#include "clients/results/document/writers.hpp"
#include "games/grid.hpp"
#include "protocol/geometry_json.hpp"
#include "protocol/state_json.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;

namespace {

/// The points in which two boards differ, each with the later content: "d4Xd5X"; "-" if none.
std::string changes(const std::string& before, const std::string& after, int height) {
  std::string out;
  int x = 0;
  int y = height - 1;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i] == '/') {
      x = 0;
      --y;
      continue;
    }
    if (after[i] != before[i]) out += games::point_text(x, y) + after[i];
    ++x;
  }
  return out.empty() ? "-" : out;
}

}  // namespace

std::string board_rows(const games::AnyGame& game) {
  const std::string position = game.position();
  return position.substr(0, position.find(' '));
}

ordered_json board_json(const games::AnyGame& game) {
  auto board = ordered_json::parse(protocol::geometry_json(game));
  board.erase("planes");
  board.erase("actions");
  return board;
}

ordered_json replay_json(const games::AnyGame& start, std::span<const std::string> moves) {
  const auto game = start.clone();
  const int height = game->shape().height;
  std::string movers;
  std::vector<std::string> plies;
  std::string before = board_rows(*game);
  for (const std::string& move : moves) {
    movers += std::to_string(games::index(game->to_move()));
    game->play(move);
    std::string after = board_rows(*game);
    plies.push_back(changes(before, after, height));
    before = std::move(after);
  }
  return {{"movers", movers},
          {"moves", join({moves.begin(), moves.end()})},
          {"changes", join(plies)},
          {"decisive", join(protocol::decisive_points(*game))}};
}

std::string script_text(const ordered_json& json) {
  std::string out;
  for (const char c : text_of(json)) out += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return out;
}

}  // namespace pitboss::clients
