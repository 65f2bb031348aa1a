#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clients/players/line_client.hpp"
#include "clients/players/stream_engine.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// An engine whose protocol has answers of lines, and says nothing of a move that it is told: UCI,
/// Gomocup's and NBoard's derive from it. What the engine tells of its searches, nodes and depth,
/// are the figures of its moves.
class LineEngine : public StreamEngine {
 public:
  boost::asio::awaitable<Declaration> examine(const Match& match) final;
  /// The program's name.
  [[nodiscard]] Declaration declaration() const override;
  boost::asio::awaitable<std::vector<MoveFigures>> figures() final { co_return figures_; }

 protected:
  LineEngine(const boost::asio::any_io_executor& executor, const Player& player,
             std::span<const Aside> asides)
      : StreamEngine(executor, player), client_(executor, asides) {}

  /// Throws EngineFailure if programs of the protocol do not play the match, or nothing bounds the
  /// player's searches.
  virtual void check(const Match& match) const = 0;

  void set_program(std::string name) { program_ = std::move(name); }
  [[nodiscard]] LineClient& client() { return client_; }
  /// The game's position as far as `play` was called.
  [[nodiscard]] games::AnyGame& position() { return *position_; }
  void start_game(const Match& match) {
    position_ = match.initial_position();
    figures_.clear();
  }
  /// After a search that the engine was asked for.
  void keep_figures() { figures_.push_back(figures_of(client_.told())); }

 private:
  [[nodiscard]] LineStream& stream() final { return client_.stream(); }
  [[nodiscard]] const LineStream& stream() const final { return client_.stream(); }

  LineClient client_;
  std::string program_;  ///< what it is called
  std::unique_ptr<games::AnyGame> position_;
  std::vector<MoveFigures> figures_;
};

/// The value of an option that is a whole number of at least 1; nothing if the player has no such
/// option. Throws EngineFailure for another value.
[[nodiscard]] std::optional<std::int64_t> positive_option(const Player& player,
                                                          std::string_view name);

/// Milliseconds of a clock, at least 1.
[[nodiscard]] std::int64_t milliseconds_of(protocol::TimeSettings::Seconds time);

}  // namespace pitboss::clients
