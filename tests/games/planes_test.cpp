#include "games/planes.hpp"

#include <doctest/doctest.h>

#include <map>

#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::games {
namespace {

/// Each plane as a picture: rows from the top with '/' between, '1' for one, '.' for zero.
using Pictures = std::vector<std::string>;

template <class G>
Pictures pictures_of(const G& position) {
  const BoardShape shape = position.shape();
  const auto cells = static_cast<std::size_t>(shape.cells());
  const auto count = static_cast<std::size_t>(plane_count(position));
  constexpr float guard = -7;
  std::vector<float> planes(count * cells + 1, guard);  // whatever was there before
  fill_planes(position, planes.data());
  CHECK(planes.back() == guard);
  Pictures pictures;
  for (std::size_t i = 0; i < count; ++i) {
    std::string picture;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      const float value = planes[i * cells + cell];
      if (cell > 0 && cell % static_cast<std::size_t>(shape.width) == 0) picture += '/';
      picture += value == 0 ? '.' : value == 1 ? '1' : '?';
    }
    pictures.push_back(picture);
  }
  return pictures;
}

template <class G>
const G& inside(const AnyGame& boxed) {
  return dynamic_cast<const BoxedGame<G>&>(boxed).game();
}

Pictures pictures_of(const AnyGame& boxed) {
  Pictures pictures;
  with_game(boxed.name(),
            [&]<class G>(std::type_identity<G>) { pictures = pictures_of(inside<G>(boxed)); });
  return pictures;
}
Pictures pictures_after(std::string_view line, std::string_view moves) {
  const auto game = game_of(line);
  play_all(*game, moves);
  return pictures_of(*game);
}

/// The picture `rows` with every character but '/' replaced by `now`, or only every `was`.
std::string filled(std::string rows, char now) {
  for (char& c : rows) c = c == '/' ? c : now;
  return rows;
}
std::string drawn(std::string rows, char piece) {
  for (char& c : rows) c = c == '/' ? c : c == piece ? '1' : '.';
  return rows;
}

TEST_CASE("planes of connect4: men, then the side to move") {
  const Pictures white_moves = pictures_after("connect4", "d1 d2 g1");
  CHECK(white_moves == Pictures{"......./......./......./......./......./...1..1",  // black men
                                "......./......./......./......./...1.../.......",  // white men
                                "......./......./......./......./......./.......",  // black moves
                                "1111111/1111111/1111111/1111111/1111111/1111111"});
  const Pictures black_moves = pictures_after("connect4", "d1 d2 g1 a1");
  CHECK(black_moves == Pictures{"......./......./......./......./......./...1..1",
                                "......./......./......./......./...1.../1......",
                                "1111111/1111111/1111111/1111111/1111111/1111111",
                                "......./......./......./......./......./......."});
}

TEST_CASE("planes of breakthrough, also on a smaller board than its bits") {
  CHECK(pictures_after("breakthrough size=5", "a2b3") ==
        Pictures{"...../...../.1.../.1111/11111", "11111/11111/...../...../.....",
                 "...../...../...../...../.....", "11111/11111/11111/11111/11111"});
  const Pictures first = pictures_after("breakthrough", "");
  REQUIRE(first.size() == 4);
  CHECK(first[0] == "......../......../......../......../......../......../11111111/11111111");
  CHECK(first[1] == "11111111/11111111/......../......../......../......../......../........");
}

TEST_CASE("planes of hex: its rhombus is a square") {
  CHECK(pictures_after("hex size=3 swap=on", "a1 c2") ==
        Pictures{".../.../1..", ".../..1/...", "111/111/111", ".../.../..."});
}

TEST_CASE("planes of yavalath have one of the points that exist") {
  const std::string nothing =
      "........./........./........./........./........./"
      "........./........./........./.........";
  CHECK(pictures_after("yavalath", "e9 a1") ==
        Pictures{"....1..../........./........./........./........./"
                 "........./........./........./.........",
                 "........./........./........./........./........./"
                 "........./........./........./1........",
                 filled(nothing, '1'), nothing,
                 "....11111/...111111/..1111111/.11111111/111111111/"
                 "11111111./1111111../111111.../11111...."});
}

TEST_CASE("planes of amazons have one of the arrows") {
  CHECK(
      pictures_after("amazons size=8", "c1c2a2") ==
      Pictures{
          "......../......../......../......../......../1......1/..1...../.....1..",
          "..1..1../......../1......1/......../......../......../......../........",
          "......../......../......../......../......../......../1......./........",
          filled("......../......../......../......../......../......../......../........", '.'),
          filled("......../......../......../......../......../......../......../........", '1')});
}

TEST_CASE("planes of fanorona have the man of a chain and where it has been") {
  const auto game =
      game_at("fanorona", "........./........./........./..X.O..../O........ b 3:c2,b2,a2");
  const Pictures pictures = pictures_of(*game);
  REQUIRE(pictures.size() == 6);
  CHECK(pictures[4] == "........./........./........./..1....../.........");
  CHECK(pictures[5] == "........./........./........./11......./.........");
  const Pictures first = pictures_after("fanorona", "");
  CHECK(first[4] == "........./........./........./........./.........");
  CHECK(first[5] == first[4]);
}

TEST_CASE("planes of rolit: a colour without a player has balls, but never moves") {
  CHECK(pictures_after("rolit", "").size() == 4 + 2);
  CHECK(pictures_after("rolit players=3", "").size() == 4 + 3);
  CHECK(pictures_after("rolit players=4", "").size() == 4 + 4);
}

/// The first planes, from the text of the position.
template <class G>
Pictures expected(const AnyGame& boxed) {
  const G& game = inside<G>(boxed);
  const std::string rows = split(boxed.position())[0];
  Pictures pictures;
  for (const char letter : piece_letters<G>()) pictures.push_back(drawn(rows, letter));
  for (int colour = 0; colour < seats_of(game); ++colour) {
    pictures.push_back(filled(rows, colour == index(boxed.to_move()) ? '1' : '.'));
  }
  return pictures;
}

/// Checks the planes of a position; `moves_by_planes` are the legal moves of others of the game.
template <class G>
void check_planes(const AnyGame& boxed, std::map<Pictures, std::string>& moves_by_planes) {
  const Pictures pictures = pictures_of(boxed);
  const Pictures first = expected<G>(boxed);
  const std::string rows = split(boxed.position())[0];
  REQUIRE(pictures.size() >= first.size());
  CHECK(std::equal(first.begin(), first.end(), pictures.begin()));
  // What follows are a game's marks, and its points if some places of the rectangle are none.
  const bool has_holes = rows.find('?') != std::string::npos;
  const std::size_t marks = std::is_same_v<G, Fanorona> ? 2 : 0;
  CHECK(pictures.size() == first.size() + marks + (has_holes ? 1 : 0));
  if (has_holes) {
    std::string points = rows;
    for (char& c : points) c = c == '/' ? c : c == '?' ? '.' : '1';
    CHECK(pictures.back() == points);
  }
  // Planes tell the legal moves.
  if (boxed.result().finished()) return;
  const std::string moves = moves_of(boxed);
  CHECK(moves_by_planes.try_emplace(pictures, moves).first->second == moves);
}

template <class G>
void play_games(std::string_view line, int games) {
  CAPTURE(line);
  std::map<Pictures, std::string> moves_by_planes;
  for (int seed = 0; seed < games; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const auto game = game_of(line);
    Pictures before;
    for (;;) {
      CAPTURE(game->position());
      check_planes<G>(*game, moves_by_planes);
      Pictures now = pictures_of(*game);
      CHECK(now != before);
      if (game->result().finished()) break;
      before = std::move(now);
      game->play(game->random_move(random));
    }
  }
}

TEST_CASE("planes show the position, and the legal moves derive from them") {
  for (const auto name : game_names()) {
    with_game(name, [&]<class G>(std::type_identity<G>) { play_games<G>(name, 2); });
  }
  for (const std::string_view line :
       {"othello size=6", "gomoku size=19", "amazons size=8", "cannon rules=paper",
        "chinesecheckers board=full", "rolit players=3", "rolit players=4", "hex size=8"}) {
    with_game(split(line)[0], [&]<class G>(std::type_identity<G>) { play_games<G>(line, 1); });
  }
  // Small boards, on which positions are met again.
  for (const std::string_view line : {"othello size=4", "atarigo size=2", "hex size=3 swap=on",
                                      "pentalath swap=on", "yavalath swap=on"}) {
    with_game(split(line)[0], [&]<class G>(std::type_identity<G>) { play_games<G>(line, 30); });
  }
}

}  // namespace
}  // namespace pitboss::games
