#pragma once

#include <memory>
#include <vector>

#include "engine/leaf/remote/remote_service.hpp"
#include "server/metrics/families.hpp"
#include "server/session/server_control.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// Where the numbers of a server come from.
struct MetricSources {
  const Counters& counters;
  const Gauges& gauges;
  std::size_t max_sessions;
  WorkerPool& pool;
  const SharedByTables& tables;             ///< neither member is null
  const engine::RemoteService* evaluators;  ///< null: there are none
  std::size_t named_tables;
  std::size_t waiting_answer_bytes;
};

/// All metrics: THE list, from which the page, `stats` and the test of docs/server.md derive. The
/// I/O thread calls it.
[[nodiscard]] std::vector<Family> server_metrics(const MetricSources& sources);

}  // namespace pitboss::server
