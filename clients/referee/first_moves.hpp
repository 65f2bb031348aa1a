#pragma once

#include <atomic>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/players/engine.hpp"

/// What an engine does at the beginning of games, before an experiment is played.
namespace pitboss::clients {

using EngineMaker =
    std::function<std::unique_ptr<Engine>(const boost::asio::any_io_executor&, const Player&)>;

/// A move that an engine has made.
struct TimedMove {
  std::string move;
  double seconds = 0;
};

/// The first moves after the opening of a round, at most so many, which the engine, set up with
/// `seed`, makes for all sides. Throws EngineFailure.
[[nodiscard]] boost::asio::awaitable<std::vector<TimedMove>> first_moves(
    Engine& engine, const Match& match, int round, std::int64_t seed, std::size_t most);

/// What an engine that has failed has written to standard error, as the end of a sentence: "; it
/// says: no weights file [exit code 3]"; empty if that is nothing.
[[nodiscard]] std::string last_words(const Engine& engine);

/// What `ask` is told by an engine of a player, which is open, examined for the match, and closed
/// afterwards. Blocks. Throws EngineFailure, with the engine's last words; also soon after `stop`
/// is true, which closes the engine.
template <class T>
[[nodiscard]] T ask_engine(
    const EngineMaker& make, const Match& match, const Player& player,
    const std::function<boost::asio::awaitable<T>(Engine&, const Declaration&)>& ask,
    const std::atomic<bool>& stop) {
  boost::asio::io_context io(1);
  std::exception_ptr failure;
  std::string words;
  T answer{};
  const auto engine = make(io.get_executor(), player);
  const auto all = [&]() -> boost::asio::awaitable<void> {
    co_await engine->open();
    const Declaration declared = co_await engine->examine(match);
    answer = co_await ask(*engine, declared);
  };
  boost::asio::co_spawn(io, all(), [&](std::exception_ptr e) {
    failure = std::move(e);
    if (failure) words = last_words(*engine);
    engine->close();
  });
  while (!io.stopped()) {
    io.run_for(std::chrono::milliseconds(50));
    if (stop) engine->close();
  }
  try {
    if (failure) std::rethrow_exception(failure);
  } catch (const EngineFailure& e) {
    throw EngineFailure(e.kind(), e.what() + words, e.code());
  }
  return answer;
}

}  // namespace pitboss::clients
