#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "clients/referee/experiment.hpp"
#include "clients/referee/game_record.hpp"

namespace pitboss::clients {

/// A round lent to whoever plays it. The token fences off whoever held it before.
struct Lease {
  int match;
  int round;
  std::int64_t token;
};

/// A round that was played to its end.
struct PlayedRound {
  int match;  ///< number in the experiment
  int round;
  std::vector<GameRecord> games;  ///< in order
};

/// A failure of an engine or a server: whether it cost a game or the game was played again.
struct Incident {
  int match;
  int game;  ///< from 0
  std::string player;
  std::string place;   ///< where its engine was
  std::string reason;  ///< as in GameRecord
  bool is_loss;        ///< else the round was put back
  std::string excerpt;
  std::int64_t when;  ///< seconds since 1970
};
}  // namespace pitboss::clients
