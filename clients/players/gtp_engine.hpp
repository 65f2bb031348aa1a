#pragma once

#include <array>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/players/gtp_client.hpp"
#include "clients/players/gtp_clock.hpp"
#include "clients/players/stream_engine.hpp"

namespace pitboss::clients {

/// The common part of Pitboss and plain GTP engines: `play` and `genmove`. A move told is sent
/// together with the next question, so that a ply costs one round trip instead of two; that
/// question throws if the engine refuses the move.
class GtpEngine : public StreamEngine {
 public:
  boost::asio::awaitable<void> play(games::Colour mover, std::string move) override;
  boost::asio::awaitable<std::string> genmove(games::Colour mover,
                                              std::chrono::milliseconds timeout) override;

 protected:
  GtpEngine(const boost::asio::any_io_executor& executor, const Player& player)
      : StreamEngine(executor, player), client_(executor) {}

  [[nodiscard]] LineStream& stream() override { return client_.stream(); }
  [[nodiscard]] const LineStream& stream() const override { return client_.stream(); }
  boost::asio::awaitable<void> greet() override;

  boost::asio::awaitable<std::string> demand(std::string command) {
    co_return co_await client_.demand(std::move(command), patience());
  }
  [[nodiscard]] GtpClient& client() { return client_; }
  /// The questions about the program: as the engine answers them, `hear_program` reads them. Throws
  /// a refusal of what the engine knows.
  static constexpr std::array<const char*, 2> program_questions{"name", "version"};
  [[nodiscard]] static std::string hear_program(std::span<const GtpAnswer> answers);
  /// Sends the queued commands and then this one; returns its answer.
  boost::asio::awaitable<std::string> ask_next(std::string command,
                                               std::chrono::milliseconds timeout);
  /// Begins a game in which `play` and `genmove` write colours as the match does; drops commands
  /// queued for another game.
  void begin_game(const Match& match) {
    colours_ = match.colours;
    untold_.clear();
  }

  /// Queues a command, which is sent with the next question.
  void tell(std::string command) { untold_.push_back(std::move(command)); }
  [[nodiscard]] std::vector<std::string> take_untold() { return std::exchange(untold_, {}); }

  /// Tells a game's clock: by which command, what is left before each move.
  void set_clock(GtpClock clock) { clock_ = std::move(clock); }
  void forget_clock() { clock_.reset(); }
  [[nodiscard]] const std::optional<GtpClock>& clock() const { return clock_; }
  /// Queues what the mover's clock shows.
  void tell_time_left(games::Colour mover);

  [[nodiscard]] std::string genmove_command(games::Colour mover) const {
    return "genmove " + letter_of(mover);
  }
  [[nodiscard]] std::string play_command(games::Colour mover, const std::string& move) const {
    return "play " + letter_of(mover) + " " + move;
  }

 private:
  [[nodiscard]] std::string letter_of(games::Colour colour) const {
    return std::string(colours_[games::index(colour)].substr(0, 1));
  }

  GtpClient client_;
  std::span<const std::string_view> colours_;
  std::vector<std::string> untold_;
  std::optional<GtpClock> clock_;
};

/// Whether `line` is one of the lines of an answer.
[[nodiscard]] bool has_line(const std::string& text, std::string_view line);

}  // namespace pitboss::clients
