#include "clients/players/told_search.hpp"

#include <doctest/doctest.h>

#include <vector>

namespace pitboss::clients {

TEST_CASE("ToldSearch: each figure stays until a later line says it anew") {
  struct Row {
    std::vector<const char*> lines;
    const char* text;
  };
  const Row rows[] = {
      {{}, ""},
      {{"depth 5 nodes 1234 score cp 12 pv P@a1 P@b1", "depth 6 currmove P@a1 currmovenumber 3"},
       "depth 6 score cp 12 nodes 1234 pv P@a1 P@b1"},
      {{"nodes 10", "depth 3", "nodes 20"}, "depth 3 nodes 20"},
      {{"score cp 5", "score mate -3", "score cp 40 lowerbound nodes 7"},
       "score cp 40 lowerbound nodes 7"},
      {{"pv a b c", "pv d"}, "pv d"},
      {{"depth 5 seldepth 9 time 3 nodes 8 nps 9 hashfull 1 pv a b"}, "depth 5 nodes 8 pv a b"},
      // Another line of play
      {{"multipv 1 depth 4 score cp 9 pv a", "multipv 2 depth 5 score cp -9 nodes 6 pv b"},
       "depth 5 score cp 9 nodes 6 pv a"},
      // Nothing, or no sense
      {{"nodes 5", "nodes", "nodes x", "nodes -1", "nodes 99999999999999999999", "depth", "score",
        "score cp", "score cp x", "score 5", "pv"},
       "nodes 5"},
      {{"nodes 5", "string nodes 9 depth 9", "depth 2 string nodes 9"}, "depth 2 nodes 5"},
      {{"nodes depth 4"}, "depth 4"},
      {{"the depth is 9", "playouts 30 depth 2"}, "depth 2 nodes 30"},
  };
  for (const Row& row : rows) {
    ToldSearch told;
    for (const char* line : row.lines) told.hear(line);
    CHECK(told.text() == row.text);
  }
}

}  // namespace pitboss::clients
