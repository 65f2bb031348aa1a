#include <algorithm>
#include <array>

#include "games/grid.hpp"
#include "games/records/position_editor.hpp"
#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"

namespace pitboss::server {

namespace {

using games::Colour;
using games::Place;

/// The points with stones on them.
std::vector<Place> stones_on(const games::AnyGame& game) {
  const games::PositionEditor board(game);
  std::vector<Place> places = board.places();
  std::erase_if(places, [&](Place p) { return board.at(p) == games::PositionEditor::empty; });
  return places;
}

/// The points of `stones` fixed handicap stones in Go (GTP 2, section 4.1.1), in order; empty if
/// the board has no room for so many.
std::vector<Place> handicap_points(const games::BoardShape& shape, int stones) {
  constexpr int least = 7;
  constexpr int large = 13;
  if (shape.width != shape.height || shape.width < least || stones < 2) return {};
  const int low = shape.width < large ? 2 : 3;
  const int high = shape.width - 1 - low;
  const int middle = shape.width / 2;
  const bool only_corners = shape.width % 2 == 0 || shape.width == least;
  std::vector<Place> points{{low, low}, {high, high}, {low, high}, {high, low}};
  constexpr int corners = 4;
  constexpr int most = 9;
  if (stones > (only_corners ? corners : most)) return {};
  if (stones >= corners + 2) {
    points.insert(points.end(), {{low, middle}, {high, middle}});
    if (stones >= most - 1) points.insert(points.end(), {{middle, low}, {middle, high}});
  }
  points.resize(std::min<std::size_t>(points.size(), static_cast<std::size_t>(stones)));
  if (static_cast<int>(points.size()) < stones) points.emplace_back(middle, middle);
  return points;
}

/// Throws CommandError with GTP's words if there are stones or moves already.
void check_empty(const Table& table) {
  if (!table.history().moves().empty() || !stones_on(table.game()).empty()) {
    throw protocol::CommandError(protocol::FailureCode::wrong_state, "board not empty");
  }
}

/// Puts black stones on the points; white is to move.
void set_handicap(Table& table, const std::vector<Place>& points) {
  games::PositionEditor editor(table.game());
  for (const Place p : points) editor.put(p, games::PositionEditor::stone(Colour::black));
  editor.to_move = Colour::white;
  try {
    table.history().start_from(editor.apply(table.game()));
  } catch (const games::BadGame& bad) {
    throw protocol::CommandError(
        protocol::FailureCode::unsupported,
        std::string(table.game().name()) + " has no handicap: " + bad.what());
  }
}

/// The points as the connection writes them.
std::vector<std::string> texts(const Seat& seat, const std::vector<Place>& points) {
  std::vector<std::string> list;
  for (const auto& [x, y] : points) list.push_back(seat.spoken(games::point_text(x, y)));
  return list;
}

/// A number of stones; does not check that the board has room for them.
int stones_in(const protocol::Arguments& arguments) {
  constexpr int most = 2147483647;
  return static_cast<int>(arguments.whole(0, 0, most));
}

Outcome fixed_handicap(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "STONES");
  const auto stones = stones_in(arguments);
  check_empty(*seat.table);
  const auto points = handicap_points(seat.table->game().shape(), stones);
  if (points.empty())
    throw protocol::CommandError(protocol::FailureCode::bad_argument, "invalid number of stones");
  set_handicap(*seat.table, points);
  return words(texts(seat, points));
}

/// The fixed points are good points; GTP allows an engine to place fewer stones than it is offered.
Outcome place_free_handicap(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "STONES");
  int stones = stones_in(arguments);
  check_empty(*seat.table);
  const games::BoardShape shape = seat.table->game().shape();
  if (stones >= shape.width * shape.height)
    throw protocol::CommandError(protocol::FailureCode::bad_argument, "invalid number of stones");
  auto points = handicap_points(shape, stones);
  while (points.empty() && stones > 2) points = handicap_points(shape, --stones);
  if (points.empty())
    throw protocol::CommandError(protocol::FailureCode::bad_argument, "invalid number of stones");
  set_handicap(*seat.table, points);
  return words(texts(seat, points));
}

Outcome set_free_handicap(Seat& seat, const protocol::Arguments& arguments) {
  constexpr std::size_t least = 2;
  if (arguments.size() < least)
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "bad vertex list: expected two points or more");
  check_empty(*seat.table);
  const games::PositionEditor board(seat.table->game());
  std::vector<Place> points;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    try {
      points.push_back(board.place(seat.heard(arguments.word(i))));
    } catch (const games::BadGame& bad) {
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   std::string("bad vertex list: ") + bad.what());
    }
    if (std::ranges::count(points, points.back()) > 1) {
      throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                   "bad vertex list: " + arguments.word(i) + " is there twice");
    }
  }
  set_handicap(*seat.table, points);
  return {};
}

Outcome set_position(Seat& seat, const protocol::Arguments& arguments) {
  set_stones(seat, arguments);
  return {};
}

/// In these games no stone on the board is dead or in a seki.
Outcome final_status_list(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 1, "alive, seki or dead");
  const std::string& status = arguments.word(0);
  if (status == "seki" || status == "dead") return {};
  if (status != "alive")
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected alive, seki or dead");
  return lines(texts(seat, stones_on(seat.table->game())));
}

constexpr std::array<Command, 5> setup_rows{{
    {"fixed_handicap", "STONES", "puts black's handicap stones on fixed points, and tells them",
     false, fixed_handicap, protocol::Right::play},
    {"place_free_handicap", "STONES", "puts up to so many handicap stones, and tells where", false,
     place_free_handicap, protocol::Right::play},
    {"set_free_handicap", "POINT POINT ...", "puts black's handicap stones there", false,
     set_free_handicap, protocol::Right::play},
    {"set_position", "[COLOUR POINT ...]", "sets a position with these stones", false, set_position,
     protocol::Right::play},
    {"final_status_list", "alive / seki / dead", "the points of such stones, one a line", false,
     final_status_list, protocol::Right::watch},
}};

}  // namespace

void set_stones(Seat& seat, const protocol::Arguments& arguments) {
  if (arguments.size() % 2 != 0)
    throw protocol::CommandError(protocol::FailureCode::bad_argument,
                                 "syntax error: expected COLOUR POINT pairs");
  const games::AnyGame& game = seat.table->game();
  games::PositionEditor position(game);
  position.clear();
  position.extra.clear();
  try {
    for (std::size_t i = 0; i < arguments.size(); i += 2) {
      const Colour colour = arguments.colour(i, game);
      const Place place = position.place(seat.heard(arguments.word(i + 1)));
      if (position.at(place) != games::PositionEditor::empty) {
        throw games::BadGame(arguments.word(i + 1) + " is there twice");
      }
      position.put(place, game.piece_letters()[games::index(colour)]);
    }
  } catch (const games::BadSyntax& bad) {
    refuse_move(bad);
  }
  // Lets the first colour move for which the game accepts the position.
  for (int turn = 0;; ++turn) {
    position.to_move = static_cast<Colour>(turn);
    try {
      return seat.table->history().start_from(position.apply(game));
    } catch (const games::BadGame&) {
      if (turn + 1 == game.players()) throw;
    }
  }
}

std::span<const Command> setup_commands() { return setup_rows; }

}  // namespace pitboss::server
