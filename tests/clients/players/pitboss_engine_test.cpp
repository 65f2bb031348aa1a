#include "clients/players/pitboss_engine.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/clients/run_task.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using games::Colour;

namespace {

using Figures = std::vector<MoveFigures>;

/// The figures of the first moves of a game, all by one engine. Before the moves behind the plies
/// in `asked` they are asked for, so often.
asio::awaitable<void> play(Engine& engine, const Match& match, int plies,
                           const std::vector<int>& asked, int times, Figures& figures) {
  co_await engine.begin(match, 7);
  const auto position = match.initial_position();
  for (int ply = 1; ply <= plies; ++ply) {
    position->play(co_await engine.genmove(position->to_move(), 20s));
    for (const int at : asked) {
      for (int i = 0; at == ply && i < times; ++i) {
        const Figures so_far = co_await engine.figures();
        CHECK(so_far.size() == static_cast<std::size_t>(ply));
      }
    }
  }
  figures = co_await engine.figures();
  for (MoveFigures& move : figures) {
    Effort& effort = move.effort;
    REQUIRE((effort.processor_us && effort.search_us));
    CHECK(*effort.processor_us > 0);
    CHECK(*effort.processor_us <= *effort.search_us + 100);
    effort.processor_us = effort.search_us = {};  // they are never the same again
  }
}

}  // namespace

TEST_CASE(
    "PitbossEngine: each move has its figures once, however often and whenever they are asked "
    "for") {
  const tests::RunningServer server;
  Player player;
  player.location = Address{"127.0.0.1", server.port()};
  player.options = {{"simulations", "100"}};
  Match match;
  set_game(match, "connect4");
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  run(io, engine->open());
  Figures expected;
  run(io, play(*engine, match, 6, {}, 0, expected));
  REQUIRE(expected.size() == 6);
  for (const MoveFigures& move : expected) {
    CHECK(move.value.has_value());
    CHECK(move.effort.simulations == 100);
    CHECK(move.effort.depth.value_or(0) > 1);
  }
  for (const std::vector<int>& asked :
       std::vector<std::vector<int>>{{1, 2, 3, 4, 5, 6}, {1, 4}, {6}}) {
    for (const int times : {1, 2}) {
      CAPTURE(asked.size());
      CAPTURE(times);
      Figures figures;
      run(io, play(*engine, match, 6, asked, times, figures));
      CHECK(figures == expected);
    }
  }
  engine->close();
  run(io, engine->open());  // and on a new connection
  Figures figures;
  run(io, play(*engine, match, 3, {1, 2}, 2, figures));
  CHECK(figures == Figures(expected.begin(), expected.begin() + 3));
  engine->close();
}

TEST_CASE("PitbossEngine tells how many threads search at its server") {
  const tests::RunningServer server;
  Player player;
  player.location = Address{"127.0.0.1", server.port()};
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  std::optional<int> workers;
  run(io, [](Engine& of, std::optional<int>& told) -> asio::awaitable<void> {
    co_await of.open();
    told = co_await of.workers();
    of.close();
  }(*engine, workers));
  CHECK(workers == tests::RunningServer::small().workers);
}

}  // namespace pitboss::clients
