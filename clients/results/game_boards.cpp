#include "clients/results/game_boards.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <ranges>
#include <utility>

#include "clients/results/document/writers.hpp"
#include "clients/results/replay.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

ordered_json match_json(const Results& results, int number, const games::AnyGame& start,
                        const std::string& board) {
  const auto& players = results.matches()[number].match().players;
  auto options = ordered_json::array();
  for (const Player& player : players) {
    options.push_back(ordered_json::object());
    for (const auto& [name, value] : player.options) options.back()[name] = value;
  }
  return {{"game", game_name(results, number)},
          {"board", board},
          {"players", {players[0].name, players[1].name}},
          {"options", std::move(options)},
          {"start", board_rows(start)},
          {"games", ordered_json::array()}};
}

/// What each ply is worth to the first of two colours, whose chart it is, or to its mover among
/// more.
std::string charted_values(const PlayedGame& record, const std::string& movers, int colours) {
  if (colours != 2) return record.values;
  auto values = values_of(record);
  for (std::size_t ply = 0; ply < std::min(values.size(), movers.size()); ++ply) {
    if (values[ply] && movers[ply] == '1') values[ply] = 1 - *values[ply];
  }
  return values_text(values);
}

/// What a list shows of a game.
ordered_json listed_game(const Match& match, const PlayedGame& record) {
  std::string seats;
  for (const std::string& name : record.seats) seats += name == match.players[0].name ? '0' : '1';
  const char* const how = record.twelfths == whole_point ? "won"
                          : record.twelfths == 0         ? "lost"
                                                         : "drawn";
  return {{"number", record.game},
          {"seats", seats},
          {"how", how},
          {"result", record.result},
          {"reason", record.reason}};
}

/// The game as JSON; nothing if a move is not legal.
std::optional<ordered_json> game_json(const Match& match, const PlayedGame& record) {
  const auto start = match.initial_position();
  try {
    ordered_json out = listed_game(match, record);
    out["opening"] = split(record.opening).size();
    out.update(replay_json(*start, split(record.moves)));
    out["values"] = charted_values(record, out["movers"].get<std::string>(), start->players());
    return out;
  } catch (const games::BadGame&) {
    return std::nullopt;
  }
}

/// All matches without their games, and their boards by rules.
struct BoardsOfMatches {
  ordered_json boards = ordered_json::object();
  ordered_json matches = ordered_json::array();
};

BoardsOfMatches boards_of(const Results& results) {
  BoardsOfMatches out;
  for (std::size_t match = 0; match < results.matches().size(); ++match) {
    const auto start = results.matches()[match].match().initial_position();
    auto board = board_json(*start);
    const auto rules = board["rules"].get<std::string>();
    out.matches.push_back(match_json(results, static_cast<int>(match), *start, rules));
    out.boards[rules] = std::move(board);
  }
  return out;
}

}  // namespace

GameBoards game_boards(const Results& results, const std::vector<std::vector<PlayedGame>>& games,
                       std::size_t most_bytes) {
  GameBoards out{"", std::vector<int>(games.size())};
  auto [boards, all] = boards_of(results);
  std::size_t longest = 0;
  for (const auto& of_match : games) longest = std::max(longest, of_match.size());
  // Takes the first game of each match, then the second of each, and so on, while there is room.
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < longest && bytes < most_bytes; ++i) {
    for (std::size_t match = 0; match < games.size() && bytes < most_bytes; ++match) {
      if (i >= games[match].size()) continue;
      auto game = game_json(results.matches()[match].match(), games[match][i]);
      if (!game) continue;
      bytes += text_of(*game).size();
      all[match]["games"].push_back(std::move(*game));
      ++out.shown[match];
    }
  }
  out.json = script_text({{"boards", std::move(boards)}, {"matches", std::move(all)}});
  return out;
}

std::string games_list(const LedgerContents& contents) {
  const auto& matches = contents.results.matches();
  auto [boards, all] = boards_of(contents.results);
  constexpr std::size_t most = 2000;  // of all matches
  const std::size_t of_each =
      std::max<std::size_t>(most / std::max<std::size_t>(matches.size(), 1), 20);
  for (const PlayedRound& round : contents.played | std::views::reverse) {
    ordered_json& games = all[round.match]["games"];
    if (games.size() >= of_each || !matches[round.match].counts(round.round)) continue;
    for (const PlayedGame& game : round.games | std::views::reverse) {
      games.push_back(listed_game(matches[round.match].match(), game));
    }
  }
  return text_of({{"boards", std::move(boards)}, {"matches", std::move(all)}});
}

std::string replayed_game(const Match& match, const PlayedGame& game) {
  const auto json = game_json(match, game);
  return json ? text_of(*json) : "";
}

}  // namespace pitboss::clients
