#include "games/board_graph.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>

#include "games/target.hpp"
#include "games/unboxed.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

BoardGraph graph_of(std::string_view line) {
  std::optional<BoardGraph> graph;
  unboxed(*game_of(line), [&](const auto& game) { graph = board_graph(game); });
  return *graph;
}

std::string around(const BoardGraph& graph, std::string_view point) {
  const auto x = static_cast<int>(std::string_view("abcdefghjklmnopqrst").find(point[0]));
  const int y = std::stoi(std::string(point.substr(1))) - 1;
  const int p = graph.shape().point(x, y);
  std::string text;
  for (int i = 0; i < graph.arity(p); ++i) {
    const int q = graph.neighbour(p, i);
    text += (i == 0 ? "" : " ") +
            (q == BoardGraph::off ? "-"
                                  : point_text(q % graph.shape().stride, q / graph.shape().stride));
  }
  return text;
}

TEST_CASE("BoardGraph: neighbours, clockwise from the north") {
  struct Row {
    std::string_view game;
    std::string_view point;
    std::string_view neighbours;
  };
  const std::vector<Row> rows{
      // Squares: no diagonals
      {"connect4", "d3", "d4 e3 d2 c3"},
      {"connect4", "g6", "- - g5 f6"},
      {"breakthrough size=5", "a1", "a2 b1 - -"},
      {"teeko", "e5", "- - e4 d5"},
      {"gomoku size=19", "t19", "- - t18 s19"},
      // Hexagons
      {"yavalath", "e5", "e6 f6 f5 e4 d4 d5"},
      {"yavalath", "a1", "a2 b2 b1 - - -"},
      {"yavalath", "a5", "- b6 b5 a4 - -"},
      {"chinesecheckers", "g7", "g8 h8 h7 g6 f6 f7"},
      {"hex", "f6", "f7 g6 g5 f5 e6 e7"},
      {"hex", "a1", "a2 b1 - - - -"},
      // The Alquerque board
      {"fanorona", "e3", "e4 f4 f3 f2 e2 d2 d3 d4"},
      {"fanorona", "d3", "d4 e3 d2 c3"},
      {"fanorona", "a1", "a2 b2 b1 - - - - -"},
      {"fanorona", "j2", "j3 - j1 h2"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.game);
    CAPTURE(row.point);
    CHECK(around(graph_of(row.game), row.point) == row.neighbours);
  }
}

TEST_CASE("BoardGraph: neighbours are neighbours of one another, in every game") {
  for (const std::string_view line :
       {"connect4", "othello", "breakthrough", "knightthrough", "atarigo", "gomoku size=15",
        "amazons", "cannon", "chinesecheckers board=full", "pentalath", "fanorona", "hex size=19",
        "teeko", "yavalath", "rolit"}) {
    CAPTURE(line);
    const BoardGraph graph = graph_of(line);
    for (const int p : graph.points()) {
      for (int i = 0; i < graph.arity(p); ++i) {
        const int q = graph.neighbour(p, i);
        if (q == BoardGraph::off) continue;
        const int back = graph.index_of(q, p);
        CHECK(graph.neighbour(q, back) == p);
        // Straight back is half a turn away.
        CHECK(24 * back / graph.arity(q) == (24 * i / graph.arity(p) + 12) % 24);
        CHECK(graph.neighbour(p, i - graph.arity(p)) == q);
      }
    }
  }
}

TEST_CASE("HasOrigin: the point from which a man moves, as in the move's text") {
  for (const std::string_view line : {"breakthrough", "knightthrough size=6", "amazons", "cannon",
                                      "chinesecheckers", "fanorona", "teeko"}) {
    CAPTURE(line);
    const auto boxed = game_of(line);
    unboxed(*boxed, [&]<class G>(const G& initial) {
      if constexpr (HasOrigin<G>) {
        Random random(1);
        G game = initial;
        for (int ply = 0; ply < 40 && !game.result().finished(); ++ply) {
          MoveList<G::max_moves> moves;
          game.legal_moves(moves);
          for (const Move move : moves) {
            const int from = game.origin(move);
            const auto letters = std::ranges::count_if(
                game.text(move), [](unsigned char c) { return std::isalpha(c) != 0; });
            // A pass, or one point: nothing comes from anywhere.
            if (game.target(move) < 0 || letters == 1) {
              CHECK(from == -1);
            } else {
              const int stride = game.shape().stride;
              CHECK(game.text(move).starts_with(point_text(from % stride, from / stride)));
            }
          }
          game.play(random_move(game, random));
        }
      } else {
        FAIL("no origins");
      }
    });
  }
}

}  // namespace
}  // namespace pitboss::games
