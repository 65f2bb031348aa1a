#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "clients/experiments/address.hpp"
#include "clients/pitboss/latencies.hpp"

namespace pitboss::clients {

/// How to load a server.
struct LoadPlan {
  Address server;
  std::vector<std::string> setup{};  ///< lines that each connection sends before
  std::string command = "name";
  int connections = 1;
  int pipeline = 1;  ///< unanswered commands on each connection
  std::chrono::milliseconds time{5000};
};

struct LoadResult {
  Latencies latencies;                           ///< of the answers that came in time
  std::map<std::string, std::int64_t> refusals;  ///< of these answers, by sentence
  double seconds = 0;  ///< from the first command to the last of these answers
  double busy = 0;     ///< share of that time in which this client used its processor
};

/// Sends the same command again and again on all connections, from one thread, each time as soon as
/// an answer has come. Blocks for the planned time. Throws UserError if the server cannot be
/// reached, refuses a line of the setup, sends bytes that are no answer, or closes a connection.
[[nodiscard]] LoadResult run_load(const LoadPlan& plan);

}  // namespace pitboss::clients
