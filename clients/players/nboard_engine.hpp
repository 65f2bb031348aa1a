#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <string>

#include "clients/players/line_engine.hpp"

namespace pitboss::clients {

inline constexpr std::array<Aside, 5> nboard_asides{
    {{"status"}, {"nodestats", "nodes"}, {"search"}, {"book"}, {"learn"}}};

/// An engine for othello that speaks the protocol of NBoard (C. Welty, "NBoard Protocol", version
/// 2). The player's option `depth` bounds its searches, and others are sent by `set`, too. The
/// protocol has no clock: a player with a `tc` is judged by it, and not told.
class NBoardEngine final : public LineEngine {
 public:
  NBoardEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : LineEngine(executor, player, nboard_asides) {}

  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 private:
  void check(const Match& match) const override;
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;
  /// Waits until the engine has read all commands; its name may be among the lines.
  boost::asio::awaitable<void> synchronize();
  boost::asio::awaitable<void> add(std::string move);

  int pings_ = 0;
};

}  // namespace pitboss::clients
