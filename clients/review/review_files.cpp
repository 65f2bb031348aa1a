#include "clients/review/review_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/played_game.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/game_boards.hpp"
#include "clients/results/record_files.hpp"
#include "clients/results/replay.hpp"
#include "clients/review/explorer.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// Of a line that is shown.
constexpr std::size_t most_moves_of_line = 10;
constexpr std::size_t most_mistakes_listed = 200;
constexpr std::size_t most_games_listed = 2000;

std::string percent(double value) { return format("%.1f %%", 100 * value); }

std::vector<std::string> shown_part(const std::vector<std::string>& line) {
  return {line.begin(),
          line.begin() + static_cast<std::ptrdiff_t>(std::min(line.size(), most_moves_of_line))};
}

const games::AnyGame& start_of(const ReviewedGame& game) { return *game.game.record.start; }

std::string name_of_colour(const ReviewedGame& game, int colour) {
  return std::string(start_of(game).colours()[static_cast<std::size_t>(colour)]);
}

// ---- what is said of a position

std::string values_in_words(const ReviewedGame& game, const PositionValues& values) {
  std::string words;
  for (std::size_t c = 0; c < values.size(); ++c) {
    if (!values[c]) continue;
    words += (words.empty() ? "" : ", ") + name_of_colour(game, static_cast<int>(c)) + " " +
             percent(*values[c]);
  }
  return words;
}

std::string found_in_words(const Finding& found) {
  const FoundLine& best = found.lines.front();
  std::string words = "best " + join(shown_part(best.moves));
  if (found.exact.empty()) {
    return words + format(" (%lld of %lld visits)", static_cast<long long>(best.visits),
                          static_cast<long long>(found.visits));
  }
  words += " (proven: " + found.exact;
  if (found.points && *found.points != 0) words += " by " + std::to_string(std::abs(*found.points));
  return words + ")";
}

/// What is said of move number `ply`, from 1.
std::string verdict_in_words(const ReviewedGame& game, std::size_t ply) {
  const MoveVerdict& verdict = game.verdicts[ply - 1];
  std::string words;
  if (verdict.is_mistake) {
    words = "Mistake: " + percent(*verdict.loss) + " given away; " +
            game.findings[ply - 1]->lines.front().moves.front() + " was better.\n";
  }
  if (verdict.is_turning_point) {
    const auto best = std::ranges::max_element(game.values[ply]) - game.values[ply].begin();
    words +=
        "Turning point: " + name_of_colour(game, static_cast<int>(best)) + " takes the lead.\n";
  }
  return words;
}

games::Annotation annotation_of(const ReviewedGame& game, std::size_t ply) {
  games::Annotation said{.ply = static_cast<int>(ply)};
  if (ply > 0) {
    said.comment = verdict_in_words(game, ply);
    said.is_mistake = game.verdicts[ply - 1].is_mistake;
    said.is_turning_point = game.verdicts[ply - 1].is_turning_point;
  }
  said.comment += values_in_words(game, game.values[ply]);
  if (start_of(game).players() == 2) said.value = game.values[ply].front();
  const Finding* const found = game.findings[ply];
  if (found == nullptr) return said;
  said.comment += (said.comment.empty() ? "" : "; ") + found_in_words(*found);
  const auto& best = found->lines.front().moves;
  const bool is_better = ply < game.verdicts.size() && game.has_better(ply) &&
                         best.front() != game.game.record.moves[ply];
  if (is_better) said.variations.push_back(shown_part(best));
  return said;
}

// ---- JSON

Json values_json(const ReviewedGame& game, const PositionValues& values) {
  Json json = Json::object();
  for (std::size_t c = 0; c < values.size(); ++c) {
    json[name_of_colour(game, static_cast<int>(c))] = values[c] ? Json(*values[c]) : Json();
  }
  return json;
}

Json position_json(const ReviewedGame& game, std::size_t ply) {
  const Finding& found = *game.findings[ply];
  Json json{{"rules", game.rules},
            {"position", game.positions[ply]},
            {"to_move",
             ply < game.movers.size() ? Json(name_of_colour(game, game.movers[ply])) : Json()}};
  json.update(json_of(found));
  json["values"] = values_json(game, found.values);
  return json;
}

Json move_json(const ReviewedGame& game, std::size_t i) {
  const MoveVerdict& verdict = game.verdicts[i];
  return {{"move", game.game.record.moves[i]},
          {"colour", name_of_colour(game, game.movers[i])},
          {"loss", verdict.loss ? Json(rounded(*verdict.loss)) : Json()},
          {"mistake", verdict.is_mistake},
          {"turning_point", verdict.is_turning_point}};
}

Json players_json(const ReviewedGame& game) {
  Json json = Json::object();
  for (std::size_t c = 0; c < game.game.players.size(); ++c) {
    const std::string& name = game.game.players[c];
    json[name_of_colour(game, static_cast<int>(c))] = name.empty() ? Json() : Json(name);
  }
  return json;
}

/// `places` are those of the positions.
Json game_json(const ReviewedGame& game, const std::vector<std::size_t>& places) {
  Json moves = Json::array();
  for (std::size_t i = 0; i < game.verdicts.size(); ++i) moves.push_back(move_json(game, i));
  return {{"place", game.game.place},
          {"rules", game.rules},
          {"start", game.positions.front()},
          {"players", players_json(game)},
          {"result", game.game.result.empty() ? Json() : Json(game.game.result)},
          {"moves", std::move(moves)},
          {"positions", places}};
}

/// Objects as an array, one a line.
void add(std::string& array, const Json& json) {
  array += (array.empty() ? "\n" : ",\n") + text_of(json);
}

// ---- the page

std::string player_of(const ReviewedGame& game, int colour) {
  const auto c = static_cast<std::size_t>(colour);
  const auto& names = game.game.players;
  return c < names.size() && !names[c].empty() ? names[c] : name_of_colour(game, colour);
}

/// How well somebody has played.
struct Play {
  std::set<std::size_t> games;
  int moves = 0;
  int mistakes = 0;
  double lost = 0;
};

std::map<std::string, Play> plays_of(std::span<const ReviewedGame> games) {
  std::map<std::string, Play> plays;
  for (std::size_t g = 0; g < games.size(); ++g) {
    for (std::size_t i = 0; i < games[g].verdicts.size(); ++i) {
      const MoveVerdict& verdict = games[g].verdicts[i];
      Play& play = plays[player_of(games[g], games[g].movers[i])];
      play.games.insert(g);
      if (!verdict.loss) continue;
      ++play.moves;
      play.mistakes += verdict.is_mistake ? 1 : 0;
      play.lost += *verdict.loss;
    }
  }
  return plays;
}

Cell unknown() { return Cell().with_words("unknown"); }

DataTable players_table(std::span<const ReviewedGame> games) {
  DataTable table{.name = "players",
                  .columns = {{"player", "player"},
                              {"games", "games"},
                              {"moves", "moves judged"},
                              {"mistakes", "mistakes"},
                              {"share", "% of moves", Form::percent, 1},
                              {"loss", "mean loss %", Form::percent, 2}}};
  for (const auto& [name, play] : plays_of(games)) {
    if (play.moves == 0) {
      table.rows.push_back({name, play.games.size(), 0, unknown(), unknown(), unknown()});
      continue;
    }
    const double moves = play.moves;
    table.rows.push_back({name, play.games.size(), play.moves, play.mistakes, play.mistakes / moves,
                          play.lost / moves});
  }
  return table;
}

/// The matches of the page: a group of games by the same rules. The place of each game's.
struct Groups {
  std::vector<std::string> rules;
  std::vector<std::size_t> of_game;
};

Groups groups_of(std::span<const ReviewedGame> games) {
  Groups groups;
  for (const ReviewedGame& game : games) {
    const auto known = std::ranges::find(groups.rules, game.rules);
    groups.of_game.push_back(static_cast<std::size_t>(known - groups.rules.begin()));
    if (known == groups.rules.end()) groups.rules.push_back(game.rules);
  }
  return groups;
}

std::string place_of(const Groups& groups, std::size_t game, std::size_t ply) {
  return format("#game-%zu-%zu-ply-%zu", groups.of_game[game] + 1, game + 1, ply);
}

int count_of(const ReviewedGame& game, bool MoveVerdict::*is_so) {
  return static_cast<int>(std::ranges::count(game.verdicts, true, is_so));
}

/// How many moves have a loss, or none, that is known.
std::size_t judged_moves(const ReviewedGame& game) {
  return static_cast<std::size_t>(std::ranges::count_if(
      game.verdicts, [](const MoveVerdict& verdict) { return verdict.loss.has_value(); }));
}

/// Whether of any move it is known who leads before and behind it.
bool can_turn(const ReviewedGame& game) {
  for (std::size_t i = 0; i < game.verdicts.size(); ++i) {
    if (all_known(game.values[i]) && all_known(game.values[i + 1])) return true;
  }
  return false;
}

DataTable games_listed(std::span<const ReviewedGame> games, const Groups& groups,
                       std::size_t shown) {
  DataTable table{.name = "games",
                  .columns = {{"game", "game"},
                              {"place", "from"},
                              {"players", "players"},
                              {"result", "result"},
                              {"moves", "moves"},
                              {"mistakes", "mistakes"},
                              {"turning_points", "turning points"}},
                  .folded = "all games"};
  for (std::size_t g = 0; g < std::min(games.size(), most_games_listed); ++g) {
    const ReviewedGame& game = games[g];
    std::string players;
    for (int c = 0; c < start_of(game).players(); ++c) {
      players += (c == 0 ? "" : " - ") + player_of(game, c);
    }
    Cell number = g + 1;
    if (g < shown) number = Cell(g + 1).leading_to(place_of(groups, g, 0));
    table.rows.push_back(
        {number, game.game.place, players, game.game.result, game.movers.size(),
         judged_moves(game) > 0 ? Cell(count_of(game, &MoveVerdict::is_mistake)) : unknown(),
         can_turn(game) ? Cell(count_of(game, &MoveVerdict::is_turning_point)) : unknown()});
  }
  return table;
}

struct Mistake {
  std::size_t game;
  std::size_t move;  ///< from 0
  double loss;
};

std::vector<Mistake> mistakes_of(std::span<const ReviewedGame> games) {
  std::vector<Mistake> all;
  for (std::size_t g = 0; g < games.size(); ++g) {
    for (std::size_t i = 0; i < games[g].verdicts.size(); ++i) {
      const MoveVerdict& verdict = games[g].verdicts[i];
      if (verdict.is_mistake) all.push_back({g, i, *verdict.loss});
    }
  }
  std::ranges::stable_sort(all, std::greater(), &Mistake::loss);
  return all;
}

DataTable mistakes_table(std::span<const ReviewedGame> games, const Groups& groups,
                         const std::vector<Mistake>& mistakes, std::size_t shown) {
  DataTable table{.name = "mistakes",
                  .columns = {{"game", "game"},
                              {"ply", "ply"},
                              {"player", "player"},
                              {"move", "move"},
                              {"loss", "loss %", Form::percent, 1},
                              {"better", "better"}}};
  for (const auto& [g, i, loss] : mistakes) {
    if (table.rows.size() == most_mistakes_listed) break;
    const ReviewedGame& game = games[g];
    Cell ply(i + 1);
    if (g < shown) ply = Cell(i + 1).leading_to(place_of(groups, g, i));
    table.rows.push_back({g + 1, ply, player_of(game, game.movers[i]), game.game.record.moves[i],
                          loss, join(shown_part(game.findings[i]->lines.front().moves))});
  }
  return table;
}

/// What the page shows of an annotation: what marks a move, and the positions of variations.
Json shown_annotation(const ReviewedGame& game, const games::Annotation& said) {
  Json json{{"ply", said.ply}, {"comment", said.comment}};
  if (said.is_mistake) json["mistake"] = true;
  if (said.is_turning_point) json["turning_point"] = true;
  if (said.variations.empty()) return json;
  const auto from = games::make_game(start_of(game).name(), start_of(game).parameters());
  from->set_position(game.positions[static_cast<std::size_t>(said.ply)]);
  json["replays"] = Json::array();
  for (const auto& line : said.variations) json["replays"].push_back(replay_json(*from, line));
  return json;
}

/// Why the game ended: "rules" where these have ended it, else what the ledger or the record tells.
std::string reason_of(const ReviewedGame& game) {
  const std::string& result = game.game.result;
  if (!game.game.reason.empty()) return game.game.reason;
  if (game.findings.back() == nullptr) return "rules";
  const std::string how = result.substr(std::min(result.find('+'), result.size()));
  if (how == "+R" || how == "+Resign") return "resigned";
  if (how == "+T" || how == "+Time") return "time";
  if (how == "+F" || how == "+Forfeit") return "forfeit";
  return "not ended by the rules";
}

Json page_game(const ReviewedGame& game, std::size_t number) {
  const auto& moves = game.game.record.moves;
  std::string seats;
  Json names = Json::array();
  for (int c = 0; c < start_of(game).players(); ++c) {
    seats += std::to_string(c);
    names.push_back(player_of(game, c));
  }
  const auto shares = shares_of(game.game);
  Json out{{"number", number},
           {"names", names},
           {"seats", seats},
           {"how", shares.empty()        ? "unknown"
                   : shares.front() >= 1 ? "won"
                   : shares.front() <= 0 ? "lost"
                                         : "drawn"},
           {"result", game.game.result.empty() ? "unknown" : game.game.result},
           {"reason", reason_of(game)},
           {"opening", 0},
           {"rows", board_rows(start_of(game))}};
  out.update(replay_json(start_of(game), moves));
  std::vector<std::optional<double>> values;
  for (std::size_t i = 0; i < game.values.size(); ++i) {
    const bool is_for_two = start_of(game).players() == 2;
    const int mover = i < game.movers.size() ? game.movers[i] : 0;
    values.push_back(game.values[i][is_for_two ? 0 : static_cast<std::size_t>(mover)]);
  }
  out["values"] = values_text(values);
  out["annotations"] = Json::array();
  for (const games::Annotation& said : annotations_of(game)) {
    if (said.is_mistake || said.is_turning_point || !said.variations.empty()) {
      out["annotations"].push_back(shown_annotation(game, said));
    }
  }
  return out;
}

/// The games of the page, and how many there are.
std::pair<std::string, std::size_t> games_of_page(std::span<const ReviewedGame> games,
                                                  const Groups& groups) {
  Json boards = Json::object();
  Json matches = Json::array();
  for (const std::string& rules : groups.rules) {
    const auto& of = *std::ranges::find(games, rules, &ReviewedGame::rules)->game.record.start;
    const auto start = games::make_game(of.name(), of.parameters());
    auto board = board_json(*start);
    const auto name = board["rules"].get<std::string>();
    boards[name] = std::move(board);
    Json colours = Json::array();
    for (const std::string_view colour : start->colours()) colours.push_back(colour);
    matches.push_back({{"game", rules},
                       {"board", name},
                       {"players", std::move(colours)},
                       {"options", Json::array()},
                       {"start", board_rows(*start)},
                       {"games", Json::array()}});
  }
  std::size_t bytes = 0;
  std::size_t shown = 0;
  for (; shown < games.size() && bytes < most_bytes_of_games; ++shown) {
    Json game = page_game(games[shown], shown + 1);
    bytes += text_of(game).size();
    matches[groups.of_game[shown]]["games"].push_back(std::move(game));
  }
  return {script_text({{"boards", std::move(boards)}, {"matches", std::move(matches)}}), shown};
}

/// Whether an earlier review, of more games, has written the file.
bool is_of_review(const fs::path& path) {
  const std::string name = path.stem();
  const bool is_number =
      name.size() >= 4 && std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || path.extension() != ".sgf") return false;
  try {
    return games::read_text_file(path).find("AN[Pitboss]") != std::string::npos;
  } catch (const games::UnreadableFile&) {
    return false;
  }
}

}  // namespace

std::vector<games::Annotation> annotations_of(const ReviewedGame& game) {
  std::vector<games::Annotation> all;
  for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
    all.push_back(annotation_of(game, ply));
  }
  return all;
}

std::string sgf_of(const ReviewedGame& game) {
  games::SgfNode root;
  const auto add_property = [&](const char* name, const std::string& value) {
    if (!value.empty()) root.push_back({name, {value}});
  };
  if (game.game.players.size() == 2) {
    add_property("PB", game.game.players[0]);
    add_property("PW", game.game.players[1]);
  }
  add_property("RE", game.game.result);
  add_property("AN", "Pitboss");
  return games::record_to_sgf(start_of(game), game.game.record.moves, root, annotations_of(game));
}

std::string review_json(std::span<const ReviewedGame> games, const ReviewFacts& facts) {
  std::map<GamePosition, std::size_t> places;
  std::string positions;
  std::string all;
  for (const ReviewedGame& game : games) {
    std::vector<std::size_t> of_game;
    for (std::size_t ply = 0; ply < game.positions.size(); ++ply) {
      if (game.findings[ply] == nullptr) continue;
      const auto [place, is_new] =
          places.try_emplace({game.rules, game.positions[ply]}, places.size());
      of_game.push_back(place->second);
      if (is_new) add(positions, position_json(game, ply));
    }
    add(all, game_json(game, of_game));
  }
  const Json head{{"version", 1},
                  {"search", facts.search},
                  {"mistake", facts.thresholds.mistake},
                  {"lead", facts.thresholds.lead},
                  {"left_out", facts.left_out}};
  std::string text = text_of(head);
  text.pop_back();
  return text + ",\n\"games\":[" + all + "],\n\"positions\":[" + positions + "]}\n";
}

Document review_document(std::span<const ReviewedGame> games, const ReviewFacts& facts) {
  const Groups groups = groups_of(games);
  const auto mistakes = mistakes_of(games);
  std::size_t turning_points = 0;
  std::size_t moves = 0;
  std::size_t judged = 0;
  bool any_can_turn = false;
  for (const ReviewedGame& game : games) {
    moves += game.verdicts.size();
    judged += judged_moves(game);
    any_can_turn |= can_turn(game);
    turning_points += static_cast<std::size_t>(count_of(game, &MoveVerdict::is_turning_point));
  }
  auto [json, shown] = games_of_page(games, groups);
  Document document{"Review of " + counted(games.size(), "game")};
  Section head{""};
  using enum Text::Kind;
  head.blocks.emplace_back(
      Text{(judged > 0 ? counted(mistakes.size(), "mistake") : "An unknown number of mistakes") +
               " and " +
               (any_can_turn ? counted(turning_points, "turning point")
                             : "an unknown number of turning points") +
               " in " + counted(games.size(), "game") + ".",
           Text::Kind::verdict});
  if (judged < moves) {
    head.blocks.emplace_back(
        Text{format("%zu of %zu moves are not judged: the search does not tell what the positions "
                    "before and behind them are worth to the player who moved.",
                    moves - judged, moves),
             note});
  }
  head.blocks.emplace_back(
      Text{"Each position was searched by " + facts.search + ". A mistake gives away " +
               format("%g", 100 * facts.thresholds.mistake) +
               " % of a win or more: what the position before the move is worth to its player, "
               "less what the position behind it is. A turning point brings a player into the "
               "lead, who then is ahead by " +
               format("%g", 100 * facts.thresholds.lead) + " % or more.",
           note});
  for (const std::string& why : facts.left_out)
    head.blocks.emplace_back(Text{"Left out: " + why + ".", alarm});
  document.sections.push_back(std::move(head));
  document.sections.push_back({"Players", {players_table(games)}});
  Section board{"Games"};
  if (shown < games.size()) {
    board.blocks.emplace_back(Text{format("The page has the first %zu games; the files of SGF and "
                                          "JSON beside it have all.",
                                          shown),
                                   note});
  }
  if (shown > 0) board.blocks.emplace_back(Games{std::move(json)});
  board.blocks.emplace_back(games_listed(games, groups, shown));
  document.sections.push_back(std::move(board));
  Section worst{"Mistakes"};
  if (mistakes.empty())
    worst.blocks.emplace_back(Text{judged > 0 ? "There are none." : "It is unknown."});
  if (mistakes.size() > most_mistakes_listed) {
    worst.blocks.emplace_back(
        Text{format("The worst %zu of %zu.", most_mistakes_listed, mistakes.size()), note});
  }
  worst.blocks.emplace_back(mistakes_table(games, groups, mistakes, shown));
  document.sections.push_back(std::move(worst));
  return document;
}

int write_review(const fs::path& folder, std::span<const ReviewedGame> games,
                 const ReviewFacts& facts,
                 const std::function<void(const std::string&)>& on_written) {
  const fs::path records = folder / "games";
  std::error_code error;
  fs::create_directories(records, error);
  require(!error, "cannot create " + records.string() + ": " + error.message());
  int left_out = 0;
  std::set<fs::path> written;
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (start_of(games[i]).colours().front() != "black") {
      ++left_out;
      continue;
    }
    const fs::path path = records / format("%04zu.sgf", i + 1);
    replace_file(path, sgf_of(games[i]) + "\n");
    written.insert(path);
  }
  for (const auto& entry : fs::directory_iterator(records)) {
    if (!written.contains(entry.path()) && is_of_review(entry.path())) {
      fs::remove(entry.path(), error);
    }
  }
  on_written("games");
  replace_file(folder / "review.json", review_json(games, facts));
  on_written("review.json");
  replace_file(folder / "review.html", html_page(review_document(games, facts)));
  on_written("review.html");
  return left_out;
}

}  // namespace pitboss::clients
