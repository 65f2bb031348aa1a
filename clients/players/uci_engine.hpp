#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/players/stream_engine.hpp"
#include "clients/players/uci_client.hpp"
#include "clients/players/uci_games.hpp"
#include "clients/players/uci_option.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// An engine that speaks UCI, for the games of uci_games.hpp. The player's clock and its options
/// `nodes`, `movetime` (in milliseconds) and `depth` bound every search, the others are UCI
/// options; the variant is the game's unless UCI_Variant is one of them.
///
/// UCI has no answer to a move that the engine rejects: such an engine thinks about another
/// position, and loses by an illegal move. The engine tells nodes and depth of its moves, no
/// values: a score in centipawns is no probability to win.
class UciEngine final : public StreamEngine {
 public:
  UciEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : StreamEngine(executor, player), client_(executor) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  /// The options that keep their defaults.
  [[nodiscard]] Declaration declaration() const override;
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::vector<MoveFigures>> figures() override { co_return figures_; }

 private:
  [[nodiscard]] LineStream& stream() override { return client_.stream(); }
  [[nodiscard]] const LineStream& stream() const override { return client_.stream(); }
  boost::asio::awaitable<void> greet() override;

  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;
  boost::asio::awaitable<void> set_options(const Match& match);
  boost::asio::awaitable<void> set_option(std::string name, std::string value);
  boost::asio::awaitable<std::string> search(std::string limits, std::chrono::milliseconds timeout);
  void add(std::string_view move);
  [[nodiscard]] std::string variant() const;
  /// The bounds of every search. Throws EngineFailure if one is no bound.
  [[nodiscard]] std::string limits() const;
  boost::asio::awaitable<void> hear_options();
  [[nodiscard]] std::string clock_limits(games::Colour mover) const;

  UciClient client_;
  std::vector<UciOption> options_;  ///< that the engine declares
  std::string program_;             ///< what it is called
  bool has_options_set_ = false;    ///< whether the options were sent on this stream
  UciArrow arrow_ = UciArrow::with_comma;
  const UciGame* game_ = nullptr;
  std::unique_ptr<games::AnyGame> position_;
  std::string moves_;  ///< as UCI writes them, each after a blank
  std::vector<MoveFigures> figures_;
};

}  // namespace pitboss::clients
