#include "games/cannon.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "games/grid.hpp"
#include "tests/games/battery.hpp"
#include "tests/games/naive.hpp"

namespace pitboss::games {
namespace {

struct Point {
  int x;
  int y;
  friend auto operator<=>(const Point&, const Point&) = default;
  [[nodiscard]] Point on(int dx, int dy, int n = 1) const { return {x + n * dx, y + n * dy}; }
  [[nodiscard]] bool on_board() const { return 0 <= x && x < 10 && 0 <= y && y < 10; }
  [[nodiscard]] std::string text() const { return point_text(x, y); }
};

/// What has been seen of the rarer rules.
std::map<std::string, int> occurred;

/// The rules on a map from points to letters as in positions, move by move and point by point.
class Reference {
 public:
  explicit Reference(bool paper) : paper_(paper) {
    for (int y = 1; y <= 3; ++y) {
      for (const char column : {'b', 'd', 'f', 'h', 'k'}) at_[point(column, y)] = 'X';
      for (const char column : {'a', 'c', 'e', 'g', 'j'}) at_[point(column, y + 5)] = 'O';
    }
  }

  [[nodiscard]] char to_move() const { return plies_ % 2 == 0 ? 'b' : 'w'; }

  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> moves;
    if (plies_ < 2) {
      for (int x = paper_ ? 0 : 1; x < (paper_ ? 10 : 9); ++x) {
        moves.push_back(Point{x, plies_ == 0 ? 0 : 9}.text());
      }
      return moves;
    }
    for (const auto& [p, piece] : at_) {
      if (piece == own()) add_moves(p, moves);
    }
    if (paper_) {
      std::erase_if(moves, [&](const std::string& move) {
        const char town = own_town();
        Reference after = *this;
        after.play(move);
        // Is there a way to take the town now? It is no move in this program, but would be one.
        after.paper_ = false;
        for (const std::string& answer : after.legal_moves()) {
          Reference later = after;
          later.play(answer);
          if (!later.find(town)) return true;
        }
        return false;
      });
    }
    return moves;
  }

  void play(const std::string& move) {
    const auto names = points_of(move);
    if (names.size() == 1) {
      at_[place(names[0])] = own_town();
    } else if (move.find('x') != std::string::npos) {
      at_.erase(place(names[1]));
    } else {
      at_.erase(place(names[0]));
      at_[place(names[1])] = own();
    }
    ++plies_;
  }

  [[nodiscard]] std::string winners() const {
    const std::string last = to_move() == 'b' ? "w" : "b";
    if (plies_ >= 2 && !find(own_town())) return last;
    if (plies_ >= 2 && legal_moves().empty()) return last;
    return plies_ >= 1000 ? "bw" : "";
  }

 private:
  [[nodiscard]] static Point point(char letter, int y) {
    return {static_cast<int>(std::string("abcdefghjk").find(letter)), y};
  }
  [[nodiscard]] static Point place(const std::string& name) {
    const auto found = place_of(name);
    return {found->x, found->y};
  }
  [[nodiscard]] char own() const { return plies_ % 2 == 0 ? 'X' : 'O'; }
  [[nodiscard]] char enemy() const { return plies_ % 2 == 0 ? 'O' : 'X'; }
  [[nodiscard]] char own_town() const { return plies_ % 2 == 0 ? 'B' : 'W'; }
  [[nodiscard]] char enemy_town() const { return plies_ % 2 == 0 ? 'W' : 'B'; }
  [[nodiscard]] char at(Point p) const {
    if (!p.on_board()) return '?';
    const auto found = at_.find(p);
    return found == at_.end() ? '.' : found->second;
  }
  [[nodiscard]] bool find(char piece) const {
    return std::ranges::any_of(at_, [&](const auto& entry) { return entry.second == piece; });
  }
  /// What the side to move may take.
  [[nodiscard]] bool is_prey(Point p) const {
    return at(p) == enemy() || (!paper_ && at(p) == enemy_town());
  }
  [[nodiscard]] bool is_pressed(Point p) const {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (is_prey(p.on(dx, dy))) return true;
      }
    }
    return false;
  }

  void add_moves(Point p, std::vector<std::string>& moves) const {
    const int up = plies_ % 2 == 0 ? 1 : -1;
    for (int dx = -1; dx <= 1; ++dx) {
      const Point ahead = p.on(dx, up);
      if (at(ahead) == '.' || is_prey(ahead)) moves.push_back(p.text() + ahead.text());
      if (dx != 0 && is_prey(p.on(dx, 0))) moves.push_back(p.text() + p.on(dx, 0).text());
      const Point behind = p.on(dx, -up, 2);
      if (is_pressed(p) && at(p.on(dx, -up)) == '.' && at(behind) == '.') {
        moves.push_back(p.text() + behind.text());
        ++occurred["retreat"];
      }
    }
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (dx != 0 || dy != 0) add_cannon(p, dx, dy, moves);
      }
    }
  }
  /// The cannon with its rear on `p` that points that way.
  void add_cannon(Point p, int dx, int dy, std::vector<std::string>& moves) const {
    const Point front = p.on(dx, dy, 2);
    const Point ahead = front.on(dx, dy);
    if (at(p.on(dx, dy)) != own() || at(front) != own() || at(ahead) != '.') return;
    moves.push_back(p.text() + ahead.text());
    ++occurred["shift"];
    for (const int n : {2, 3}) {
      const Point target = front.on(dx, dy, n);
      if (!is_prey(target)) continue;
      moves.push_back(front.text() + "x" + target.text());
      ++occurred["shot at " + std::to_string(n)];
      if (n == 3 && at(front.on(dx, dy, 2)) != '.') ++occurred["shot over"];
      if (at(target) == enemy_town()) ++occurred["shot at town"];
    }
  }

  std::map<Point, char> at_;
  int plies_ = 0;
  bool paper_;
};

TEST_CASE("Cannon against a slow reference") {
  std::map<std::string, int> ends;
  const auto seen = [&](const AnyGame& game) {
    if (game.result().finished()) ++ends[outcome(game)];
  };
  occurred.clear();
  compare_with("cannon", 60, Reference(false), seen);
  compare_with("cannon rules=paper", 4, Reference(true), seen);
  for (const char* rule :
       {"retreat", "shift", "shot at 2", "shot at 3", "shot over", "shot at town"}) {
    CAPTURE(rule);
    CHECK(occurred[rule] > 50);
  }
  CHECK(ends["B+1"] > 10);
  CHECK(ends["W+1"] > 10);
}

}  // namespace
}  // namespace pitboss::games
