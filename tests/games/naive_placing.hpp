#pragma once

#include <map>
#include <utility>

#include "tests/games/naive.hpp"

/// What the slow references of games that place stones share: a map from points to stones, the
/// swap rule, and positions made of lists of points.
namespace pitboss::games {

/// The position text of stones on the given points; `rest` is the side to move and what follows.
[[nodiscard]] inline std::string stones_on(std::string_view line, std::string_view black,
                                           std::string_view white, std::string_view rest) {
  Picture picture(*game_of(line));
  const auto put = [&](std::string_view points, char stone) {
    for (const std::string& point : split(points)) {
      const Place place = place_of(point).value();
      picture.put(place.x, place.y, stone);
    }
  };
  put(black, 'X');
  put(white, 'O');
  return picture.rows() + " " + std::string(rest);
}

/// The position with the stones of both colours and the side to move exchanged.
[[nodiscard]] inline std::string recoloured(const AnyGame& game) {
  Picture picture(game);
  picture.for_each([&](int x, int y) {
    const char c = picture.at(x, y);
    if (c == 'X' || c == 'O') picture.put(x, y, other(c));
  });
  return picture.rows() + (picture.mover() == 'X' ? " w" : " b");
}

/// A board as a map, and the moves that put stones on it. A reference derives from it.
class NaivePlacing {
 public:
  using Point = std::pair<int, int>;
  using Steps = std::vector<Point>;

  NaivePlacing(bool swap, Steps directions) : directions_(std::move(directions)), swap_(swap) {}

  void add_point(int x, int y) { board_[{x, y}] = '.'; }
  [[nodiscard]] char to_move() const { return plies_ % 2 == 0 ? 'b' : 'w'; }

 protected:
  [[nodiscard]] char mover() const { return plies_ % 2 == 0 ? 'X' : 'O'; }
  [[nodiscard]] char at(Point p) const {
    const auto found = board_.find(p);
    return found == board_.end() ? '#' : found->second;
  }
  [[nodiscard]] std::vector<Point> holding(char c) const {
    std::vector<Point> points;
    for (const auto& [point, stone] : board_) {
      if (stone == c) points.push_back(point);
    }
    return points;
  }
  [[nodiscard]] bool may_swap() const { return swap_ && plies_ == 1; }
  [[nodiscard]] static std::string text(Point p) {
    return std::string(1, "abcdefghjklmnopqrstuvwxyz"[p.first]) + std::to_string(p.second + 1);
  }
  /// Where the stone of that move went: on it, if it was swap.
  Point put(const std::string& move) {
    const bool swapped = move == "swap";
    const Point p =
        swapped ? holding('X').at(0) : Point{place_of(move).value().x, place_of(move).value().y};
    board_[p] = mover();
    ++plies_;
    return p;
  }
  /// How many stones of `c` stand in line from `p`, one of them, in that direction.
  [[nodiscard]] int reach(Point p, Point direction, char c) const {
    int n = 0;
    while (at(p) == c) {
      p = {p.first + direction.first, p.second + direction.second};
      ++n;
    }
    return n;
  }
  /// The longest line of `c` on the board.
  [[nodiscard]] int longest_line(char c) const {
    int longest = 0;
    for (const Point& p : holding(c)) {
      for (const Point& d : directions_) longest = std::max(longest, reach(p, d, c));
    }
    return longest;
  }
  [[nodiscard]] std::vector<Point> neighbours(Point p) const {
    std::vector<Point> all;
    for (const auto& [dx, dy] : directions_) {
      const Point q{p.first + dx, p.second + dy};
      if (at(q) != '#') all.push_back(q);
    }
    return all;
  }

  std::map<Point, char> board_;
  Steps directions_;
  bool swap_;
  int plies_ = 0;
};

/// The directions of the hexagon and of hex's rhombus.
inline const NaivePlacing::Steps hexagon_steps = {{1, 0},  {-1, 0}, {0, 1},
                                                  {0, -1}, {1, 1},  {-1, -1}};
inline const NaivePlacing::Steps rhombus_steps = {{1, 0},  {-1, 0}, {0, 1},
                                                  {0, -1}, {1, -1}, {-1, 1}};

/// The hexagon of side 5: rows of 5, 6, 7, 8, 9, 8, 7, 6, 5 points.
inline void add_hexagon(NaivePlacing& game) {
  for (int y = 0; y < 9; ++y) {
    const int length = y < 5 ? 5 + y : 13 - y;
    const int from = y < 5 ? 0 : y - 4;
    for (int x = from; x < from + length; ++x) game.add_point(x, y);
  }
}

}  // namespace pitboss::games
