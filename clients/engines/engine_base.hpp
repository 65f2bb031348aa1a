#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <utility>

#include "clients/engines/child_program.hpp"
#include "clients/engines/engine.hpp"
#include "clients/engines/wire.hpp"

namespace pitboss::clients {

/// What engines have in common whatever they speak: where they are found, and what becomes of a
/// program that fails.
class EngineBase : public Engine {
 public:
  boost::asio::awaitable<void> open() final;
  [[nodiscard]] bool is_open() const final { return wire().is_open(); }
  [[nodiscard]] bool is_alive() const final { return is_open() && !wire().is_cut(); }
  [[nodiscard]] std::chrono::steady_clock::time_point opened() const final { return opened_; }
  void close() final;
  [[nodiscard]] std::string excerpt() const final;

 protected:
  EngineBase(boost::asio::any_io_executor executor, Player player)
      : executor_(std::move(executor)), player_(std::move(player)) {}

  [[nodiscard]] const Player& player() const { return player_; }
  [[nodiscard]] virtual Wire& wire() = 0;
  [[nodiscard]] virtual const Wire& wire() const = 0;
  /// The first words on a new stream: makes sure that the engine speaks the dialect.
  virtual boost::asio::awaitable<void> greet() = 0;

  /// Waits for `task`. If that ends the conversation, the program is ended as well, and before that
  /// has the time to say why it has ended itself.
  template <class T>
  boost::asio::awaitable<T> watch(boost::asio::awaitable<T> task) {
    std::exception_ptr failure;
    try {
      co_return co_await std::move(task);
    } catch (const GtpFailure&) {
      failure = std::current_exception();
    }
    co_await clear_away();
    std::rethrow_exception(failure);
  }

 private:
  boost::asio::awaitable<void> start();
  boost::asio::awaitable<void> clear_away();

  boost::asio::any_io_executor executor_;
  Player player_;
  std::unique_ptr<ChildProgram> program_;
  std::chrono::steady_clock::time_point opened_;
};

/// A failure of which the engine itself is told nothing.
[[nodiscard]] inline GtpFailure refusal(const std::string& what) {
  return {GtpFailure::Kind::refused, what};
}

}  // namespace pitboss::clients
