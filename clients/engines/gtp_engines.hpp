#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/engines/engine_base.hpp"
#include "clients/engines/gtp_client.hpp"

namespace pitboss::clients {

/// What both kinds of GTP have in common: moves. A move that is told is sent together with what is
/// asked next, so that a ply costs one way to an engine and back instead of two; if it is refused,
/// that is known then.
class GtpEngine : public EngineBase {
 public:
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 protected:
  GtpEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : EngineBase(executor, player), client_(executor) {}

  [[nodiscard]] Wire& wire() override { return client_.wire(); }
  [[nodiscard]] const Wire& wire() const override { return client_.wire(); }
  boost::asio::awaitable<void> greet() override;

  boost::asio::awaitable<std::string> demand(std::string command) {
    co_return co_await client_.demand(std::move(command), command_timeout);
  }
  [[nodiscard]] GtpClient& client() { return client_; }
  /// The answer; nothing if the command is refused.
  boost::asio::awaitable<std::string> ask(std::string command);
  /// Name and version.
  boost::asio::awaitable<std::string> program();
  /// Sends the moves that have been told, and the command, whose answer is returned.
  boost::asio::awaitable<std::string> ask_next(std::string command,
                                               std::chrono::milliseconds timeout);
  /// A new game begins, in which `play` and `genmove` write colours as the match does; what was to
  /// be told of another is forgotten.
  void begin_game(const Match& match) {
    colours_ = match.colours;
    untold_.clear();
  }

  /// To be sent with the next question.
  void tell(std::string command) { untold_.push_back(std::move(command)); }
  [[nodiscard]] std::size_t untold() const { return untold_.size(); }
  [[nodiscard]] std::vector<std::string> take_untold() { return std::exchange(untold_, {}); }

 private:
  [[nodiscard]] std::string letter_of(games::Colour colour) const {
    return std::string(colours_[games::index(colour)].substr(0, 1));
  }

  GtpClient client_;
  std::span<const std::string_view> colours_;
  std::vector<std::string> untold_;
};

/// An engine of this project, or one that knows `games`, `game` and `setoption` as well.
class PitbossEngine final : public GtpEngine, public Duellist {
 public:
  PitbossEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : GtpEngine(executor, player) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  boost::asio::awaitable<void> begin(const Match& match, std::int64_t seed) override;
  [[nodiscard]] Duellist* duellist() override { return this; }
  boost::asio::awaitable<bool> can_duel() override;
  void announce(const Match& match, std::int64_t seed) override;
  void challenge(const Player& other, std::int64_t other_seed, std::span<const int> owner,
                 int plies) override;
  boost::asio::awaitable<std::vector<Exchange>> fight(std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::optional<double>> value() override;

 protected:
  boost::asio::awaitable<void> greet() override;

 private:
  boost::asio::awaitable<void> look_for_game(const Match& match);
  boost::asio::awaitable<Declaration> declare();
  boost::asio::awaitable<void> set_up(const Match& match, std::int64_t seed);
  [[nodiscard]] std::vector<std::string> set_up_commands(const Match& match,
                                                         std::int64_t seed) const;

  [[nodiscard]] static std::string game_command(const Match& match);

  std::optional<bool> knows_duel_;
  /// The command of the game for which the engine has taken the player's options, which it then
  /// keeps; empty if there is none.
  std::string set_up_for_;
  std::string announced_;                ///< that of the game announced last
  std::vector<std::size_t> challenges_;  ///< where they are among the untold
};

/// Any engine that speaks GTP 2 (Farnebäck, *Specification of the Go Text Protocol*). It plays the
/// game it plays: what GTP can say is the size of a square board.
class PlainGtpEngine final : public GtpEngine {
 public:
  PlainGtpEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : GtpEngine(executor, player) {}

  boost::asio::awaitable<Declaration> examine(const Match& match) override;
  boost::asio::awaitable<void> begin(const Match& match, std::int64_t seed) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;
  boost::asio::awaitable<std::optional<double>> value() override { co_return std::nullopt; }

 private:
  boost::asio::awaitable<void> look_for_commands();
  boost::asio::awaitable<void> set_up(const Match& match);
};

/// The value of the move that was chosen, for its mover, in an answer to `last_search`; nothing if
/// there is none. Reads no further than that.
[[nodiscard]] std::optional<double> value_in_search(std::string_view json);

}  // namespace pitboss::clients
