#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "clients/players/child_program.hpp"
#include "clients/players/engine.hpp"
#include "clients/players/line_stream.hpp"
#include "clients/players/told_search.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// An engine at the other end of a stream of lines: opens the connection or starts the program, and
/// ends the program when it fails. GTP and UCI engines derive from it.
class StreamEngine : public Engine {
 public:
  boost::asio::awaitable<void> open() final;
  [[nodiscard]] bool is_open() const final { return stream().is_open(); }
  [[nodiscard]] bool is_alive() const final { return is_open() && !stream().is_cut(); }
  [[nodiscard]] environment::AwakeClock::time_point opened() const final { return opened_; }
  void close() final;
  [[nodiscard]] bool was_stopped() final { return program_ && program_->was_stopped(); }
  boost::asio::awaitable<void> begin(const Match& match, std::int64_t seed) final;
  [[nodiscard]] std::string excerpt() const final;

 protected:
  StreamEngine(boost::asio::any_io_executor executor, Player player)
      : executor_(std::move(executor)), player_(std::move(player)) {}

  [[nodiscard]] const Player& player() const { return player_; }
  [[nodiscard]] virtual LineStream& stream() = 0;
  [[nodiscard]] virtual const LineStream& stream() const = 0;
  /// The first commands on a new stream: checks that the engine speaks the language.
  virtual boost::asio::awaitable<void> greet() = 0;
  /// The commands before a game.
  virtual boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) = 0;
  /// How long to wait for the answer to a command other than one that asks for a move.
  [[nodiscard]] std::chrono::milliseconds patience() const {
    return has_begun_ ? command_timeout : player_.start_timeout;
  }

  /// Waits for `task` and rethrows its failure. If the stream is closed then, ends the program,
  /// after a moment in which it may end by itself and say why.
  template <class T>
  boost::asio::awaitable<T> watch(boost::asio::awaitable<T> task) {
    std::exception_ptr failure;
    try {
      co_return co_await std::move(task);
    } catch (const EngineFailure&) {
      failure = std::current_exception();
    }
    co_await clear_away();
    std::rethrow_exception(failure);
  }

 private:
  boost::asio::awaitable<void> start();
  boost::asio::awaitable<void> clear_away();
  [[nodiscard]] std::string doubt(const EngineFailure& failure) const;

  boost::asio::any_io_executor executor_;
  Player player_;
  std::unique_ptr<ChildProgram> program_;
  environment::AwakeClock::time_point opened_;
  bool has_begun_ = false;  ///< a game, on this stream
};

/// The figures of a move of which an engine has told so much; without a value, as a score is no
/// probability to win.
[[nodiscard]] inline MoveFigures figures_of(const ToldSearch& told) {
  MoveFigures figures;
  figures.effort.simulations = told.nodes();
  figures.effort.depth = told.depth();
  return figures;
}

/// The failure of an engine that, as the referee knows, cannot play what it is asked to.
[[nodiscard]] inline EngineFailure refusal(const std::string& what) {
  return {EngineFailure::Kind::refused, what};
}

}  // namespace pitboss::clients
