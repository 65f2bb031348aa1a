#include "games/rolit.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "games/grid.hpp"
#include "games/notation.hpp"
#include "tests/games/naive.hpp"

namespace pitboss::games {
namespace {

/// The rules once more (me-mcts.md A10, rules-decisions.md), on a map from points to letters.
class SlowRolit {
 public:
  explicit SlowRolit(int players) : players_(players) {
    balls_ = {{{3, 4}, 'r'}, {{4, 4}, 'y'}, {{4, 3}, 'g'}, {{3, 3}, 'b'}};
  }

  [[nodiscard]] std::vector<std::string> legal_moves() const {
    std::vector<std::string> turning;
    std::vector<std::string> beside;
    for (int y = 0; y < 8 && winners().empty(); ++y) {
      for (int x = 0; x < 8; ++x) {
        if (balls_.contains({x, y})) continue;
        if (!turned(x, y).empty()) turning.push_back(point_text(x, y));
        if (has_neighbour(x, y)) beside.push_back(point_text(x, y));
      }
    }
    return turning.empty() ? beside : turning;
  }
  void play(const std::string& move) {
    const Place at = *place_of(move);
    const auto turns = turned(at.x, at.y);
    free_placements += turns.empty() ? 1 : 0;
    for (const Point& p : turns) balls_[p] = to_move();
    balls_[{at.x, at.y}] = to_move();
    mover_ = (mover_ + 1) % players_;
  }
  [[nodiscard]] char to_move() const { return "rygb"[mover_]; }
  [[nodiscard]] std::string winners() const {
    if (balls_.size() < 64) return "";
    std::map<char, int> counts;
    for (const auto& [point, ball] : balls_) ++counts[ball];
    int most = 0;
    for (const char c : players()) most = std::max(most, counts[c]);
    std::string best;
    for (const char c : players()) {
      if (counts[c] == most) best += c;
    }
    return best;
  }

  inline static int free_placements = 0;

 private:
  using Point = std::pair<int, int>;

  [[nodiscard]] std::string players() const { return std::string("rygb").substr(0, players_); }
  [[nodiscard]] bool has_neighbour(int x, int y) const {
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (balls_.contains({x + dx, y + dy})) return true;
      }
    }
    return false;
  }
  /// The balls that one of the side to move on (x, y) turns.
  [[nodiscard]] std::vector<Point> turned(int x, int y) const {
    std::vector<Point> all;
    for (int dx = -1; dx <= 1; ++dx) {
      for (int dy = -1; dy <= 1; ++dy) {
        if (dx == 0 && dy == 0) continue;
        std::vector<Point> run;
        Point p{x + dx, y + dy};
        for (; balls_.contains(p) && balls_.at(p) != to_move(); p = {p.first + dx, p.second + dy}) {
          run.push_back(p);
        }
        if (balls_.contains(p)) all.insert(all.end(), run.begin(), run.end());
      }
    }
    return all;
  }

  int players_;
  std::map<Point, char> balls_;
  int mover_ = 0;
};

TEST_CASE("Rolit against a slow reference") {
  for (const int players : {2, 3, 4}) {
    SlowRolit::free_placements = 0;
    compare_with("rolit players=" + std::to_string(players), 40, SlowRolit(players));
    CHECK(SlowRolit::free_placements > 10);
  }
}

// The worked example of the rules: red's first moves, and yellow without a ball.
TEST_CASE("Rolit's forced captures") {
  const auto game = game_of("rolit players=4");
  CHECK(moves_of(*game) == "d3 f3 f5");
  game->play("f5");
  CHECK(game->name_of(game->to_move()) == "yellow");
  CHECK(game->position().find('Y') == std::string::npos);
  CHECK(game->legal_moves().size() == 14);
  CHECK_THROWS_AS(game->play("a1"), BadGame);
  CHECK_THROWS_AS(game->play("pass"), BadGame);
}

/// A full board with as many balls of each colour as told.
std::string full_board(std::array<int, 4> counts) {
  std::string rows;
  int kind = 0;
  for (int i = 0; i < 64; ++i) {
    while (counts[kind] == 0) ++kind;
    --counts[kind];
    if (i > 0 && i % 8 == 0) rows += '/';
    rows += "RYGB"[kind];
  }
  return rows + " ";
}

// The point is shared among the colours that play; a colour that does not play cannot win.
TEST_CASE("Rolit's results") {
  struct Case {
    std::string_view line;
    std::array<int, 4> counts;
    std::string_view to_move;
    std::string_view score;
  };
  for (const auto& [line, counts, to_move, score] :
       std::vector<Case>{{"rolit players=2", {20, 24, 20, 0}, "r", "Y+4"},
                         {"rolit players=2", {10, 10, 44, 0}, "r", "0"},
                         {"rolit players=2", {1, 0, 33, 30}, "r", "R+1"},
                         {"rolit players=3", {20, 20, 4, 20}, "r", "RY+0"},
                         {"rolit players=3", {16, 16, 16, 16}, "r", "0"},
                         {"rolit players=4", {16, 16, 16, 16}, "r", "0"},
                         {"rolit players=4", {12, 20, 12, 20}, "r", "YB+0"},
                         {"rolit players=4", {12, 12, 12, 28}, "r", "B+16"}}) {
    const auto game = game_at(line, full_board(counts) + std::string(to_move));
    CHECK(score_text(*game) == score);
    CHECK(game->legal_moves().empty());
  }
  const auto three = game_at("rolit players=3", full_board({20, 20, 4, 20}) + "r");
  CHECK(three->result().share(Colour::red) == 0.5);
  CHECK(three->result().share(Colour::green) == 0.0);
}

TEST_CASE("Rolit's bad positions") {
  const auto game = game_of("rolit players=3");
  const std::string middle = "/......../......../...RY.../...BG.../......../......../........ ";
  for (const std::string& position :
       {"........" + middle + "y",  // after no placement it is red's turn
        "........" + middle + "b",  // blue does not play
        "........" + middle + "w",  // nor does white
        "........" + middle + "r x",
        "R......." + middle + "y",  // apart from the others
        "X......." + middle + "y",
        std::string("......../......../......../...RY.../...B..../......../......../........ r")}) {
    CAPTURE(position);
    CHECK_THROWS_AS(game->set_position(position), BadGame);
  }
  for (const std::string_view players : {"1", "5", "0", "two"}) {
    Parameters parameters;
    parameters.set("players", players);
    CHECK_THROWS_AS(static_cast<void>(make_game("rolit", parameters)), BadGame);
  }
}

// Every colour's value is between 0 and 1, together they are 1, and those who do not play have
// none.
TEST_CASE("Rolit::static_values()") {
  for (int players = 2; players <= 4; ++players) {
    Random random(static_cast<std::uint64_t>(players));
    Parameters parameters;
    parameters.set("players", std::to_string(players));
    Rolit game = Rolit::create(parameters);
    const auto first = game.static_values();
    for (int c = 0; c < players; ++c) CHECK(first[c] == doctest::Approx(1.0 / players));
    while (!game.result().finished()) {
      const auto values = game.static_values();
      double sum = 0;
      for (const double value : values) {
        CHECK(value >= 0);
        sum += value;
      }
      CHECK(sum == doctest::Approx(1));
      for (int c = players; c < 4; ++c) CHECK(values[c] == 0);
      game.play(random_move(game, random));
    }
  }
}

// Shares of 20,000 random games of an independent program, within 4 standard errors (of both).
TEST_CASE("Rolit's random games") {
  struct Expected {
    int players;
    double ties;
    std::array<double, 4> wins;
    double branching;
  };
  for (const auto& [players, ties, wins, branching] :
       {Expected{2, 0.049, {0.398, 0.553, 0, 0}, 8.52},
        Expected{3, 0.045, {0.217, 0.313, 0.426, 0}, 8.65},
        Expected{4, 0.058, {0.135, 0.190, 0.269, 0.348}, 8.25}}) {
    constexpr int games = 4000;
    std::array<int, 4> won{};
    int tied = 0;
    double moves = 0;
    Parameters parameters;
    parameters.set("players", std::to_string(players));
    Random random(1);
    for (int i = 0; i < games; ++i) {
      Rolit game = Rolit::create(parameters);
      for (int ply = 0; ply < 60; ++ply) {
        MoveList<Rolit::max_moves> list;
        game.legal_moves(list);
        moves += list.size();
        game.play(list[random.below(list.size())]);
      }
      tied += game.result().shared() ? 1 : 0;
      for (int c = 0; c < 4; ++c) won[c] += game.result().won_by(static_cast<Colour>(c)) ? 1 : 0;
    }
    const auto near = [&](double share, double expected) {
      const double variance = expected * (1 - expected) * (1.0 / games + 1.0 / 20000);
      return std::abs(share - expected) <= 4 * std::sqrt(variance) + 0.0005;
    };
    CHECK(near(tied / double{games}, ties));
    for (int c = 0; c < players; ++c) CHECK(near(won[c] / double{games}, wins[c]));
    CHECK(moves / (60.0 * games) == doctest::Approx(branching).epsilon(0.02));
  }
}

}  // namespace
}  // namespace pitboss::games
