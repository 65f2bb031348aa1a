#include "engine/tree/reuse.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "games/all_games.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using namespace std::chrono_literals;

namespace {

std::unique_ptr<games::AnyGame> gomoku(std::string_view parameter, std::string_view value) {
  games::Parameters parameters;
  parameters.set(parameter, value);
  return games::make_game("gomoku", parameters);
}

}  // namespace

TEST_CASE("reuse_tree: what lies behind the moves played since is kept") {
  for (const auto name : games::game_names()) {
    for (const char* rest : {"", "novelty=pseudocount", "preset=paper reuse_tree=true",
                             "evaluation=playout", "threads=2", "estimators=history,global"}) {
      CAPTURE(name);
      CAPTURE(rest);
      const auto game = games::make_game(name);
      const Options options = options_of("simulations=3000 reuse_tree=true " + std::string(rest));
      const auto search = make_search(*game);
      const Report first = search_on(*search, *game, 0, options);
      CHECK(first.reused == 0);
      game->play(first.pv.at(0));
      const Report second = search_on(*search, *game, 1, options);
      // Of the visits of the move played, the first one ended at its position.
      const auto played = std::ranges::find(first.moves, first.move, &MoveReport::move);
      REQUIRE(played != first.moves.end());
      CHECK(second.reused == played->visits - 1);
      CHECK(second.simulations == 3000);
      CHECK(sum_of_visits(second) == 3000 + second.reused);
      CHECK(second.nodes <= 3000 + second.reused);
      // Two plies at once: an own move and the reply.
      game->play(second.pv.at(0));
      game->play(second.pv.at(1));
      const Report third = search_on(*search, *game, 3, options);
      // Where moves are many, or worth the same, the reply may have been visited only once.
      CHECK((third.reused > 0) == (second.pv.size() > 2));
      CHECK(third.reused < second.reused + 3000);
      CHECK(sum_of_visits(third) == 3000 + third.reused);
      for (const std::string& move : third.pv) CHECK_NOTHROW(game->play(move));
    }
  }
}

TEST_CASE("reuse_tree: the same position again goes on with the whole tree") {
  const auto game = games::make_game("othello");
  const auto search = make_search(*game);
  const Options options = options_of("simulations=1000 reuse_tree=true");
  static_cast<void>(search_on(*search, *game, 0, options));
  const Report again = search_on(*search, *game, 0, options);
  CHECK(again.reused == 1000);
  CHECK(sum_of_visits(again) == 2000);
}

TEST_CASE("reuse_tree: nothing is kept unless position, samples and measures mean the same") {
  const auto search = make_search(*games::make_game("gomoku"));
  const auto reused_after = [&](std::string_view first, std::string_view second, int ply,
                                std::string_view size) {
    const auto game = gomoku("size", "9");
    const Options before = options_of(first);
    const Report report = search_on(*search, *game, 0, before);
    const auto next = gomoku("size", size);
    next->play(next->legal_moves().front());
    const Options after = options_of(second);
    return search_on(*search, *next, ply, after).reused;
  };
  const std::string on = "simulations=500 reuse_tree=true";
  CHECK(reused_after(on, on, 1, "9") == 499);
  CHECK(reused_after(on, on + " k=2 selection=ucb1 tree_mb=8", 1, "9") == 499);
  CHECK(reused_after(on, on, 1, "11") == 0);  // the same moves on another board
  CHECK(reused_after(on, on, 2, "9") == 0);   // not so many plies later
  CHECK(reused_after(on, "simulations=500", 1, "9") == 0);
  CHECK(reused_after("simulations=500", on, 1, "9") == 499);  // asked of the later search
  CHECK(reused_after(on, on + " novelty=threshold", 1, "9") == 0);
  CHECK(reused_after(on, on + " evaluation=playout", 1, "9") == 0);
  CHECK(reused_after(on, on + " virtual_samples=false", 1, "9") == 0);
  CHECK(reused_after(on, on + " virtual_value=0.4", 1, "9") == 0);
  CHECK(reused_after("simulations=1 reuse_tree=true", on, 1, "9") == 0);  // never expanded
}

TEST_CASE("reuse_tree: a smaller tree takes what it has room for") {
  const auto game = gomoku("opening", "free");
  const auto search = make_search(*game);
  static_cast<void>(
      search_on(*search, *game, 0, options_of("simulations=20000 reuse_tree=true tree_mb=64")));
  const Report small =
      search_on(*search, *game, 0, options_of("simulations=20000 reuse_tree=true tree_mb=1"));
  CHECK(small.bytes <= 1024 * 1024);
  CHECK(small.tree_full);
  CHECK(small.reused == 20000);
  CHECK_FALSE(small.pv.empty());
}

TEST_CASE("reuse_tree: one thread and one seed make one game") {
  const auto play = [] {
    const auto game = games::make_game("connect4");
    const auto search = make_search(*game);
    const Options options = options_of("simulations=500 reuse_tree=true novelty=pseudocount");
    std::string moves;
    for (int ply = 0; !game->result().finished(); ++ply) {
      game->play(search_on(*search, *game, ply, options).move);
      moves += game->position();
    }
    return moves;
  };
  CHECK(play() == play());
}
