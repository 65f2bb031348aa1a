#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "games/boxed_game.hpp"
#include "games/policy.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

/// The properties that every game has, checked at every ply of random games.
namespace pitboss::games::battery {

/// Texts that no game takes for a legal move.
inline const std::vector<std::string_view> garbage = {
    "",    " ",  "z",   "zz",       "z9",  "a0",  "a99",  "a100000000000", "-",  "--",  "a1a1",
    "1",   "11", "1a",  "i1",       "b2b", "a1 ", "pas",  "resign",        "\n", "a-1", "a1b2c3d4",
    "a.1", "/",  "...", "\xff\xfe", "a1-", "x",   "a1xx", "a1b2c",         "0x1"};

/// Lines that no game takes for a position.
inline const std::vector<std::string_view> bad_positions = {
    "", " ", "b", "/ b", "X b", "/////// b", ".../.../... x", "? w", "........ w 7 7"};

template <class G>
const G& inside(const AnyGame& game) {
  return dynamic_cast<const BoxedGame<G>&>(game).game();
}

/// What one can see of a position through AnyGame.
inline std::string seen(const AnyGame& game) {
  const auto value = game.static_value();
  return game.position() + " | " + moves_of(game) + " | " + outcome(game) + " | " +
         (value ? std::to_string(*value) : "");
}

/// Facts: what lies on the board.
template <class G>
void check_board(const G& game) {
  typename G::Board pieces;
  for (int kind = 0; kind < kinds_of<G>; ++kind) {
    CHECK((pieces & game.pieces(kind)).none());
    pieces |= game.pieces(kind);
  }
  CHECK(minus(pieces, game.points()).none());
  const BoardShape shape = game.shape();
  game.points().for_each([&](int p) {
    const bool inside_rectangle = p % shape.stride < shape.width && p / shape.stride < shape.height;
    CHECK(inside_rectangle);
  });
}

/// Pieces lie on different points of the board: no position has one beside it, or two on one.
template <Game G>
void check_pieces(const G& game) {
  Setup<typename G::Board, kinds_of<G>> setup{{}, game.to_move(), ""};
  for (int kind = 0; kind < kinds_of<G>; ++kind) setup.pieces[kind] = game.pieces(kind);
  auto beside = setup;
  const BoardShape shape = game.shape();
  for (int p = 0; p < shape.stride * shape.height; ++p) {
    if (!game.points().has(p)) beside.pieces[0].add(p);
  }
  if (beside.pieces != setup.pieces) CHECK_THROWS_AS(static_cast<void>(game.with(beside)), BadGame);
  setup.pieces[1] |= setup.pieces[0];
  if (setup.pieces[0].any()) CHECK_THROWS_AS(static_cast<void>(game.with(setup)), BadGame);
}

template <class G>
void check_evaluation(const AnyGame& game) {
  if (const auto value = game.static_value()) {
    CHECK(*value >= 0.0);
    CHECK(*value <= 1.0);
  }
  if constexpr (HasFeatures<G>) {
    std::array<std::uint16_t, G::feature_count> values{};
    inside<G>(game).features(values);
    CHECK(*std::ranges::max_element(values) < G::feature_values);
  }
}

inline void check_finished(const AnyGame& game) {
  const Result result = game.result();
  double sum = 0;
  for (int c = 0; c < game.players(); ++c) {
    sum += result.share(Colour{static_cast<std::uint8_t>(c)});
  }
  CHECK(sum == doctest::Approx(1.0));
  CHECK(game.margin() >= 0);
  CHECK((game.margin() == 0) == result.shared());
  CHECK(game.static_value().value_or(result.share(Colour::black)) == result.share(Colour::black));
  CHECK_THROWS_AS(game.clone()->play("a1"), BadGame);
}

/// Every legal move has a text of its own, which names it in either case. Where there are very
/// many, some are looked up: each look-up goes through all moves.
inline void check_texts(const AnyGame& game) {
  constexpr std::size_t most_looked_up = 100;
  const auto moves = game.legal_moves();
  CHECK(std::ranges::is_sorted(moves));
  CHECK(std::ranges::adjacent_find(moves) == moves.end());
  for (std::size_t i = 0; i < moves.size(); i += 1 + moves.size() / most_looked_up) {
    const std::string& move = moves[i];
    CHECK(game.canonical(move) == move);
    std::string upper = move;
    std::ranges::transform(upper, upper.begin(), [](unsigned char c) { return std::toupper(c); });
    CHECK(game.canonical(upper) == move);
  }
}

/// The moves point by point are the legal moves, and no move's points are the beginning of
/// another's; another notation tells the same moves.
inline void check_steps(const AnyGame& game) {
  auto moves = game.stepped_moves();
  std::vector<std::string> texts;
  for (const SteppedMove& m : moves) texts.push_back(m.move);
  std::ranges::sort(texts);
  CHECK(texts == game.legal_moves());
  // Sorted, a beginning of others stands right before one of them.
  std::ranges::sort(moves, {}, &SteppedMove::steps);
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto& steps = moves[i].steps;
    REQUIRE_FALSE(steps.empty());
    if (i + 1 == moves.size()) break;
    const auto& next = moves[i + 1].steps;
    const bool is_beginning =
        steps.size() <= next.size() && std::equal(steps.begin(), steps.end(), next.begin());
    CHECK_FALSE(is_beginning);
  }
  const Notation hexgui{true, game.shape().height};
  for (const std::string& move : texts) {
    CHECK(rewritten(rewritten(move, {}, hexgui), hexgui, {}) == move);
  }
}

/// A position line says all that matters, and nothing remains of the position before.
inline void check_position_text(const AnyGame& game, AnyGame& reused) {
  reused.set_position(game.position());
  CHECK(seen(reused) == seen(game));
}

/// What cannot be read is refused and changes nothing.
inline void check_refusals(AnyGame& game) {
  const std::string before = seen(game);
  for (const auto text : garbage) {
    CAPTURE(text);
    CHECK_THROWS_AS(game.play(text), BadGame);
    CHECK_THROWS_AS(static_cast<void>(game.canonical(text)), BadGame);
  }
  for (const auto text : bad_positions) {
    CAPTURE(text);
    CHECK_THROWS_AS(game.set_position(text), BadGame);
  }
  CHECK(seen(game) == before);
}

/// Random moves are legal, and all legal moves equally likely (a chi-square test with a bound that
/// a right program exceeds about once in 10^9 runs; the seed is fixed).
template <class G>
void check_random_moves(const G& game, Random& random) {
  constexpr int draws_per_move = 50;
  MoveList<G::max_moves> moves;
  game.legal_moves(moves);
  std::map<std::uint32_t, int> drawn;
  for (const Move m : moves) drawn[code(m)] = 0;
  for (int i = 0; i < draws_per_move * moves.size(); ++i) {
    const auto found = drawn.find(code(random_move(game, random)));
    REQUIRE(found != drawn.end());
    ++found->second;
  }
  double chi_square = 0;
  for (const auto& [move, n] : drawn) {
    chi_square += (n - draws_per_move) * (n - draws_per_move) / double{draws_per_move};
  }
  const double freedom = moves.size() - 1;
  CHECK(chi_square <= freedom + 6 * std::sqrt(2 * freedom) + 20);
}

/// The game's own playout policy draws legal moves.
template <class G>
void check_informed_move(const G& game, Random& random) {
  if constexpr (HasInformedMove<G, Random>) {
    MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    CHECK(std::ranges::find(moves, game.informed_move(random)) != moves.end());
  }
}

/// How well the one winner of a finished game stands is a number.
template <class G>
void check_quality(const G& game) {
  if constexpr (HasQuality<G>) {
    if (!game.result().shared()) CHECK(std::isfinite(game.quality()));
  }
}

/// The parts of every legal move are entries of the policy, and no two moves have the same.
template <HasPolicy G>
void check_policy(const G& game, int size) {
  CHECK(game.policy_size() == size);
  MoveList<G::max_moves> moves;
  game.legal_moves(moves);
  std::set<std::vector<int>> seen;
  for (const Move move : moves) {
    const PolicyParts parts = game.policy_parts(move);
    std::vector<int> entries(parts.begin(), parts.end());
    std::ranges::sort(entries);
    const bool distinct = std::ranges::adjacent_find(entries) == entries.end();
    const bool in_range = !entries.empty() && 0 <= entries.front() && entries.back() < size;
    CAPTURE(game.text(move));
    CHECK(distinct);
    CHECK(in_range);
    CHECK(seen.insert(entries).second);
  }
}

/// Everything about one position; `reused` is any game of the same kind.
template <Game G>
void check_position(AnyGame& game, AnyGame& reused) {
  check_board(inside<G>(game));
  check_evaluation<G>(game);
  check_texts(game);
  check_steps(game);
  check_position_text(game, reused);
  CHECK(game.legal_moves().size() <= G::max_moves);
  CHECK(game.legal_moves().empty() == game.result().finished());
  if (game.result().finished()) {
    check_finished(game);
    check_quality(inside<G>(game));
  }
}

/// Plays `games` random games of what `line` names, of type G, and checks every ply; the slower
/// checks now and then.
template <Game G>
void check_all(std::string_view line, int games) {
  CAPTURE(line);
  const auto initial = game_of(line);
  const auto reused = initial->clone();
  REQUIRE(initial->name() == G::name);
  for (int seed = 0; seed < games; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Random policy(static_cast<std::uint64_t>(seed));
    const auto game = initial->clone();
    for (int ply = 0;; ++ply) {
      CAPTURE(game->position());
      check_position<G>(*game, *reused);
      if (ply % 8 == 0 || game->result().finished()) {
        check_refusals(*game);
        check_pieces(inside<G>(*game));
      }
      if (game->result().finished()) break;
      REQUIRE(ply < G::max_plies);
      check_informed_move(inside<G>(*game), policy);
      check_policy(inside<G>(*game), inside<G>(*initial).policy_size());
      if (ply % 24 == 0 && seed == 0) check_random_moves(inside<G>(*game), random);
      game->play(game->random_move(random));
    }
  }
  // The copies were independent of the game they were made from.
  CHECK(seen(*initial) == seen(*game_of(line)));
}

}  // namespace pitboss::games::battery
