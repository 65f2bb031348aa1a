#pragma once

#include <array>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/players/engine.hpp"
#include "clients/referee/adjudicator.hpp"
#include "clients/referee/play_game.hpp"
#include "environment/awake_clock.hpp"

namespace pitboss::clients {

/// Thrown within a game: a player loses it by resignation, on time, by a failure, by silence, or
/// because its engine went away.
struct Loss {
  enum class Kind { resignation, time, forfeit, silent, gone };
  int loser;
  std::string reason;
  Kind kind = Kind::forfeit;
};

/// One game in progress: the referee's own position, what it has told the engines, and how the game
/// ends. Played once: move by move, or by a server that plays both sides.
class GameInPlay {
 public:
  GameInPlay(const Match& match, int game, const DeclaredPair& declared, Engines& engines)
      : match_(match),
        game_(game),
        declared_(declared),
        engines_(engines),
        seating_(seating_of(match, game)),
        position_(match.initial_position()),
        opening_(opening_of(match, round_of(match, game))),
        moves_(opening_),
        values_(opening_.size()),
        clocks_(opening_.size()),
        adjudicator_(match.adjudication) {}

  boost::asio::awaitable<GameEnd> play(const ServerWatch& servers);

  /// Has the first player's engine, which is a Duellist, play both sides. Throws Loss, Halt and
  /// EngineFailure.
  boost::asio::awaitable<std::optional<PlayedGame>> play_as_duel();
  /// Sets up the second player's engine alone. Throws Loss and Halt. Returns nothing.
  boost::asio::awaitable<std::optional<PlayedGame>> set_up_opponent();

 private:
  using Verdict = Adjudicator::Verdict;

  [[nodiscard]] bool is_over() const {
    return position_->result().finished() || is_too_long() || verdict_ != Verdict::none;
  }

  boost::asio::awaitable<void> play_to_the_end();
  boost::asio::awaitable<void> begin(int player);
  /// Throws Halt if the engine is another than was declared, as far as it has told.
  void check_declared(int player) const;
  /// Throws the Loss or the Halt that a failure amounts to.
  [[noreturn]] void fail(int player, const EngineFailure& failure) const;
  [[nodiscard]] Halt halt(int player, const std::string& why) const;
  boost::asio::awaitable<std::string> ask_for_move(games::Colour colour);
  [[nodiscard]] std::chrono::milliseconds patience(games::Colour colour) const;
  void spend(games::Colour colour, protocol::TimeSettings::Seconds used);
  /// Throws a Standstill if time stood still during a move that has taken so long, and may have
  /// been another without that.
  void expect_time_went_on(int player, environment::AwakeClock::duration before,
                           protocol::TimeSettings::Seconds taken);
  /// Nothing if neither this process nor the player's program has stood still since the game began
  /// (or since this was asked, for the program).
  [[nodiscard]] std::optional<Standstill> standstill_of(int player) const;
  boost::asio::awaitable<void> tell(int listener, games::Colour mover, std::string move);
  boost::asio::awaitable<void> adjudicate(int player);
  boost::asio::awaitable<void> hear_value(int player);
  boost::asio::awaitable<void> look_for_proof();
  boost::asio::awaitable<void> ask_for_figures();
  void take(const Exchange& exchange);

  [[nodiscard]] const std::optional<protocol::TimeSettings>& clock_of(games::Colour colour) const {
    return match_.players[seating_.player_of(colour)].clock;
  }
  [[nodiscard]] Engine& engine_of(int player) const { return *engines_[player]; }
  void play(games::Colour mover, const std::string& answer);
  [[nodiscard]] bool is_too_long() const {
    return match_.max_plies > 0 && static_cast<int>(moves_.size()) >= match_.max_plies;
  }
  /// The players in the order in which their engines are set up and told moves.
  [[nodiscard]] std::array<int, 2> players() const {
    const int first = seating_.player_of(games::Colour{});
    return {first, 1 - first};
  }

  [[nodiscard]] PlayedGame record() const;
  [[nodiscard]] PlayedGame ended() const;
  [[nodiscard]] PlayedGame lost(const Loss& loss) const;
  [[nodiscard]] std::string won_by(int player, const char* how) const {
    return sides_of(match_).letters_of(seating_.seats_of(player)) + how;
  }

  const Match& match_;
  int game_;
  const DeclaredPair& declared_;
  Engines& engines_;  ///< if a server plays by itself, one may be missing
  Seating seating_;
  std::unique_ptr<games::AnyGame> position_;
  std::vector<std::string> opening_;
  std::vector<std::string> moves_;
  std::vector<std::optional<double>> values_;  ///< of the moves, once they are known
  std::vector<int> movers_;                    ///< the players of the moves behind the opening
  std::array<double, 2> seconds_{};
  std::array<std::vector<Effort>, 2> efforts_;  ///< of each player's moves
  std::array<double, 2> latency_{};
  /// What the mover's clock showed after each move; nothing without a clock.
  std::vector<std::optional<protocol::TimeLeft>> clocks_;
  std::array<std::optional<protocol::TimeLeft>, 4> time_left_{};  ///< by colour
  std::array<Evaluations, 2> evaluations_{};
  std::array<bool, 2> was_asked_{};
  bool is_silent_ = false;  ///< who was asked last, when it should have answered
  /// AwakeClock::stood_still, when the game began.
  environment::AwakeClock::duration stood_still_ = environment::AwakeClock::stood_still();
  Adjudicator adjudicator_;
  Verdict verdict_ = Verdict::none;
  bool is_proven_ = false;  ///< the verdict is a solver's
};

}  // namespace pitboss::clients
