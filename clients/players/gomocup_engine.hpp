#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "clients/players/line_engine.hpp"
#include "games/notation.hpp"

namespace pitboss::clients {

inline constexpr std::array<Aside, 2> gomocup_asides{{{"MESSAGE"}, {"DEBUG"}}};

/// An engine for gomoku without an opening rule that speaks the protocol of Gomocup (P. Lastovicka,
/// "Gomoku AI protocol"). The player's options are keys of `INFO`; its clock or the option
/// `timeout_turn`, in milliseconds, bounds its searches.
class GomocupEngine final : public LineEngine {
 public:
  GomocupEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : LineEngine(executor, player, gomocup_asides) {}

  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 private:
  void check(const Match& match) const override;
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;
  boost::asio::awaitable<void> tell_info(std::string key, std::string value);
  boost::asio::awaitable<void> tell_clock(games::Colour mover);
  /// Sends a command and returns the line that answers it. Throws EngineFailure if the engine says
  /// that it cannot.
  boost::asio::awaitable<std::string> ask(std::string command, std::chrono::milliseconds timeout);
  boost::asio::awaitable<std::string> search(games::Colour mover,
                                             std::chrono::milliseconds timeout);
  boost::asio::awaitable<std::string> ask_at_board(games::Colour mover,
                                                   std::chrono::milliseconds timeout);
  void add(games::Colour mover, const std::string& move);

  struct Stone {
    games::Colour colour;
    games::Place place;
  };

  std::vector<Stone> stones_;
  std::size_t known_ = 0;  ///< of the stones, those that the engine knows of
};

}  // namespace pitboss::clients
