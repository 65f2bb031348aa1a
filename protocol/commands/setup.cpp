#include <algorithm>
#include <array>

#include "games/grid.hpp"
#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"
#include "protocol/position_editor.hpp"

namespace pitboss::protocol {

namespace {

using games::Colour;
using Point = std::pair<int, int>;

bool is_empty(const PositionEditor& editor, const games::BoardShape& shape) {
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      if (editor.has(x, y) && editor.at(x, y) != PositionEditor::empty) return false;
    }
  }
  return true;
}

/// The points on which Go puts fixed handicap stones (GTP 2, section 4.1.1), in the order for
/// `stones` of them; empty if the board has no room for so many.
std::vector<Point> handicap_points(const games::BoardShape& shape, int stones) {
  constexpr int least = 7;
  constexpr int large = 13;
  if (shape.width != shape.height || shape.width < least || stones < 2) return {};
  const int low = shape.width < large ? 2 : 3;
  const int high = shape.width - 1 - low;
  const int middle = shape.width / 2;
  const bool only_corners = shape.width % 2 == 0 || shape.width == least;
  std::vector<Point> points{{low, low}, {high, high}, {low, high}, {high, low}};
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

/// Throws what GTP wants said when there are stones already.
void check_empty(const Table& table) {
  if (!table.moves().empty() || !is_empty(PositionEditor(table.game()), table.game().shape())) {
    throw CommandError("board not empty");
  }
}

/// Black's stones, and white to move.
void set_handicap(Table& table, const std::vector<Point>& points) {
  PositionEditor editor(table.game());
  for (const auto& [x, y] : points) editor.put(x, y, PositionEditor::stone(Colour::black));
  editor.to_move = Colour::white;
  try {
    table.start_from(editor.apply(table.game()));
  } catch (const games::BadGame& bad) {
    throw CommandError(std::string(table.game().name()) + " has no handicap: " + bad.what());
  }
}

std::string texts(const std::vector<Point>& points) {
  std::vector<std::string> list;
  for (const auto& [x, y] : points) list.push_back(games::point_text(x, y));
  return words(list);
}

constexpr int most_stones = 361;

Outcome fixed_handicap(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "STONES");
  const auto stones = static_cast<int>(arguments.whole(0, 0, most_stones));
  check_empty(*seat.table);
  const auto points = handicap_points(seat.table->game().shape(), stones);
  if (points.empty()) throw CommandError("invalid number of stones");
  set_handicap(*seat.table, points);
  return texts(points);
}

/// The fixed points are good points; GTP allows an engine to place fewer stones than it is offered.
Outcome place_free_handicap(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "STONES");
  auto stones = static_cast<int>(arguments.whole(0, 0, most_stones));
  check_empty(*seat.table);
  const games::BoardShape shape = seat.table->game().shape();
  if (stones >= shape.width * shape.height) throw CommandError("invalid number of stones");
  auto points = handicap_points(shape, stones);
  while (points.empty() && stones > 2) points = handicap_points(shape, --stones);
  if (points.empty()) throw CommandError("invalid number of stones");
  set_handicap(*seat.table, points);
  return texts(points);
}

/// The point of the board that an argument names.
Point board_point(const Arguments& arguments, std::size_t i, const PositionEditor& editor) {
  const Point point = parse_point(arguments.word(i));
  if (!editor.has(point.first, point.second)) {
    throw games::BadGame("'" + arguments.word(i) + "' is not on the board");
  }
  return point;
}

Outcome set_free_handicap(Seat& seat, const Arguments& arguments) {
  constexpr std::size_t least = 2;
  if (arguments.size() < least) throw CommandError("bad vertex list: expected two points or more");
  check_empty(*seat.table);
  const PositionEditor board(seat.table->game());
  std::vector<Point> points;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    try {
      points.push_back(board_point(arguments, i, board));
    } catch (const games::BadGame& bad) {
      throw CommandError(std::string("bad vertex list: ") + bad.what());
    }
    if (std::ranges::count(points, points.back()) > 1) {
      throw CommandError("bad vertex list: " + arguments.word(i) + " is there twice");
    }
  }
  set_handicap(*seat.table, points);
  return {};
}

/// Black is to move if such a position can be, else white.
Outcome set_position(Seat& seat, const Arguments& arguments) {
  constexpr std::string_view usage = "COLOUR POINT COLOUR POINT ...";
  if (arguments.size() % 2 != 0) throw CommandError("syntax error: expected " + std::string(usage));
  PositionEditor editor(seat.table->game());
  editor.clear();
  editor.extra.clear();
  for (std::size_t i = 0; i < arguments.size(); i += 2) {
    const Colour colour = arguments.colour(i);
    const auto [x, y] = board_point(arguments, i + 1, editor);
    if (editor.at(x, y) != PositionEditor::empty) {
      throw CommandError(arguments.word(i + 1) + " is there twice");
    }
    editor.put(x, y, PositionEditor::stone(colour));
  }
  editor.to_move = Colour::black;
  try {
    seat.table->start_from(editor.apply(seat.table->game()));
  } catch (const games::BadGame&) {
    editor.to_move = Colour::white;
    seat.table->start_from(editor.apply(seat.table->game()));
  }
  return {};
}

/// In none of the games is a stone dead, or alive in a seki, while it lies on the board.
Outcome final_status_list(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 1, "alive, seki or dead");
  const std::string& status = arguments.word(0);
  if (status == "seki" || status == "dead") return {};
  if (status != "alive") throw CommandError("syntax error: expected alive, seki or dead");
  const PositionEditor board(seat.table->game());
  const games::BoardShape shape = seat.table->game().shape();
  std::vector<std::string> points;
  for (int y = 0; y < shape.height; ++y) {
    for (int x = 0; x < shape.width; ++x) {
      if (board.has(x, y) && board.at(x, y) != PositionEditor::empty) {
        points.push_back(games::point_text(x, y));
      }
    }
  }
  return lines(points);
}

constexpr std::array<Command, 5> list{{
    {"fixed_handicap", "STONES", "puts black's handicap stones on fixed points, and tells them",
     false, fixed_handicap},
    {"place_free_handicap", "STONES", "puts up to so many handicap stones, and tells where", false,
     place_free_handicap},
    {"set_free_handicap", "POINT POINT ...", "puts black's handicap stones there", false,
     set_free_handicap},
    {"set_position", "[COLOUR POINT ...]", "sets a position with these stones", false,
     set_position},
    {"final_status_list", "alive / seki / dead", "the points of such stones, one a line", false,
     final_status_list},
}};

}  // namespace

std::span<const Command> setup_commands() { return list; }

}  // namespace pitboss::protocol
