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

using Values = std::vector<std::optional<double>>;

/// What the first moves of a game, all by one engine, are worth to it. Before the moves behind the
/// plies in `asked` the values are asked for, so often.
asio::awaitable<void> play(Engine& engine, const Match& match, int plies,
                           const std::vector<int>& asked, int times, Values& values) {
  co_await engine.begin(match, 7);
  const auto position = match.initial_position();
  for (int ply = 1; ply <= plies; ++ply) {
    position->play(co_await engine.genmove(position->to_move(), 20s));
    for (const int at : asked) {
      for (int i = 0; at == ply && i < times; ++i) {
        const Values so_far = co_await engine.values();
        CHECK(so_far.size() == static_cast<std::size_t>(ply));
      }
    }
  }
  values = co_await engine.values();
}

}  // namespace

TEST_CASE(
    "PitbossEngine: each move has one value, however often and whenever values are asked for") {
  const tests::RunningServer server;
  Player player;
  player.location = Address{"127.0.0.1", server.port()};
  player.options = {{"simulations", "100"}};
  Match match;
  set_game(match, "connect4");
  asio::io_context io;
  const auto engine = make_engine(io.get_executor(), player);
  run(io, engine->open());
  Values expected;
  run(io, play(*engine, match, 6, {}, 0, expected));
  REQUIRE(expected.size() == 6);
  for (const auto& value : expected) CHECK(value.has_value());
  for (const std::vector<int>& asked :
       std::vector<std::vector<int>>{{1, 2, 3, 4, 5, 6}, {1, 4}, {6}}) {
    for (const int times : {1, 2}) {
      CAPTURE(asked.size());
      CAPTURE(times);
      Values values;
      run(io, play(*engine, match, 6, asked, times, values));
      CHECK(values == expected);
    }
  }
  engine->close();
  run(io, engine->open());  // and on a new connection
  Values values;
  run(io, play(*engine, match, 3, {1, 2}, 2, values));
  CHECK(values == Values(expected.begin(), expected.begin() + 3));
  engine->close();
}

}  // namespace pitboss::clients
