#include "clients/referee/exact_score.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <string>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/run_task.hpp"
#include "tests/games/set_up.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

std::optional<int> score_of(const games::AnyGame& position) {
  asio::io_context io;
  std::optional<int> score;
  const auto ask = [&]() -> asio::awaitable<void> { score = co_await exact_score(position); };
  run(io, ask());
  return score;
}

}  // namespace

TEST_CASE("exact score: of positions near the end, and of games that have a solver") {
  const auto position = games::make_game("connect4");
  CHECK_FALSE(score_of(*position));
  games::play_all(*position, "d1 d2 d3 d4 d5 d6 c1 e1 c2 c3 e2 e3 a1 a2 g1 g2");
  CHECK(score_of(*position).has_value());
  CHECK_FALSE(score_of(*games::make_game("othello")));
  CHECK(score_of(*games::game_of("othello size=4")) == -10);
  CHECK_FALSE(score_of(*games::make_game("hex")));
}

TEST_CASE("a game whose position a solver proves ends with that result, and is recorded so") {
  const tests::RunningServer server;
  const Address address{"127.0.0.1", server.port()};
  Match match;
  set_game(match, "connect4");
  match.players[0] = parse_player("name=A simulations=50", {address});
  match.players[1] = parse_player("name=B simulations=50 novelty=pseudocount", {address});
  match.openings = parse_openings("random:14", *match.initial_position(), {});
  match.games = 6;
  match.seed = 3;
  match.adjudication.exact = true;
  CHECK_FALSE(may_duel(match, {}));
  CHECK(parse_configuration(configuration(match)).adjudication == match.adjudication);
  asio::io_context io;
  const auto play = [&]() -> asio::awaitable<void> {
    Engines engines;
    for (const std::size_t i : {0, 1}) {
      engines[i] = make_engine(io.get_executor(), match.players[i]);
      co_await engines[i]->open();
    }
    for (int game = 0; game < match.games; ++game) {
      const GameEnd end =
          co_await play_game(match, game, {}, engines, ServerWatch(io.get_executor()));
      CAPTURE(end.record.moves);
      CHECK(fault_in(match, end.record).empty());
      if (end.record.reason == "rules") continue;
      CHECK(end.record.reason == "exact");
      const auto position = match.initial_position();
      games::play_all(*position, end.record.moves);
      const int score = score_of(*position).value();
      const bool is_black = (score > 0) == (position->to_move() == games::Colour{});
      CHECK(end.record.result == (score == 0 ? "0" : is_black ? "B+A" : "W+A"));
      CHECK(end.record.plies < 18);
      CHECK(exact_score_at_once(*position) == score);
      PlayedGame other = end.record;
      other.result = score == 0 || !is_black ? "B+A" : "W+A";
      settle(other, sides_of(match));
      CHECK(fault_in(match, other) == "the result is not what a solver proves");
    }
    for (auto& engine : engines) engine->close();
  };
  run(io, play());
}

}  // namespace pitboss::clients
