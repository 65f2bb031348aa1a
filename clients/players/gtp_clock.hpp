#pragma once

#include <string>

#include "protocol/time_settings.hpp"

namespace pitboss::clients {

/// How an engine that speaks GTP is told its clock.
struct GtpClock {
  std::string settings;  ///< the command that sets it; empty if there is none
  bool has_time_left = false;
  bool has_fractions = false;  ///< otherwise seconds are whole

  /// What the ledger records of it: "kata-time_settings fischer 10 0.1; time_left".
  [[nodiscard]] std::string text() const;
  /// The command that tells what a colour, by its letter, has left; empty if there is none. Tells
  /// no more time than there is.
  [[nodiscard]] std::string time_left(const std::string& colour,
                                      const protocol::TimeLeft& left) const;
};

/// The clock as our own engines are told it.
[[nodiscard]] GtpClock clock_of_ours(const protocol::TimeSettings& settings);
/// The clock for an engine with these commands, one a line, and with these systems of
/// `kata-time_settings`, separated by blanks (empty: it does not list them). GTP's own
/// `time_settings` has whole seconds and no increments: with an increment the engine is told what
/// it has left before each move. Throws EngineFailure (refused) if it cannot be told the clock.
[[nodiscard]] GtpClock clock_of_others(const protocol::TimeSettings& settings,
                                       const std::string& commands, const std::string& systems);

}  // namespace pitboss::clients
