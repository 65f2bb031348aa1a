#include "games/target.hpp"

#include <doctest/doctest.h>

#include <cctype>
#include <unordered_map>

#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

// The games under test: all of them, and the other boards and rules on which something differs.
const std::vector<std::string_view> lines = {"connect4",
                                             "othello",
                                             "othello size=4",
                                             "othello size=6",
                                             "breakthrough",
                                             "breakthrough size=5",
                                             "knightthrough",
                                             "knightthrough size=7",
                                             "atarigo",
                                             "atarigo size=2",
                                             "atarigo size=3",
                                             "atarigo size=11",
                                             "gomoku",
                                             "gomoku size=5 opening=free",
                                             "gomoku size=19",
                                             "amazons",
                                             "amazons size=8",
                                             "cannon",
                                             "cannon rules=paper",
                                             "chinesecheckers",
                                             "chinesecheckers board=full",
                                             "pentalath swap=on",
                                             "fanorona",
                                             "hex swap=on",
                                             "hex size=3",
                                             "hex size=19",
                                             "teeko",
                                             "yavalath swap=on",
                                             "rolit",
                                             "rolit players=4"};

template <class G>
G initial_of(std::string_view line) {
  return dynamic_cast<const BoxedGame<G>&>(*game_of(line)).game();
}

/// Shows `seen(position, legal moves)` every position of random games of what `line` names.
template <class G, class Seen>
void play_through(std::string_view line, int games, Seen&& seen) {
  const G initial = initial_of<G>(line);
  for (int seed = 0; seed < games; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    G game = initial;
    for (;;) {
      MoveList<G::max_moves> moves;
      game.legal_moves(moves);
      seen(game, moves);
      if (moves.empty()) break;
      game.play(moves[random.below(moves.size())]);
    }
  }
}

/// The points that a move's text is made of: "e6xe8" has two, "pass" none.
std::vector<std::string> points_in(std::string_view text) {
  std::vector<std::string> points;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    if (std::isalpha(static_cast<unsigned char>(text[i])) == 0) continue;
    std::size_t end = i + 1;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0) ++end;
    if (end > i + 1) points.emplace_back(text.substr(i, end - i));
  }
  return points;
}

/// The text of the point that the text of a move tells to be its target; "" for none.
template <class G>
std::string target_in(std::string_view text) {
  const auto points = points_in(text);
  if (points.empty()) return "";
  // An amazon's move ends with the arrow's point.
  return std::is_same_v<G, Amazons> ? points.at(1) : points.back();
}

template <class G>
std::string text_of(const G& game, int target) {
  const int stride = game.shape().stride;
  if (target < 0) return target == -1 ? "" : "no point";
  return point_text(target % stride, target / stride);
}

/// Whether the side to move has a man, or its town, on the point.
template <class G>
bool has_own(const G& game, Colour own, int point) {
  bool found = game.pieces(index(own)).has(point);
  if constexpr (std::is_same_v<G, Cannon>) found |= game.pieces(2 + index(own)).has(point);
  return found;
}

/// Whoever goes to a point was not there before and is there after the move; what is shot at is the
/// enemy's before and gone after.
template <class G>
bool arrives(const G& before, Move move) {
  const int target = before.target(move);
  const Colour mover = before.to_move();
  G after = before;
  after.play(move);
  if (std::is_same_v<G, Cannon> && before.text(move).find('x') != std::string::npos) {
    const bool is_empty =
        !has_own(after, mover, target) && !has_own(after, opponent(mover), target);
    return has_own(before, opponent(mover), target) && is_empty;
  }
  return !has_own(before, mover, target) && has_own(after, mover, target);
}

template <class G>
bool has_right_target(const G& game, Move move) {
  const int target = game.target(move);
  if (text_of(game, target) != target_in<G>(game.text(move))) return false;
  return target == -1 || (game.points().has(target) && arrives(game, move));
}

/// The moves of random games of what `line` names that have a wrong target.
template <class G>
std::vector<std::string> wrong_targets(std::string_view line) {
  const int games = std::is_same_v<G, Amazons> ? 1 : 3;  // it has a thousand moves at a time
  std::vector<std::string> wrong;
  play_through<G>(line, games, [&](const G& game, const MoveList<G::max_moves>& moves) {
    for (const Move move : moves) {
      if (!has_right_target(game, move)) wrong.push_back(game.text(move));
    }
  });
  return wrong;
}

TEST_CASE("target() is the point that the text names, and there the move arrives") {
  for (const auto line : lines) {
    CAPTURE(line);
    with_game(split(line)[0], [&]<class G>(std::type_identity<G>) {
      static_assert(HasTarget<G>);
      CHECK(joined(wrong_targets<G>(line)) == "");
    });
  }
}

/// The target of the legal move that `move` names after `moves`.
std::string target_after(std::string_view line, std::string_view moves, std::string_view move) {
  const auto boxed = game_of(line);
  play_all(*boxed, moves);
  std::string target = "not legal";
  with_game(split(line)[0], [&]<class G>(std::type_identity<G>) {
    const G& game = dynamic_cast<const BoxedGame<G>&>(*boxed).game();
    MoveList<G::max_moves> list;
    game.legal_moves(list);
    for (const Move m : list) {
      if (game.text(m) == move) target = text_of(game, game.target(m));
    }
  });
  return target;
}

TEST_CASE("target() of moves of all sorts") {
  CHECK(target_after("connect4", "d1", "d2") == "d2");
  CHECK(target_after("breakthrough", "", "d2e3") == "e3");
  CHECK(target_after("amazons", "", "d1d7g7") == "d7");
  CHECK(target_after("cannon", "", "e1") == "e1");
  CHECK(target_after("chinesecheckers", "", "d2f4") == "f4");
  CHECK(target_after("fanorona", "", "d2e3a") == "e3");
  CHECK(target_after("teeko", "c3 a1 c4 a2 d3 a4 e5 b5", "c4d4") == "d4");
  CHECK(target_after("hex swap=on", "e5", "swap") == "");
  CHECK(target_after("pentalath swap=on", "e5", "swap") == "");
  CHECK(target_after("yavalath swap=on", "e5", "swap") == "");
}

/// The cells of a block as characters, row by row from the bottom: '#' off the board, '.' empty, or
/// the letter of what lies there.
template <int Side, class G>
std::string naive_block(const G& game, int point) {
  const BoardShape shape = game.shape();
  std::string cells;
  for (int dy = -Side / 2; dy <= Side / 2; ++dy) {
    for (int dx = -Side / 2; dx <= Side / 2; ++dx) {
      const int x = point % shape.stride + dx;
      const int y = point / shape.stride + dy;
      const bool inside = 0 <= x && x < shape.width && 0 <= y && y < shape.height &&
                          game.points().has(shape.point(x, y));
      char cell = inside ? '.' : '#';
      for (int kind = 0; inside && kind < kinds_of<G>; ++kind) {
        if (game.pieces(kind).has(shape.point(x, y))) cell = piece_letters<G>()[kind];
      }
      cells += cell;
    }
  }
  return cells;
}

/// Blocks and their words: whether each of either has always one and the same of the other.
class Pairs {
 public:
  [[nodiscard]] bool agree(const std::string& block, std::uint64_t word) {
    return words_.try_emplace(block, word).first->second == word &&
           blocks_.try_emplace(word, block).first->second == block;
  }
  [[nodiscard]] std::size_t blocks() const { return words_.size(); }

 private:
  std::unordered_map<std::string, std::uint64_t> words_;
  std::unordered_map<std::uint64_t, std::string> blocks_;
};

/// Adds all blocks of random games of what `line` names to `pairs`; those that do not agree.
template <int Side, class G>
std::vector<std::string> wrong_blocks(std::string_view line, Pairs& pairs) {
  std::vector<std::string> wrong;
  play_through<G>(line, 3, [&](const G& game, const MoveList<G::max_moves>&) {
    const Neighbourhoods<G, Side> neighbourhoods(game);
    game.points().for_each([&](int p) {
      const std::string block = naive_block<Side>(game, p);
      const std::uint64_t word = neighbourhoods(p);
      if (!pairs.agree(block, word) || block_around<Side>(game, p) != word) {
        wrong.push_back(block);
      }
    });
  });
  return wrong;
}

// Over all points of all positions, and over all boards of a game.
TEST_CASE("Neighbourhoods tells blocks apart exactly when a cell differs") {
  AllGames::for_each([]<class G>(std::type_identity<G>) {
    Pairs pairs;
    Pairs wide_pairs;
    for (const auto line : lines) {
      CAPTURE(line);
      if (split(line)[0] != G::name) continue;
      CHECK(joined(wrong_blocks<3, G>(line, pairs)) == "");
      CHECK(joined(wrong_blocks<5, G>(line, wide_pairs)) == "");
    }
    CHECK(pairs.blocks() > 100);
    CHECK(wide_pairs.blocks() > pairs.blocks());
  });
}

/// The word round a point of a position.
template <class G>
std::uint64_t word_at(std::string_view line, std::string_view position, std::string_view point) {
  const auto game = game_at(line, position);
  const G& inside = dynamic_cast<const BoxedGame<G>&>(*game).game();
  std::uint64_t word = 0;
  inside.points().for_each([&](int p) {
    if (text_of(inside, p) == point) word = block_around(inside, p);
  });
  return word;
}

constexpr std::string_view empty_board = "...../...../...../...../..... b";

std::uint64_t word_on_empty(std::string_view point) {
  return word_at<Gomoku>("gomoku size=5 opening=free", empty_board, point);
}
bool changes_with_stone_on_a3(std::string_view point) {
  constexpr std::string_view stone = "...../...../X..../...../..... w";
  return word_at<Gomoku>("gomoku size=5 opening=free", stone, point) != word_on_empty(point);
}

TEST_CASE("a stone belongs to the blocks of its own point and of those beside it") {
  for (const std::string_view near : {"a2", "b2", "a3", "b3", "a4", "b4"}) {
    CHECK(changes_with_stone_on_a3(near));
  }
  // Across the edge nothing is beside it.
  for (const std::string_view far : {"a1", "a5", "c3", "e1", "e2", "e3", "e4", "e5"}) {
    CHECK_FALSE(changes_with_stone_on_a3(far));
  }
}

TEST_CASE("the edge is not empty, and a block does not tell where it is") {
  CHECK(word_on_empty("c3") != word_on_empty("a3"));
  CHECK(word_on_empty("a3") != word_on_empty("e3"));
  CHECK(word_on_empty("c1") != word_on_empty("c5"));
  CHECK(word_on_empty("a2") == word_on_empty("a4"));
  constexpr std::string_view larger = "....../....../....../....../....../...... b";
  CHECK(word_on_empty("e5") == word_at<Gomoku>("gomoku size=6 opening=free", larger, "f6"));
}

}  // namespace
}  // namespace pitboss::games
