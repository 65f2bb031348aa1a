#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
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
  [[nodiscard]] Declaration declaration() const override;
  [[nodiscard]] Duellist* duellist() override { return this; }
  boost::asio::awaitable<std::optional<std::string>> duelling_instance() override;
  boost::asio::awaitable<Exchange> duel(const Player& other, std::int64_t other_seed,
                                        std::span<const int> owner, int plies,
                                        std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;
  [[nodiscard]] std::optional<std::chrono::duration<double>> move_time() const override {
    return move_time_;
  }
  boost::asio::awaitable<std::vector<MoveFigures>> figures() override;
  boost::asio::awaitable<std::optional<int>> workers() override;
  boost::asio::awaitable<std::optional<ServerFacts>> about() override;
  boost::asio::awaitable<std::string> signature(const Match& match) override;
  [[nodiscard]] Evaluations evaluations() const override { return evaluations_; }

 protected:
  boost::asio::awaitable<void> greet() override;
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed) override;

 private:
  boost::asio::awaitable<void> look_for_game(const Match& match);
  boost::asio::awaitable<void> assess();
  boost::asio::awaitable<GtpAnswer> ask_patiently(std::string command);
  boost::asio::awaitable<std::optional<std::string>> figures_with(std::string_view simulations,
                                                                  std::string_view options,
                                                                  const Match& match);
  [[nodiscard]] nlohmann::json object_in(std::string_view told);
  void hear_options(std::string_view told);
  void hear_models(std::string_view told);
  [[nodiscard]] static std::string game_command(const Match& match);

  [[nodiscard]] std::vector<std::string> take_questions();
  [[nodiscard]] bool asks_for_models() const;
  void hear(std::span<const GtpAnswer> answers);
  void hear_time(const GtpAnswer& answer);

  /// What `duelling_instance` returns, once it is known.
  std::optional<std::optional<std::string>> duelling_instance_;
  std::optional<std::chrono::duration<double>> move_time_;
  bool is_due_ = false;               ///< the last move's figures are to be asked for
  std::vector<MoveFigures> figures_;  ///< of the moves before
  Evaluations evaluations_;           ///< of these moves
  Declaration declaration_;           ///< without hashes
  /// A network, or a set of features.
  struct Models {
    bool are_used = false;              ///< as the options are
    std::vector<std::string> sha256{};  ///< of those used in this game, in the order of their use
  };
  std::map<std::string, Models> models_;  ///< by their names in `evaluate` and `evaluations`
  /// The `game` command for which the engine has taken the player's options, which it keeps; empty
  /// if none.
  std::string set_up_for_;
};

}  // namespace pitboss::clients
