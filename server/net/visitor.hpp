#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "environment/awake_clock.hpp"
#include "protocol/access.hpp"
#include "server/net/shared.hpp"

namespace pitboss::server {

/// The client of one conversation: who it is, its accounts, and its turns to have lines handled.
/// Belongs to the I/O thread.
class Visitor {
 public:
  using AwakeClock = environment::AwakeClock;

  /// `address` is the account of the client's host, null if it needs none; `number` is for the log.
  Visitor(Shared& shared, std::shared_ptr<ClientAccount> address, std::uint64_t number)
      : shared_(shared), address_(std::move(address)), account_(address_), number_(number) {}

  /// As far as it has identified itself.
  [[nodiscard]] const protocol::Identity& client() const { return client_; }
  /// Whether it still has to show a token.
  [[nodiscard]] bool is_stranger() const { return client_.right == protocol::Right::nothing; }
  [[nodiscard]] const std::shared_ptr<ClientAccount>& account() const { return account_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

  /// Counts its session, which begins. `on_turn` is called when a turn comes; it then says
  /// `turn_has_come`.
  void come(const protocol::Identity& client, std::function<void()> on_turn);
  /// It has shown a token.
  void identify(const protocol::Identity& client);
  /// Its session is over; later calls do nothing.
  void go();

  /// Whether the token that a stranger shows is looked at later, since its host has shown many
  /// wrong ones. Right ones wait as well, or who guesses would know that no answer means a wrong
  /// one.
  [[nodiscard]] bool is_delayed();
  /// Whether that time is over at `now`.
  [[nodiscard]] bool is_due(AwakeClock::time_point now) const { return token_due_ <= now; }
  /// A line is handled.
  void forget_delay() { token_due_ = never; }

  /// Whether lines may be handled now: nobody of the client waits, or its turn has come. If not, it
  /// will come. Of updates, of which many may come at once, each has a turn of its own.
  [[nodiscard]] bool takes_turn(bool is_for_update = false);
  /// Waits for a turn, after other clients and the client's other conversations that wait.
  void join_turns();
  void turn_has_come() { turn_ = Turn::come; }

 private:
  static constexpr auto never = AwakeClock::time_point::max();

  /// Of the client's conversations, to handle lines.
  enum class Turn : std::uint8_t { none, awaited, come };

  Shared& shared_;
  protocol::Identity client_;
  std::shared_ptr<ClientAccount> address_;  ///< of the client's host
  std::shared_ptr<ClientAccount> account_;  ///< of the client
  std::uint64_t number_;
  std::function<void()> on_turn_;
  Turn turn_ = Turn::none;
  bool is_counted_ = false;  ///< among the sessions
  /// When the token in the next line is looked at.
  AwakeClock::time_point token_due_ = never;
};

}  // namespace pitboss::server
