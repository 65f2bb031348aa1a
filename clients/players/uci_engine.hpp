#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <string>
#include <vector>

#include "clients/players/line_engine.hpp"
#include "clients/players/uci_games.hpp"
#include "clients/players/uci_option.hpp"

namespace pitboss::clients {

inline constexpr std::array<Aside, 1> uci_asides{{{"info"}}};

/// An engine that speaks UCI, for the games of uci_games.hpp. The player's clock and its options
/// `nodes`, `movetime` (in milliseconds) and `depth` bound every search, the others are UCI
/// options; the variant is the game's unless UCI_Variant is one of them.
///
/// With the option Ponder it goes on searching while the opponent thinks, for the reply that it
/// expects.
///
/// UCI has no answer to a move that the engine rejects: such an engine thinks about another
/// position, and loses by an illegal move.
class UciEngine final : public LineEngine {
 public:
  UciEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : LineEngine(executor, player, uci_asides) {}

  /// The options that keep their defaults.
  [[nodiscard]] Declaration declaration() const override;
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<void> finish() override;

 private:
  /// What ends a search: the move, and the reply that the engine expects; empty if it tells none.
  struct BestMove {
    std::string move;
    std::string reply;
  };

  void check(const Match& match) const override;
  boost::asio::awaitable<void> greet() override;

  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;
  boost::asio::awaitable<void> set_options(const Match& match);
  boost::asio::awaitable<void> set_option(std::string name, std::string value);
  boost::asio::awaitable<BestMove> search(std::string limits, std::chrono::milliseconds timeout);
  boost::asio::awaitable<void> ponder(games::Colour mover, std::string reply);
  boost::asio::awaitable<void> stop_pondering();
  [[nodiscard]] bool ponders() const;
  void add(std::string_view move);
  [[nodiscard]] std::string variant() const;
  /// The bounds of every search. Throws EngineFailure if one is no bound.
  [[nodiscard]] std::string limits() const;
  /// The same with the clock.
  [[nodiscard]] std::string limits(games::Colour mover) const;
  boost::asio::awaitable<void> hear_options();
  [[nodiscard]] std::string clock_limits(games::Colour mover) const;

  std::vector<UciOption> options_;  ///< that the engine declares
  bool has_options_set_ = false;    ///< whether the options were sent on this stream
  UciArrow arrow_ = UciArrow::with_comma;
  const UciGame* game_ = nullptr;
  std::string moves_;        ///< as UCI writes them, each after a blank
  std::string pondered_on_;  ///< the same to the position that it ponders on; empty: it does not
};

}  // namespace pitboss::clients
