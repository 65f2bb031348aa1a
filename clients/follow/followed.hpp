#pragma once

#include <memory>
#include <string>

#include "clients/follow/catalogue.hpp"
#include "clients/follow/picture.hpp"

namespace pitboss::clients {

/// An experiment, a tuning or a training that is followed.
class Followed {
 public:
  Followed() = default;
  virtual ~Followed() = default;
  Followed(const Followed&) = delete;
  Followed& operator=(const Followed&) = delete;

  // The thread that watches:

  /// Reads what is new. Blocks; throws UserError, and can be called again.
  [[nodiscard]] virtual Picture look() = 0;
  /// Has the referees wait, or go on. Blocks; throws UserError.
  virtual void set_paused(bool is_paused) = 0;

  // Any thread, from what `look` has read; JSON, or empty if there is nothing of the kind:

  /// The games that can be replayed, the newest of each match, as report_games.ts describes them,
  /// without what only `replayed_game` tells.
  [[nodiscard]] virtual std::string games_to_replay() const { return {}; }
  /// A game to be replayed, by the number of its match (from 0) and its own.
  [[nodiscard]] virtual std::string replayed_game(int /*match*/, int /*game*/) const { return {}; }
  /// All games, as games.csv has them, and as an array of JSON.
  [[nodiscard]] virtual std::string games_csv() const { return {}; }
  [[nodiscard]] virtual std::string games_json() const { return {}; }
};

/// What there is at the place.
[[nodiscard]] std::shared_ptr<Followed> follow_entry(const CatalogueEntry& entry);

}  // namespace pitboss::clients
