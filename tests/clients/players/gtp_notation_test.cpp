#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "clients/players/engine.hpp"
#include "games/random.hpp"
#include "tests/clients/run_task.hpp"
#include "tests/folders.hpp"

/// How programs of GTP write moves, pass and swap: the referee finds it out.
namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using games::Colour;

namespace {

/// A program that plays a game in a manner (tests/peers/scripted_engine.cpp).
Player scripted(const std::string& manner, const std::string& game) {
  Player player;
  player.name = "P";
  player.language = Language::gtp;
  Program program{{tests::bin_folder() + "/pitboss_scripted_engine", "gtp", manner}};
  std::istringstream words(game);
  for (std::string word; words >> word;) program.command.push_back(word);
  player.location = program;
  return player;
}

Match match_of(const std::string& game) {
  Match match;
  set_game(match, game);
  return match;
}

/// What happened in the games of an engine.
struct Played {
  std::string found;  ///< at the examination
  std::string at_end;
  int games = 0;
  int own_passes = 0;
  int others_passes = 0;
  int swaps = 0;
};

std::string dialect_in(const Declaration& declaration) {
  const auto found = declaration.options.find(std::string(dialect_option));
  return found == declaration.options.end() ? "" : found->second;
}

/// A game against random moves, and a swap where it is legal. An illegal move of the engine throws.
asio::awaitable<void> play_game(Engine& engine, const Match& match, Colour seat,
                                games::Random& random, Played& played) {
  const auto position = match.initial_position();
  co_await engine.begin(match, 1);
  while (!position->result().finished()) {
    const Colour mover = position->to_move();
    std::string move;
    if (mover == seat) {
      move = position->play(co_await engine.genmove(mover, 20s));
      if (move == "pass") ++played.own_passes;
    } else {
      move = position->legal_moves().back();
      if (move != "swap") move = position->random_move(random);
      position->play(move);
      if (!position->result().finished()) co_await engine.play(mover, move);
      if (move == "pass") ++played.others_passes;
    }
    if (move == "swap") ++played.swaps;
  }
  ++played.games;
}

/// Examines an engine, and plays `pairs` of games in both colours on one connection.
asio::awaitable<void> play_games(Engine& engine, const Match& match, int pairs, Played& played) {
  co_await engine.open();
  played.found = dialect_in(co_await engine.examine(match));
  games::Random random(1);
  for (int pair = 0; pair < pairs; ++pair) {
    for (const Colour seat : {Colour::black, Colour::white}) {
      co_await play_game(engine, match, seat, random, played);
    }
  }
  co_await engine.begin(match, 1);
  played.at_end = dialect_in(engine.declaration());
}

Played play(const Player& player, const std::string& game, int pairs = 1) {
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  Played played;
  try {
    run(io, play_games(*engine, match_of(game), pairs, played));
  } catch (const std::exception& error) {
    FAIL_CHECK(std::string(error.what()) << "\n" << engine->excerpt());
  }
  return played;
}

/// A program, and how it writes moves: as the examination finds, and as the games tell if that is
/// more.
struct Writer {
  const char* game;
  const char* manner;
  const char* found;
  const char* at_end = nullptr;
};

constexpr Writer writers[] = {
    {"othello", "plays", ""},
    {"othello", "top", "hexgui"},
    {"othello", "capitals", "plain, in capitals"},
    {"othello", "top+capitals+refuses-to-pass", "hexgui, in capitals"},
    {"othello", "top+lenient", "hexgui"},
    {"othello", "top+lenient+shows+lies", "hexgui"},
    {"othello", "top+lists+lies", "hexgui, in capitals"},
    {"othello size=6", "top+rules+plays-last", "hexgui, in capitals"},
    {"breakthrough", "plays", ""},
    {"breakthrough", "top", "hexgui"},
    {"breakthrough", "dash", "plain, d2-e3"},
    {"breakthrough", "top+blank", "hexgui, d2 e3"},
    {"breakthrough", "top+cross+capitals", "hexgui, in capitals, d2xe3"},
    {"breakthrough", "dash+lists", "plain, in capitals, d2-e3"},
    {"breakthrough", "top+lenient+plays-last", "hexgui"},
    {"amazons size=8", "top+slash", "hexgui, d2-e3/f4"},
    {"amazons", "plays", ""},
    {"amazons", "top", "plain with row 1 on top"},
    {"amazons", "i", "plain with column i"},
    {"amazons", "top+i", "hexgui"},
    {"amazons", "i+brackets", "plain with column i, d2-e3(f4)"},
    {"amazons", "top+i+lenient+plays-last", "hexgui"},
    {"hex size=11", "plays", ""},
    {"hex size=11", "i", "hexgui"},
    {"hex size=11", "i+capitals", "hexgui, in capitals"},
    {"hex size=11", "i+lenient+plays-last", "plain or hexgui", "hexgui"},
    {"hex size=11", "lenient+plays-last", "", ""},
    {"hex size=11", "i+lenient+shows", "hexgui or plain"},
    {"gomoku size=15 opening=free", "plays", ""},
    {"gomoku size=15 opening=free", "i", "hexgui"},
    {"gomoku size=15 opening=free", "top+i+lists+lies", "hexgui, in capitals"},
    {"gomoku size=15", "i", "hexgui"},
    {"gomoku size=15", "i+lenient+plays-last", "plain or hexgui"},
    {"connect4", "top", "hexgui"},
    {"fanorona", "i", "plain or plain with column i", "plain with column i"},
    {"fanorona", "top+dash", "hexgui or plain with row 1 on top, d2-e3",
     "plain with row 1 on top, d2-e3"},
    {"cannon", "top+i+cross", "hexgui", "hexgui, d2xe3"},
    {"teeko", "dash", "", "plain, d2-e3"},
    {"chinesecheckers", "top+blank", "plain with row 1 on top, d2 e3"},
    {"atarigo size=11", "top+i", "hexgui"},
    {"rolit", "top", "hexgui"},
    {"yavalath", "top+i", "hexgui"},
};

}  // namespace

TEST_CASE("PlainGtpEngine: finds out how a program writes moves") {
  for (const Writer& writer : writers) {
    CAPTURE(std::string(writer.game));
    CAPTURE(std::string(writer.manner));
    const Played played = play(scripted(writer.manner, writer.game), writer.game, 2);
    CHECK(played.found == std::string(writer.found));
    CHECK(played.at_end == std::string(writer.at_end == nullptr ? writer.found : writer.at_end));
    CHECK(played.games == 4);
  }
}

TEST_CASE("PlainGtpEngine: a dialect that is named is obeyed") {
  for (const bool is_hexgui : {false, true}) {
    CAPTURE(is_hexgui);
    Player player = scripted(is_hexgui ? "top+i+plays-last" : "plays-last", "amazons");
    player.dialect = is_hexgui ? protocol::Dialect::hexgui : protocol::Dialect::plain;
    const Played played = play(player, "amazons");
    CHECK(played.found.empty());
    CHECK(played.games == 2);
  }
}

TEST_CASE("PlainGtpEngine: passes as a program wants them") {
  for (const char* manner : {"plays", "says-null", "says-PASS", "says-resign", "passes-pass",
                             "passes-PASS", "passes-null", "passes-resign", "refuses-to-pass",
                             "moves-for-other", "top+capitals+moves-for-other", "top+says-null"}) {
    CAPTURE(std::string(manner));
    const Played played = play(scripted(manner, "othello"), "othello", 10);
    CHECK(played.games == 20);
    CHECK(played.own_passes > 0);
    CHECK(played.others_passes > 0);
  }
}

TEST_CASE("PlainGtpEngine: swaps as a program wants them") {
  for (const char* game : {"yavalath swap=on", "pentalath swap=on"}) {
    for (const char* manner : {"plays-last", "plays", "knows-no-swap", "swap-pieces+plays-last",
                               "swap-sides+plays-last", "i+swap-sides+plays-last"}) {
      CAPTURE(std::string(game));
      CAPTURE(std::string(manner));
      const Played played = play(scripted(manner, game), game, 20);
      CHECK(played.games == 40);
      CHECK(played.swaps >= 20);
    }
  }
}

TEST_CASE("PlainGtpEngine: the swap of hex is not HexGui's") {
  const auto what = [](const Player& player,
                       const char* game = "hex size=5 swap=on") -> std::string {
    asio::io_context io;
    const auto engine = make_engine(io.get_executor(), player);
    Played played;
    try {
      run(io, play_games(*engine, match_of(game), 0, played));
    } catch (const EngineFailure& failure) {
      return failure.what();
    }
    return "";
  };
  Player player = scripted("i+swap-pieces", "hex swap=on");
  constexpr std::string_view refusal =
      "swap-pieces is not the swap of hex, which leaves the stone where it is; play with "
      "swap=pieces, or off";
  CHECK(what(player) == refusal);
  player.dialect = protocol::Dialect::hexgui;
  CHECK(what(player) == refusal);
  CHECK(what(scripted("i", "hex swap=on")).empty());
  CHECK(what(scripted("knows-no-swap", "hex swap=pieces"), "hex size=5 swap=pieces") ==
        "the program does not take swap-pieces, as swap=pieces asks; play with swap=off");
}

TEST_CASE("PlainGtpEngine: a program whose swap moves the stone plays swap=pieces") {
  const char* const game = "hex size=5 swap=pieces";
  const Played played = play(scripted("swap-pieces+plays-last", game), game, 10);
  CHECK(played.games == 20);
  CHECK(played.swaps >= 10);
}

}  // namespace pitboss::clients
