#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>
#include <string>

#include "clients/players/gtp_engine.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// Any engine that speaks GTP 2 (Farnebäck, *Specification of the Go Text Protocol*). GTP
/// cannot say which game is to be played, only the size of a square board.
class PlainGtpEngine final : public GtpEngine {
 public:
  PlainGtpEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : GtpEngine(executor, player) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  [[nodiscard]] Declaration declaration() const override { return declaration_; }
  boost::asio::awaitable<std::vector<MoveFigures>> figures() override;
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 private:
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> look_for_commands();
  boost::asio::awaitable<void> look_for_clock();
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;

  boost::asio::awaitable<void> find_dialect(const Match& match);
  boost::asio::awaitable<bool> takes(games::Colour mover, const std::string& point);
  boost::asio::awaitable<void> tell_all();
  [[nodiscard]] bool must_pass() const;
  [[nodiscard]] std::string read(std::string answer) const;

  std::unique_ptr<games::AnyGame> position_;
  protocol::Dialect dialect_ = protocol::Dialect::plain;
  std::string found_for_;  ///< the rules for which the dialect was found; empty: for none
  Declaration declaration_;
  std::vector<MoveFigures> figures_;  ///< as its comments have told
};

}  // namespace pitboss::clients
