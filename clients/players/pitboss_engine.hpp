#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "clients/players/gtp_engine.hpp"

namespace pitboss::clients {

/// A Pitboss engine: GTP 2 with `games`, `game` and `setoption`.
class PitbossEngine final : public GtpEngine, public Duellist {
 public:
  PitbossEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : GtpEngine(executor, player) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  [[nodiscard]] Duellist* duellist() override { return this; }
  boost::asio::awaitable<bool> can_duel() override;
  boost::asio::awaitable<Exchange> duel(const Player& other, std::int64_t other_seed,
                                        std::span<const int> owner, int plies,
                                        std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::vector<std::optional<double>>> values() override;
  boost::asio::awaitable<Evaluations> evaluations() override;

 protected:
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;

 private:
  boost::asio::awaitable<void> look_for_game(const Match& match);
  boost::asio::awaitable<Declaration> declare();
  [[nodiscard]] static std::string game_command(const Match& match);

  void hear_value(const GtpAnswer& answer);

  std::optional<bool> knows_duel_;
  bool tells_values_ = true;                   ///< as far as is known
  bool is_value_due_ = false;                  ///< that of the last move
  std::vector<std::optional<double>> values_;  ///< of the moves before
  /// The `game` command for which the engine has taken the player's options, which it keeps; empty
  /// if none.
  std::string set_up_for_;
};

}  // namespace pitboss::clients
