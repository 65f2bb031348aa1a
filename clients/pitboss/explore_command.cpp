#include <boost/program_options.hpp>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/counted.hpp"
#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/referee/ledger/played_game.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/record_files.hpp"
#include "clients/review/explorer.hpp"
#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

namespace {

constexpr std::string_view explore_usage =
    "What was played from a position in recorded games, how often, and with what result. See\n"
    "docs/analysis.md#what-was-played.\n\n"
    "  pitboss explore games.sgf                       SGF, GGF, PSQ; FILE:N the Nth game\n"
    "  pitboss explore run/first --moves \"d3 c5\"      a ledger, or a folder of records\n"
    "  pitboss explore run/first --out played.json    of every position, for the page\n\n";

struct ExploreFlags {
  std::string game;
  std::string position;
  std::string moves;
  bool as_json = false;
  std::string out;
  int least = 1;
};

po::options_description describe(ExploreFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&a.game)->value_name("NAME"),
      "the game, perhaps with parameters: \"othello size=6\" (default: the first game's)");
  add("position", po::value(&a.position)->value_name("TEXT"),
      "the position, as a daemon's command position reads it (default: the initial one)");
  add("moves", po::value(&a.moves)->value_name("\"MOVE ...\""), "moves that lead on from there");
  add("json", po::bool_switch(&a.as_json), "one object of JSON");
  add("out", po::value(&a.out)->value_name("FILE"),
      "writes the same of every position from there on, as JSON that the page opens");
  add("least", po::value(&a.least)->value_name("GAMES"),
      "with --out: leaves positions out that fewer games have come to (default: 1)");
  add("help", "this text");
  return all;
}

/// The position that is asked for, of the game that is named or else of the first record. Throws
/// UserError.
std::unique_ptr<games::AnyGame> position_of(const ExploreFlags& a, const GamesOnFile& read) {
  Match match;
  set_game(match, a.game.empty() ? rules_text(*read.games.front().record.start) : a.game);
  auto position = match.initial_position();
  try {
    if (!a.position.empty()) position->set_position(a.position);
    for (const std::string& move : split(a.moves)) position->play(move);
  } catch (const games::BadGame& bad) {
    throw UserError(bad.what());
  }
  return position;
}

nlohmann::ordered_json json_of(const Explored& found) {
  nlohmann::ordered_json moves = nlohmann::ordered_json::array();
  for (const ExploredMove& move : found.moves) {
    const auto score = move.score();
    moves.push_back({{"move", move.move},
                     {"games", move.games},
                     {"won", move.won},
                     {"drawn", move.drawn},
                     {"lost", move.lost},
                     {"score", score ? nlohmann::ordered_json(*score) : nlohmann::ordered_json()}});
  }
  return {{"games", found.games}, {"moves", std::move(moves)}};
}

/// Writes what was played from every position that enough games have come to.
void write_all(const ExploreFlags& a, const GamesOnFile& read, const GamePosition& from) {
  nlohmann::ordered_json positions = nlohmann::ordered_json::object();
  for (const auto& [position, found] : explored_from(read.games, from)) {
    if (found.games >= a.least) positions[position] = json_of(found);
  }
  const std::size_t count = positions.size();
  replace_file(a.out, text_of({{"version", 1},
                               {"rules", from.rules},
                               {"positions", std::move(positions)},
                               {"left_out", read.left_out}}) +
                          "\n");
  std::cout << "what was played from " << counted(count, "position") << " is in " << a.out << "\n";
}

DataTable table_of_moves(const Explored& found) {
  DataTable table{.name = "moves",
                  .columns = {{"move", "move"},
                              {"games", "games"},
                              {"share", "% of games", Form::percent, 1},
                              {"won", "won"},
                              {"drawn", "drawn"},
                              {"lost", "lost"},
                              {"score", "score %", Form::percent, 1}}};
  for (const ExploredMove& move : found.moves) {
    table.rows.push_back({move.move, move.games, static_cast<double>(move.games) / found.games,
                          move.won, move.drawn, move.lost, move.score()});
  }
  return table;
}

}  // namespace

int explore_command(const std::vector<std::string>& arguments) {
  ExploreFlags flags;
  std::vector<std::string> places;
  if (!read_flags("explore", explore_usage, describe(flags), arguments, &places)) return 0;
  require(!places.empty(), "expected files with games; see pitboss explore --help");
  require(flags.least >= 1, "--least must be 1 or more");
  require(flags.least == 1 || !flags.out.empty(), "--least is for --out");
  require(flags.out.empty() || !flags.as_json,
          "--json tells of one position, --out of all: choose");
  const GamesOnFile read = games_on_file(places, flags.game);
  for (const std::string& note : read.notes) std::cerr << "note: " << note << "\n";
  for (const std::string& why : read.left_out) std::cerr << "left out: " << why << "\n";
  require(!read.games.empty(), "there is no game to look into");
  const auto position = position_of(flags, read);
  const GamePosition from{rules_text(*position), position->position()};
  if (!flags.out.empty()) {
    write_all(flags, read, from);
    return read.left_out.empty() ? 0 : exit_stopped;
  }
  const Explored found = explored(read.games, from);
  const std::string to_move(position->name_of(position->to_move()));
  if (flags.as_json) {
    nlohmann::ordered_json json{
        {"version", 1}, {"rules", from.rules}, {"position", from.position}, {"to_move", to_move}};
    json.update(json_of(found));
    json["left_out"] = read.left_out;
    std::cout << text_of(json) << "\n";
  } else {
    const std::string count = std::to_string(found.games) + " of " +
                              std::to_string(read.games.size()) + " games have come here, " +
                              to_move + " to move";
    std::cout << terminal_text({"", {{"", {Text{count}, table_of_moves(found)}}}});
  }
  return read.left_out.empty() ? 0 : exit_stopped;
}

}  // namespace pitboss::clients
