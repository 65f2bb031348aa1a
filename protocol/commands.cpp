#include "protocol/commands.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "protocol/error.hpp"
#include "protocol/jobs.hpp"
#include "protocol/search_json.hpp"

namespace pitboss::protocol {

namespace {

std::string lines(const auto& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : "\n") + std::string(item);
  return text;
}
std::string words(const std::vector<std::string>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : " ") + item;
  return text;
}

/// A colour may only act when it is its turn: rules engines of GUIs and referees rely on it.
void check_turn(const Table& table, games::Colour colour) {
  if (table.game().to_move() == colour) return;
  throw CommandError("illegal move: it is " +
                     std::string(games::colour_name(table.game().to_move())) + "'s turn");
}

// --- administration -----------------------------------------------------------------------------

Outcome protocol_version(Table&, const Arguments&) { return {"2"}; }
Outcome name(Table&, const Arguments&) { return {"Pitboss"}; }
Outcome version(Table&, const Arguments&) { return {PITBOSS_VERSION}; }

Outcome known_command(Table&, const Arguments& arguments) {
  return {arguments.size() > 0 && find_command(arguments.word(0)) != nullptr ? "true" : "false"};
}

Outcome list_commands(Table&, const Arguments&) {
  std::vector<std::string_view> names;
  for (const Command& c : commands()) names.push_back(c.name);
  return lines(names);
}

Outcome help(Table&, const Arguments& arguments) {
  arguments.expect(0, 1, "[command]");
  std::vector<std::string> rows;
  for (const Command& c : commands()) {
    if (arguments.size() == 1 && c.name != arguments.word(0)) continue;
    rows.push_back(std::string(c.name) + (c.arguments.empty() ? "" : " ") +
                   std::string(c.arguments) + ": " + std::string(c.help) +
                   (c.blocks ? " (takes time)" : ""));
  }
  if (rows.empty()) throw CommandError("unknown command '" + arguments.word(0) + "'");
  return lines(rows);
}

Outcome quit(Table&, const Arguments&) {
  Outcome outcome;
  outcome.closes = true;
  return outcome;
}

/// Its presence in list_commands tells GoGui that "# interrupt" works.
Outcome gogui_interrupt(Table&, const Arguments&) { return {}; }

// --- the game -----------------------------------------------------------------------------------

Outcome list_games(Table&, const Arguments&) { return lines(games::game_names()); }

Outcome game(Table& table, const Arguments& arguments) {
  if (arguments.size() == 0) {
    const std::string parameters = table.game().parameters().line();
    return std::string(table.game().name()) + (parameters.empty() ? "" : " ") + parameters;
  }
  games::Parameters parameters;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments.word(i);
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      throw CommandError("syntax error: expected NAME [key=value ...]");
    if (parameters.has(word.substr(0, equals))) {
      throw CommandError("syntax error: " + word.substr(0, equals) + " is given twice");
    }
    parameters.set(word.substr(0, equals), word.substr(equals + 1));
  }
  table.new_game(arguments.word(0), parameters);
  return {};
}

Outcome boardsize(Table& table, const Arguments& arguments) {
  arguments.expect(1, 2, "SIZE");
  const auto size = arguments.whole(0, 1, 1000);
  const games::AnyGame& now = table.game();
  const bool square = arguments.size() == 1 || arguments.whole(1, 1, 1000) == size;
  games::Parameters parameters = now.parameters();
  const bool has_size = std::ranges::any_of(games::game_parameters(now.name()),
                                            [](const auto& p) { return p.name == "size"; });
  try {
    if (has_size) parameters.set("size", std::to_string(size));
    if (!square || (!has_size && size != now.shape().width)) {
      throw games::BadGame("this game has " + std::to_string(now.shape().width) + " columns");
    }
    table.new_game(now.name(), parameters);
  } catch (const games::BadGame& bad) {
    throw CommandError(std::string("unacceptable size: ") + bad.what());
  }
  return {};
}

Outcome clear_board(Table& table, const Arguments&) {
  table.clear();
  return {};
}

/// No game here has a komi; GTP wants any number accepted.
Outcome komi(Table&, const Arguments& arguments) {
  arguments.expect(1, 1, "KOMI");
  static_cast<void>(arguments.number(0));
  return {};
}

Outcome play(Table& table, const Arguments& arguments) {
  arguments.expect(2, 2, "COLOUR MOVE");
  const games::Colour colour = arguments.colour(0);
  try {
    static_cast<void>(table.game().canonical(arguments.word(1)));
    check_turn(table, colour);
    table.play(arguments.word(1));
  } catch (const games::BadSyntax& bad) {
    throw CommandError(std::string("syntax error: ") + bad.what());
  } catch (const games::BadGame& bad) {
    check_turn(table, colour);
    throw CommandError(std::string("illegal move: ") + bad.what());
  }
  return {};
}

Outcome undo(Table& table, const Arguments&) {
  if (!table.undo()) throw CommandError("cannot undo");
  return {};
}

Outcome legal_moves(Table& table, const Arguments&) { return words(table.game().legal_moves()); }
Outcome moves(Table& table, const Arguments&) { return words(table.moves()); }
Outcome showboard(Table& table, const Arguments&) { return "\n" + table.game().board_text(); }
Outcome get_position(Table& table, const Arguments&) { return table.game().position(); }

Outcome position(Table& table, const Arguments& arguments) {
  if (arguments.size() == 0) throw CommandError("syntax error: expected ROWS COLOUR [EXTRA]");
  table.set_position(arguments.text());
  return {};
}

Outcome static_value(Table& table, const Arguments&) {
  const auto value = table.game().static_value();
  if (!value) throw CommandError(std::string(table.game().name()) + " has no static value");
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(12);
  text << *value;
  return text.str();
}

Outcome final_score(Table& table, const Arguments&) {
  const games::AnyGame& game = table.game();
  if (!game.result().finished()) throw CommandError("cannot score: the game is not over");
  if (game.result().shared()) return {"0"};
  const bool black = game.result().won_by(games::Colour::black);
  return (black ? "B+" : "W+") + std::to_string(game.margin());
}

Outcome perft(Table& table, const Arguments& arguments) {
  arguments.expect(1, 1, "DEPTH");
  return std::unique_ptr<Job>(
      std::make_unique<PerftJob>(table.game(), static_cast<int>(arguments.whole(0, 0, 64))));
}

// --- searching ----------------------------------------------------------------------------------

/// A finished game has no move left. Referees that know only Go end a game on `resign` or two
/// passes, so the loser resigns and a winner or a draw passes.
Outcome genmove_when_finished(const games::AnyGame& game, games::Colour colour) {
  return {game.result().share(colour) == 0 ? "resign" : "pass"};
}

Outcome genmove_of(Table& table, const Arguments& arguments, bool plays) {
  arguments.expect(1, 1, "COLOUR");
  const games::Colour colour = arguments.colour(0);
  if (table.game().result().finished()) return genmove_when_finished(table.game(), colour);
  check_turn(table, colour);
  return std::unique_ptr<Job>(std::make_unique<SearchJob>(table, plays));
}
Outcome genmove(Table& table, const Arguments& arguments) {
  return genmove_of(table, arguments, true);
}
Outcome reg_genmove(Table& table, const Arguments& arguments) {
  return genmove_of(table, arguments, false);
}

Outcome last_search(Table& table, const Arguments&) {
  const auto report = table.last_search();
  if (!report) throw CommandError("no search yet in this game");
  return search_json(*report);
}

Outcome time_settings(Table& table, const Arguments& arguments) {
  arguments.expect(3, 3, "MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES");
  constexpr std::int64_t most = 2147483647;
  const auto main = arguments.whole(0, 0, most);
  const auto byo_yomi = arguments.whole(1, 0, most);
  const auto stones = arguments.whole(2, 0, 100000);
  table.clock().set(std::chrono::seconds(main), std::chrono::seconds(byo_yomi),
                    static_cast<int>(stones));
  return {};
}

Outcome time_left(Table& table, const Arguments& arguments) {
  arguments.expect(3, 3, "COLOUR SECONDS STONES");
  const games::Colour colour = arguments.colour(0);
  const auto seconds = arguments.whole(1, 0, 2147483647);
  const auto stones = arguments.whole(2, 0, 100000);
  table.clock().set_left(colour, std::chrono::seconds(seconds), static_cast<int>(stones));
  return {};
}

// --- options ------------------------------------------------------------------------------------

Outcome setoption(Table& table, const Arguments& arguments) {
  set_option(table, arguments);
  return {};
}

Outcome getoption(Table& table, const Arguments& arguments) {
  arguments.expect(1, 1, "NAME");
  return engine::get_option(table.options(), arguments.word(0));
}

Outcome list_options(Table& table, const Arguments&) { return table.option_lines(); }

constexpr std::array<Command, 31> all_commands{{
    {"protocol_version", "", "version of GTP", false, protocol_version},
    {"name", "", "name of the program", false, name},
    {"version", "", "version of the program", false, version},
    {"known_command", "NAME", "whether there is such a command", false, known_command},
    {"list_commands", "", "all commands, one a line", false, list_commands},
    {"help", "[NAME]", "what the commands do", false, help},
    {"quit", "", "ends the session", false, quit},
    {"gogui-interrupt", "", "says that the line '# interrupt' ends a command early", false,
     gogui_interrupt},
    {"games", "", "the games, one a line", false, list_games},
    {"game", "[NAME [key=value ...]]", "starts a new game; alone: the game and its parameters",
     false, game},
    {"boardsize", "SIZE", "starts a new game on a board of this size", false, boardsize},
    {"clear_board", "", "starts the same game anew", false, clear_board},
    {"komi", "KOMI", "accepted and ignored", false, komi},
    {"play", "COLOUR MOVE", "plays a move", false, play},
    {"undo", "", "takes the last move back", false, undo},
    {"legal_moves", "", "moves of the side to move, sorted", false, legal_moves},
    {"moves", "", "moves played so far", false, moves},
    {"position", "ROWS COLOUR [EXTRA]", "sets a position", false, position},
    {"get_position", "", "the position as `position` takes it", false, get_position},
    {"showboard", "", "a picture of the board", false, showboard},
    {"static_value", "", "static value of the position for the first player, 0 to 1", false,
     static_value},
    {"final_score", "", "B+n, W+n or 0 (draw)", false, final_score},
    {"perft", "DEPTH", "number of move sequences of exactly DEPTH plies", true, perft},
    {"genmove", "COLOUR", "searches and plays a move", true, genmove},
    {"reg_genmove", "COLOUR", "searches a move without playing it", true, reg_genmove},
    {"last_search", "", "what the last search found, as JSON", false, last_search},
    {"time_settings", "MAIN BYO_YOMI STONES", "sets the clock, in seconds", false, time_settings},
    {"time_left", "COLOUR SECONDS STONES", "corrects the clock", false, time_left},
    {"setoption", "name NAME value VALUE", "sets an option of the search", false, setoption},
    {"getoption", "NAME", "value of an option", false, getoption},
    {"list_options", "", "options with type, default and range, one a line", false, list_options},
}};

}  // namespace

std::span<const Command> commands() { return all_commands; }

const Command* find_command(std::string_view name) {
  const auto* const found = std::ranges::find(all_commands, name, &Command::name);
  return found == all_commands.end() ? nullptr : &*found;
}

engine::Effect set_option(Table& table, const Arguments& arguments) {
  const bool uci =
      arguments.size() == 4 && arguments.word(0) == "name" && arguments.word(2) == "value";
  if (!uci) arguments.expect(2, 2, "name NAME value VALUE, or NAME VALUE");
  return table.set_option(arguments.word(uci ? 1 : 0), arguments.word(uci ? 3 : 1));
}

std::string command_table() {
  std::ostringstream text;
  text << "| command | arguments | answer | takes time |\n|---|---|---|---|\n";
  for (const Command& c : all_commands) {
    text << "| `" << c.name << "` | " << c.arguments << " | " << c.help << " | "
         << (c.blocks ? "yes" : "") << " |\n";
  }
  return text.str();
}

}  // namespace pitboss::protocol
