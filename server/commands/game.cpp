#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "games/in_words.hpp"
#include "games/letter_case.hpp"
#include "games/rules_text.hpp"
#include "protocol/error.hpp"
#include "protocol/geometry_json.hpp"
#include "protocol/state_json.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/jobs.hpp"

namespace pitboss::server {

namespace {

Outcome list_games(Seat&, const protocol::Arguments& arguments) {
  if (arguments.size() == 0) return lines(games::game_names());
  arguments.expect(1, 1, "[json]");
  if (arguments.word(0) != "json") {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected [json]");
  }
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const std::string_view name : games::game_names()) {
    Json parameters = Json::array();
    for (const games::Parameter& parameter : games::game_parameters(name)) {
      parameters.push_back({{"name", parameter.name},
                            {"default", parameter.default_value},
                            {"values", parameter.values},
                            {"help", parameter.help}});
    }
    all.push_back(
        {{"game", name}, {"help", games::rules_in_words(name)}, {"parameters", parameters}});
  }
  return Json{{"version", 1}, {"games", all}}.dump();
}

Outcome game(Seat& seat, const protocol::Arguments& arguments) {
  if (arguments.size() == 0) return games::rules_text(seat.table->game());
  games::Parameters parameters;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& word = arguments.word(i);
    const auto equals = word.find('=');
    if (equals == std::string::npos)
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   "syntax error: expected NAME [key=value ...]");
    if (parameters.has(word.substr(0, equals))) {
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   "syntax error: " + word.substr(0, equals) + " is given twice");
    }
    parameters.set(word.substr(0, equals), word.substr(equals + 1));
  }
  seat.table->new_game(arguments.word(0), parameters);
  return {};
}

/// Takes a size for each direction, or one for both, which for a fixed board must be its longer
/// side.
Outcome boardsize(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 2, "SIZE, or COLUMNS ROWS");
  constexpr int most = 1000;
  const auto columns = arguments.whole(0, 1, most);
  const auto rows = arguments.size() == 1 ? columns : arguments.whole(1, 1, most);
  const games::AnyGame& now = seat.table->game();
  const games::BoardShape shape = now.shape();
  games::Parameters parameters = seat.table->history().begun_with();
  try {
    if (parameters.has("size") && columns == rows) {
      parameters.set("size", std::to_string(columns));
    } else if (arguments.size() == 1 ? columns != shape.side()
                                     : columns != shape.width || rows != shape.height) {
      throw games::BadGame("this game has " + std::to_string(shape.width) + " columns and " +
                           std::to_string(shape.height) + " rows");
    }
    seat.table->new_game(now.name(), parameters);
  } catch (const games::BadGame& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 std::string("unacceptable size: ") + bad.what());
  }
  return {};
}

Outcome rectangular_boardsize(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(2, 2, "COLUMNS ROWS");
  return boardsize(seat, arguments);
}

Outcome clear_board(Seat& seat, const protocol::Arguments&) {
  seat.table->clear();
  return {};
}

/// No game here has a komi; GTP wants any number accepted.
Outcome komi(Seat&, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "KOMI");
  static_cast<void>(arguments.number(0));
  return {};
}

/// Only the side to move may play: GUIs, which send moves twice, rely on it. A colour alone is no
/// move, even where its letter could be one.
Outcome play(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::string_view usage = "[COLOUR] MOVE";
  arguments.expect(1, 2, usage);
  if (arguments.size() == 2) {
    play_in_turn(seat, seat.colour(arguments, 0), arguments.word(1));
  } else {
    if (seat.colour_if_any(arguments, 0)) arguments.expect(2, 2, usage);
    play_in_turn(seat, seat.table->game().to_move(), arguments.word(0));
  }
  return {};
}

Outcome to_move(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  if (game.result().finished()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "the game is over: " + games::result_in_words(game));
  }
  return std::string(game.name_of(game.to_move()));
}

Outcome undo(Seat& seat, const protocol::Arguments&) {
  take_back(seat, 1);
  return {};
}

Outcome legal_moves(Seat& seat, const protocol::Arguments&) {
  return words(seat.spoken(seat.table->game().legal_moves()));
}
Outcome moves(Seat& seat, const protocol::Arguments&) {
  return words(seat.spoken(seat.table->history().moves()));
}
Outcome showboard(Seat& seat, const protocol::Arguments&) {
  return "\n" + seat.table->game().board_text();
}
Outcome get_position(Seat& seat, const protocol::Arguments&) {
  return seat.table->game().position();
}

Outcome position(Seat& seat, const protocol::Arguments& arguments) {
  if (arguments.size() == 0)
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected ROWS COLOUR [EXTRA]");
  seat.table->history().set_position(arguments.text());
  return {};
}

Outcome static_value(Seat& seat, const protocol::Arguments&) {
  const auto value = seat.table->game().static_value();
  if (!value)
    throw protocol::CommandError(protocol::FailureCode::unsupported,
                                 std::string(seat.table->game().name()) + " has no static value");
  std::ostringstream text;
  text.setf(std::ios::fixed);
  text.precision(12);
  text << *value;
  return text.str();
}

Outcome final_score(Seat& seat, const protocol::Arguments&) {
  const games::AnyGame& game = seat.table->game();
  if (!game.result().finished())
    throw protocol::CommandError(protocol::FailureCode::wrong_state,
                                 "cannot score: the game is not over");
  return games::score_text(game);
}

Outcome state(Seat& seat, const protocol::Arguments& arguments) {
  bool with_planes = false;
  bool with_steps = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments.word(i);
    if (games::same_ignoring_case(word, "planes")) {
      with_planes = true;
    } else if (games::same_ignoring_case(word, "steps")) {
      with_steps = true;
    } else {
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   "syntax error: expected [planes] [steps], not '" + word + "'");
    }
  }
  const auto view = seat.looks_at();
  const games::AnyGame& game = *view->game;
  return protocol::state_json({.start = *view->start,
                               .now = game,
                               .moves = view->moves,
                               .movers = view->movers,
                               .time = view->clock.settings(),
                               .left = view->clock.left(),
                               .with_steps = with_steps,
                               .with_planes = with_planes});
}

Outcome geometry(Seat& seat, const protocol::Arguments&) {
  return protocol::geometry_json(*seat.looks_at()->game);
}

Outcome perft(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "DEPTH");
  return std::unique_ptr<Job>(
      std::make_unique<PerftJob>(seat.table->game(), static_cast<int>(arguments.whole(0, 0, 64))));
}

constexpr std::array<Command, 19> game_rows{{
    {"games", "[json]", "the games, one a line; as JSON with their parameters", false, list_games,
     protocol::Right::watch, Needs::nothing},
    {"game", "[NAME [key=value ...]]", "starts a new game; alone: the game and its parameters",
     false, game, protocol::Right::play},
    {"boardsize", "SIZE, or COLUMNS ROWS", "starts a new game on a board of this size", false,
     boardsize, protocol::Right::play},
    {"rectangular_boardsize", "COLUMNS ROWS", "the same", false, rectangular_boardsize,
     protocol::Right::play},
    {"clear_board", "", "starts the same game anew", false, clear_board, protocol::Right::play},
    {"komi", "KOMI", "accepted and ignored", false, komi, protocol::Right::play},
    {"play", "[COLOUR] MOVE", "plays a move, of the side to move if no colour is given", false,
     play, protocol::Right::play, Needs::table, Handled::by_length, false, true},
    {"to_move", "", "the colour of the side to move; a failure if the game is over", false, to_move,
     protocol::Right::watch},
    {"undo", "", "takes the last move back", false, undo, protocol::Right::play},
    {"legal_moves", "", "moves of the side to move, sorted", false, legal_moves,
     protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"moves", "", "moves played so far", false, moves, protocol::Right::watch},
    {"position", "ROWS COLOUR [EXTRA]", "sets a position", false, position, protocol::Right::play},
    {"get_position", "", "the position as `position` takes it", false, get_position,
     protocol::Right::watch},
    {"showboard", "", "a picture of the board, with the side to move or who has won", false,
     showboard, protocol::Right::watch},
    {"static_value", "", "static value of the position for the first player, 0 to 1", false,
     static_value, protocol::Right::watch},
    {"final_score", "",
     "who has won and by how much: B+n, W+n; 0 for a draw; in rolit the letters of all that share "
     "it, R+n, RG+0",
     false, final_score, protocol::Right::watch},
    {"state", "[planes] [steps]",
     "the game so far, the position and what may be played in it, as JSON; what networks see of "
     "it; "
     "the points of each move",
     false, state, protocol::Right::watch, Needs::table, Handled::elsewhere, true},
    {"geometry", "", "the board and its pieces, as JSON", false, geometry, protocol::Right::watch,
     Needs::table, Handled::elsewhere, true},
    {"perft", "DEPTH", "number of move sequences of exactly DEPTH plies", true, perft,
     protocol::Right::play},
}};

}  // namespace

std::span<const Command> game_commands() { return game_rows; }

}  // namespace pitboss::server
