#include "engine/tree/solver.hpp"

#include <doctest/doctest.h>

#include <optional>

#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using games::Colour;

namespace {

/// Who is sure to win, by looking at everything: the colour to move if a move leads to its win, or
/// whose win all moves lead to.
template <class G>
Proof solved(const G& position) {
  const games::Result result = position.result();
  if (result.finished()) return proof_of(result);
  games::MoveList<G::max_moves> moves;
  position.legal_moves(moves);
  std::optional<Proof> common;
  for (const games::Move move : moves) {
    G next = position;
    next.play(move);
    const Proof proof = solved(next);
    if (proof == won_by(position.to_move())) return proof;
    common = !common || *common == proof ? proof : Proof::none;
  }
  return *common;
}

/// An unfinished position of a random game with at most `empty` empty points, on which all that is
/// left to play is placed.
template <class G>
std::unique_ptr<games::AnyGame> late_position(games::Random& random, int empty,
                                              const games::Parameters& parameters) {
  for (;;) {
    const auto game = games::make_game(G::name, parameters);
    const int wanted = 1 + random.below(empty);
    while (!game->result().finished()) {
      const G& position = inside<G>(*game);
      int left = position.points().count();
      for (int k = 0; k < games::kinds_of<G>; ++k) left -= position.pieces(k).count();
      if (left <= wanted) return game->clone();
      game->play(position.text(games::random_move(position, random)));
    }
  }
}

/// Searches late positions and compares what is proven with the truth.
template <class G>
void check_proofs(int plies, int positions, const games::Parameters& parameters,
                  std::string_view rest) {
  CAPTURE(G::name);
  CAPTURE(rest);
  games::Random random(7);
  int wins = 0;
  for (int i = 0; i < positions; ++i) {
    const auto game = late_position<G>(random, plies, parameters);
    const G& position = inside<G>(*game);
    const Options options =
        options_of("solver=true simulations=200000 tree_mb=256 k=0.7 " + std::string(rest));
    const Report report = searched_by_threads(*game, options, std::chrono::milliseconds(1));
    const Proof truth = solved(position);
    CAPTURE(game->position());
    for (const MoveReport& move : report.moves) {
      if (move.proven == Proven::no) continue;
      const auto after = game->clone();
      after->play(move.move);
      const Proof expected = solved(inside<G>(*after));
      CHECK(expected != Proof::none);
      CHECK((expected == won_by(position.to_move())) == (move.proven == Proven::win));
      CHECK(move.value == (move.proven == Proven::win ? 1 : 0));
    }
    // What is true is proven, and ends the search; a sure win is played.
    CHECK((truth != Proof::none) == (report.simulations < options.simulations));
    if (truth == won_by(position.to_move())) {
      ++wins;
      CHECK(report.moves.size() > 0);
      const auto played = std::ranges::find(report.moves, report.move, &MoveReport::move);
      REQUIRE(played != report.moves.end());
      CHECK(played->proven == Proven::win);
    }
  }
  CHECK(wins > positions / 8);
}

}  // namespace

TEST_CASE("solver: what it proves is true, and what is true it proves") {
  for (const char* rest : {"evaluation=playout", "evaluation=static novelty=pseudocount",
                           "evaluation=playout preset=paper relative_bonus=true"}) {
    check_proofs<games::Connect4>(10, 30, {}, rest);
    check_proofs<games::Othello>(7, 30, {}, rest);
  }
  games::Parameters small;
  small.set("size", "3");
  check_proofs<games::Hex>(7, 30, small, "evaluation=playout");
  small.set("swap", "on");
  check_proofs<games::Hex>(9, 30, small, "evaluation=playout");
}

TEST_CASE("solver: with several threads") {
  check_proofs<games::Connect4>(10, 20, {}, "evaluation=playout threads=3");
  check_proofs<games::Othello>(7, 15, {}, "threads=2");
}

TEST_CASE("solver: threads join what each of them has proven") {
  // Large enough for several subtrees to be searched at once; somebody asks meanwhile.
  const auto game = games::make_game("connect4");
  game->set_position("......./......X/X.O...X/O.XO..O/OOXOXOX/OXXOXXO b");
  for (int seed = 1; seed <= 12; ++seed) {
    Options options = options_of("threads=3 evaluation=playout solver=true k=1 simulations=200000");
    options.seed = seed;
    const Report report =
        searched_by_threads(*game, options, std::chrono::milliseconds(1),
                            [](Search& search) { static_cast<void>(search.report(3)); });
    CHECK(report.simulations < 200000);
    CHECK(report.moves.at(0).proven != Proven::no);
  }
}

TEST_CASE("solver: more than two players") {
  for (const char* players : {"2", "3", "4"}) {
    games::Parameters parameters;
    parameters.set("players", players);
    CAPTURE(players);
    check_proofs<games::Rolit>(5, 30, parameters, "evaluation=playout simulations=20000");
  }
}

TEST_CASE("solver: a win in one needs no simulation, a lost position is given up") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const Report won = searched(*game, options_of("solver=true simulations=1000"));
  CHECK(won.simulations == 0);
  CHECK(won.move == "d1");
  CHECK(won.pv == std::vector<std::string>{"d1"});
  CHECK(won.moves.size() == 7);
  // White must stop two wins at once.
  game->set_position("......./......./......./......./.OO..../.XXX... w");
  const Report lost = searched(*game, options_of("solver=true simulations=100000"));
  CHECK(lost.simulations < 1000);
  CHECK_FALSE(lost.move.empty());
  for (const MoveReport& move : lost.moves) CHECK(move.proven == Proven::loss);
}

TEST_CASE("solver: a move that is avoided proves nothing") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const auto search = make_search(*game);
  for (const char* reuse : {"false", "true"}) {
    const Options options =
        options_of("solver=true simulations=2000 reuse_tree=" + std::string(reuse));
    static_cast<void>(search_on(*search, *game, 6, options));
    Limits limits = limits_of(options);
    limits.avoided = {"d1"};
    search->begin(*game, 6, options, limits);
    while (search->run(std::chrono::seconds(1)) != Progress::done) {
    }
    CHECK(game->text(search->best_move()) != "d1");
    // What was proven by that move is open again: the search goes on to its bound.
    CHECK(search->report().reused == 0);
    CHECK(search->report().simulations == 2000);
    for (const MoveReport& move : search->report().moves) {
      if (move.move != "d1") CHECK(move.proven != Proven::win);
    }
    // It proves the win anew when it is not avoided any more.
    const Report again = search_on(*search, *game, 6, options);
    CHECK(again.simulations < 100);
    CHECK(again.move == "d1");
  }
}

TEST_CASE(
    "solver: moves are avoided though the tree knows that they lose, or others that they win") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./.OO..../.XXX... w");
  for (int seed = 1; seed <= 8; ++seed) {
    Options options = options_of("solver=true simulations=20000 reuse_tree=true");
    options.seed = seed;
    const auto search = make_search(*game);
    static_cast<void>(search_on(*search, *game, 5, options));
    Limits limits = limits_of(options);
    limits.avoided = {"e1", "f1", "g1", "d2", "b3", "c3"};
    search->begin(*game, 5, options, limits);
    while (search->run(std::chrono::seconds(1)) != Progress::done) {
    }
    CHECK(game->text(search->best_move()) == "a1");
  }
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const Options options =
      options_of("solver=true simulations=20000 reuse_tree=true preset=quality-rewards");
  const auto search = make_search(*game);
  static_cast<void>(search_on(*search, *game, 6, options));
  Limits limits = limits_of(options);
  limits.avoided = {"g1"};
  search->begin(*game, 6, options, limits);
  while (search->run(std::chrono::seconds(1)) != Progress::done) {
  }
  CHECK(game->text(search->best_move()) == "d1");
  CHECK(search->report().moves.at(0).move == "d1");
  // The win that is not avoided is still one.
  CHECK(search->report().moves.at(0).proven == Proven::win);
  CHECK(search->report().simulations == 0);
}

TEST_CASE("solver: reused trees keep their proofs") {
  const auto game = games::make_game("connect4");
  const Options options = options_of("solver=true simulations=3000 reuse_tree=true k=0.7");
  games::Random random(1);
  for (int i = 0; i < 20; ++i) {
    const auto line = late_position<games::Connect4>(random, 12, {});
    const auto search = make_search(*line);
    for (int ply = 0; ply < 12 && !line->result().finished(); ++ply) {
      const Report report = search_on(*search, *line, ply, options);
      const Proof truth = solved(inside<games::Connect4>(*line));
      const bool says_win = std::ranges::count(report.moves, Proven::win, &MoveReport::proven) > 0;
      if (says_win) CHECK(truth == won_by(line->to_move()));
      line->play(report.move);
    }
  }
}

TEST_CASE("solver: can be switched on while a search runs") {
  const auto game = games::make_game("connect4");
  game->set_position("......./......./......./......./OOO..../XXX.... b");
  const Options before = options_of("simulations=100000 k=0.7");
  const auto search = make_search(*game);
  search->begin(*game, 6, before, limits_of(before));
  CHECK(search->run(std::chrono::microseconds(100)) == Progress::runnable);
  Options with = before;
  with.solver = true;
  search->update(with);
  while (search->run(std::chrono::seconds(1)) != Progress::done) {
  }
  CHECK(search->report().simulations < 100000);
  CHECK(game->text(search->best_move()) == "d1");
}
